/** Handlers and invariants that do more than they may: a search keeps their results, so it must see this. */
import { describe, expect, it } from 'vitest';
import { check } from '../../../src/checker/index.ts';
import {
  type AnyAlgorithm,
  counter,
  counters,
  defineAlgorithm,
  idSet,
  message,
} from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/index.ts';

type Node = { value: number; list: number[]; known: { add(id: number): void } };

/** Node 2 leads when node 1 has sent a message to it. `step` is what handlers do beside that. */
function election(step: () => boolean, holds: (state: Node) => boolean = () => true): AnyAlgorithm {
  return defineAlgorithm({
    name: 'election',
    title: 'Election',
    source: 'a test',
    cost: '-',
    params: {},
    laws: [],
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
    state: { value: counter(9), list: counters(9), known: idSet() },
    messages: { m: message(), told: message() },
    invariants: {
      node: { reads: { statement: 'it holds', holds: ({ state }) => holds(state as unknown as Node) } },
    },
    onStart(_state, ctx) {
      if (ctx.id === 1) ctx.send(1, 'm');
    },
    on: {
      m(_state, _port, _message, ctx) {
        if (!step()) return;
        ctx.decide('leader');
        ctx.send(1, 'told');
      },
      told(_state, _port, _message, ctx) {
        ctx.decide('follower', 2);
      },
    },
  });
}

const options = { ids: [1, 2] };

describe('a handler that is no function of state, event and draws is refused', () => {
  it('if it counts its calls outside the state', () => {
    let calls = 0;
    const counting = election(() => ++calls % 2 === 1);
    expect(() => check(counting, options)).toThrow(
      /on\.m of election must be a function of the node's state.*twice at node 1/,
    );
  });

  it('if it draws random numbers of its own', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    // Two draws are equal half of the time, so one search may miss it, and one of ten does not.
    const refused = Array.from({ length: 10 }, () => {
      try {
        check(
          election(() => random() < 0.5),
          options,
        );
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toContain(true);
  });

  it('and one that is is not', () => {
    expect(
      check(
        election(() => true),
        options,
      ),
    ).toMatchObject({ complete: true, violations: [] });
  });
});

describe('an invariant that writes', () => {
  const writes: readonly (readonly [string, (state: Node) => unknown])[] = [
    ['a field', (state) => (state.value = 5)],
    ['to a list', (state) => state.list.push(1)],
    ['to a set', (state) => state.known.add(1)],
  ];

  it.each(writes)('%s is refused by a search and by a simulation', (_, write) => {
    const holds = (state: Node): boolean => {
      write(state);
      return true;
    };
    const writing = election(() => true, holds);
    expect(() => check(writing, options)).toThrow('an invariant must only read the state');
    expect(() => simulate(writing, options)).toThrow('an invariant must only read the state');
  });

  it('may read everything', () => {
    const reading = election(
      () => true,
      ({ known, list, value }) => [...list, value].every((one) => one === 0) && !('x' in known),
    );
    expect(check(reading, options)).toMatchObject({ complete: true });
    expect(simulate(reading, options).valid.agreement).toBe(true);
  });
});
