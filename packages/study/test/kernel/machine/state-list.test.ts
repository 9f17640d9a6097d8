/** Lists and sets in the state of a node, and lists of counters. */
import { describe, expect, test } from 'vitest';
import { MessageCodec } from '../../../src/kernel/driver.ts';
import {
  type AnyAlgorithm,
  counters,
  defineAlgorithm,
  InputError,
  idSet,
  ids,
  message,
  ProtocolError,
  portSet,
  ports,
} from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/index.ts';
import type { Ctx } from '../../simulator/test-algorithm.ts';
import { machineFor } from '../sample-algorithm.ts';

const keeper = defineAlgorithm({
  name: 'keeper',
  title: 'Keeper',
  source: 'none',
  cost: '0',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: {
    seen: ids(),
    few: ids({ most: 1 }),
    counts: counters(5),
    links: ports(),
    children: portSet(),
    quorum: idSet({ durable: true }),
  },
  messages: { tally: message(['counts', counters(5)]), token: message(['id', ids()]) },
  onStart: () => undefined,
  on: { tally: () => undefined, token: () => undefined },
  laws: [],
});

const machineOf = (given: readonly number[]) => machineFor(keeper as AnyAlgorithm, given);

// biome-ignore lint/suspicious/noExplicitAny: a test may also do what the types forbid
const stateOf = (): any => machineOf([4, 9, 2]).views()[1];

describe('a list in a state', () => {
  test.each([
    ['seen', [10], "'seen' takes a list of at most 3 ids up to 9, not [10]"],
    ['seen', [1, 2, 3, 4], "'seen' takes a list of at most 3 ids up to 9, not [1,2,3,4]"],
    ['few', [1, 2], "'few' takes a list of at most 1 ids up to 9, not [1,2]"],
    ['counts', [6], "'counts' takes a list of at most 3 counters up to 5, not [6]"],
    ['counts', [-1], "'counts' takes a list of at most 3 counters up to 5, not [-1]"],
    ['links', [0.5], 'not [0.5]'],
  ])('refuses a pushed value out of range: %s %j', (field, items, text) => {
    const state = stateOf();
    expect(() => state[field].push(...items)).toThrow(text);
    expect(() => state[field].push(...items)).toThrow(ProtocolError);
    const other = stateOf();
    expect(() => {
      other[field] = items;
    }).toThrow(text);
  });

  test('returns plain arrays from map and filter, and accepts them', () => {
    const state = stateOf();
    state.seen = [4, 9, 2];
    expect(state.seen.map((item: number) => 100 * item)).toEqual([400, 900, 200]);
    state.seen = state.seen.filter((item: number) => item !== 9);
    state.seen.push(9);
    state.counts = state.seen.map(() => 5);
    expect([state.seen, state.counts]).toEqual([
      [4, 2, 9],
      [5, 5, 5],
    ]);
  });

  test('may be assigned to itself', () => {
    const state = stateOf();
    state.seen = [4, 9];
    // biome-ignore lint/correctness/noSelfAssign: self-assignment is tested
    state.seen = state.seen;
    expect(state.seen).toEqual([4, 9]);
  });
});

describe('a set in a state', () => {
  test('has each member once, in ascending order', () => {
    const { children } = stateOf();
    for (const port of [7, 3, 7, 5]) children.add(port);
    expect([...children]).toEqual([3, 5, 7]);
    expect([children.size, children.has(5), children.has(4)]).toEqual([3, true, false]);
    expect([children.delete(5), children.delete(5)]).toEqual([true, false]);
    expect([...children]).toEqual([3, 7]);
    children.clear();
    expect(children.size).toBe(0);
  });

  test('is the same state regardless of insertion order', () => {
    const machine = machineOf([4, 9, 2]);
    const [one, other, third] = machine.views() as [never, never, never] as { children: Set<number> }[];
    for (const port of [2, 0, 1]) one.children.add(port);
    for (const port of [1, 0, 2, 0]) other.children.add(port);
    Object.assign(third, { children: [2, 1, 0, 1] });
    expect(machine.save(1)).toEqual(machine.save(0));
    expect(machine.save(2)).toEqual(machine.save(0));
  });

  test('is restored with its node, and survives a crash if it is durable', () => {
    const machine = machineOf([4, 9, 2]);
    // biome-ignore lint/suspicious/noExplicitAny: a view of any algorithm
    const [state] = machine.views() as any[];
    state.quorum.add(9);
    state.quorum.add(4);
    state.children.add(1);
    const saved = machine.save(0);
    machine.crash(0);
    expect([[...state.quorum], [...state.children]]).toEqual([[4, 9], []]);
    machine.load(0, saved);
    expect([[...state.quorum], [...state.children]]).toEqual([[4, 9], [1]]);
  });

  test('refuses values out of range', () => {
    const state = stateOf();
    expect(() => state.quorum.add(10)).toThrow("'quorum' takes a set of at most 3 ids up to 9, not [10]");
    expect(() => state.children.add(-1)).toThrow(ProtocolError);
  });

  test('cannot be a field of a message', () => {
    for (const field of [portSet(), idSet(), ports()]) {
      expect(() => new MessageCodec('odd', { a: message(['x', field]) })).toThrow(
        "odd: field 'x' of message a is for states only: send ids() or counters()",
      );
    }
    expect(() => new MessageCodec('odd', { a: message(['x', idSet()]) })).toThrow(InputError);
  });
});

describe('a list of counters in a message', () => {
  test('costs the bits of its length and of each counter', () => {
    const algorithm: AnyAlgorithm = {
      ...(keeper as AnyAlgorithm),
      onStart: (_state, given): undefined => {
        const ctx = given as never as Ctx;
        ctx.send(1, 'tally', [5, 0]);
        ctx.send(1, 'token', [8, 8, 8]);
        ctx.decide(ctx.id === 8 ? 'leader' : 'follower', 8);
      },
    };
    // Two types: 1 bit. Lists of up to 8: 4. Counters up to 5: 3 each. Ids up to 8: 4 each.
    expect(simulate(algorithm, { nodes: 8 }).bits).toBe(8 * (1 + 4 + 2 * 3) + 8 * (1 + 4 + 3 * 4));
  });

  test('is refused if out of range, and shares no slot with a list of ids', () => {
    const machine = machineOf([4, 9, 2]);
    machine.context.at = 0;
    expect(() => machine.context.send(1, 'tally', [6])).toThrow('counters up to 5, not [6]');
    const clash = { a: message(['x', counters(5)]), b: message(['x', ids()]) };
    expect(() => new MessageCodec('odd', clash)).toThrow('clashes');
  });
});

describe('a message of eight fields', () => {
  test('arrives as it was sent', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const seen: unknown[] = [];
    const fields = names.map((name) => [name, counters(8)] as const);
    const algorithm = {
      ...(keeper as AnyAlgorithm),
      messages: { wide: message(...fields) },
      onStart: (_state: unknown, ctx: { send(...given: unknown[]): void }): undefined => {
        ctx.send(1, 'wide', ...names.map((_, k) => [k + 1]));
      },
      on: {
        wide: (_state: unknown, _port: number, got: Record<string, unknown>): undefined => {
          seen.push(names.flatMap((name) => got[name]));
        },
      },
    } as unknown as AnyAlgorithm;
    const machine = machineFor(algorithm, [1, 2]);
    machine.start(0);
    machine.receive(machine.context.outbox.words, 0);
    expect(seen).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]]);
  });
});
