import { describe, expect, test } from 'vitest';
import { type AnyAlgorithm, defineAlgorithm, message, NONE, ProtocolError } from '../../src/kernel/index.ts';
import { machineFor, sampleWith } from './sample-algorithm.ts';

// biome-ignore lint/suspicious/noExplicitAny: these tests do what the types forbid
type Forbidden = any;
type Act = (ctx: Forbidden) => unknown;

/** Runs an action at the middle of three nodes, whose ids are 4, 9 and 2. */
function attempt(act: Act, assumes: Partial<AnyAlgorithm['assumes']> = {}): unknown {
  let result: unknown;
  const algorithm = sampleWith((_state, ctx) => {
    result = act(ctx);
  }, assumes);
  machineFor(algorithm, [4, 9, 2]).start(1);
  return result;
}

describe('a node knows what its algorithm assumes', () => {
  test.each([
    ['its id', (ctx: Forbidden) => ctx.id, {}, 9],
    ['the size', (ctx: Forbidden) => ctx.n, { knows: ['n'] }, 3],
    ['the diameter', (ctx: Forbidden) => ctx.diameter, { knows: ['diameter'] }, 1],
    [
      'the ids around',
      (ctx: Forbidden) => [0, 1].map((p) => ctx.neighbour(p)),
      { knows: ['neighbours'] },
      [4, 2],
    ],
    ['the time', (ctx: Forbidden) => ctx.now, { timing: 'synchronous', knows: ['time'] }, 0],
    ['its ports', (ctx: Forbidden) => [ctx.degree, ctx.label(0), ctx.label(1)], {}, [2, 'previous', 'next']],
    ['its parameters', (ctx: Forbidden) => ctx.params.most, {}, 10],
    ['that it initiated', (ctx: Forbidden) => ctx.initiator, {}, true],
  ])('%s', (_, act, assumes, expected) => {
    expect(attempt(act, assumes as Partial<AnyAlgorithm['assumes']>)).toEqual(expected);
  });

  test.each([
    ['its id', (ctx: Forbidden) => ctx.id, { ids: 'anonymous' }, "a node knows ids: declare ids: 'unique'"],
    ['the size', (ctx: Forbidden) => ctx.n, {}, "a node knows the size n: declare knows: ['n']"],
    [
      'the diameter',
      (ctx: Forbidden) => ctx.diameter,
      {},
      "a node knows the diameter: declare knows: ['diameter']",
    ],
    [
      'the ids around',
      (ctx: Forbidden) => ctx.neighbour(0),
      {},
      "a node knows its neighbours' ids: declare knows: ['neighbours']",
    ],
    ['the time', (ctx: Forbidden) => ctx.now, {}, "a node knows a clock: declare knows: ['time']"],
  ])('but not %s, if the algorithm does not assume it', (_, act, assumes, text) => {
    expect(() => attempt(act, assumes as Partial<AnyAlgorithm['assumes']>)).toThrow(
      new ProtocolError(`sample does not assume that ${text}`),
    );
  });
});

describe('an action is refused', () => {
  test.each<[string, Act, string]>([
    ['a port that is not there', (ctx) => ctx.send(2, 'empty'), 'port must be from 0 to 1 here, not 2'],
    ['a negative port', (ctx) => ctx.send(NONE, 'empty'), 'port must be from 0 to 1 here, not -1'],
    ['half a port', (ctx) => ctx.send(0.5, 'empty'), 'port must be from 0 to 1 here, not 0.5'],
    ['no port', (ctx) => ctx.send(undefined, 'empty'), 'port must be from 0 to 1 here, not undefined'],
    ['a label of no port', (ctx) => ctx.label(7), 'port must be from 0 to 1 here, not 7'],
    [
      'an unknown message',
      (ctx) => ctx.send(1, 'coup'),
      "'coup' is not a message of this algorithm: it has empty, full, word",
    ],
    [
      'an id too large',
      (ctx) => ctx.send(1, 'word', [], 10),
      "'id' takes a whole number from -1 to 9, not 10",
    ],
    [
      'a field left out',
      (ctx) => ctx.send(1, 'word', []),
      "ctx.send(port, 'word', path, id) takes 2 fields, not 1: 'id' is missing",
    ],
    [
      'a field too many',
      (ctx) => ctx.send(1, 'word', [], 4, 5),
      "ctx.send(port, 'word', path, id) takes 2 fields, not 3",
    ],
    ['a field of none', (ctx) => ctx.send(1, 'empty', 4), "ctx.send(port, 'empty') takes 0 fields, not 1"],
    [
      'a field that is undefined',
      (ctx) => ctx.send(1, 'word', [], undefined),
      "'id' takes a whole number from -1 to 9, not undefined",
    ],
    [
      'a message without a port',
      (ctx) => ctx.send('word', 4),
      'ctx.send(port, type, ...fields) takes a port and a type of message, not number as the type: it has empty, full, word',
    ],
    [
      'a misspelt message',
      (ctx) => ctx.send(1, 'wrod', [], 4),
      "'wrod' is not a message of this algorithm: it has empty, full, word; did you mean word?",
    ],
    [
      'a list that is too long',
      (ctx) => ctx.send(1, 'word', [1, 2, 3, 4], 1),
      "'path' takes a list of at most 3 ids up to 9, not [1,2,3,4]",
    ],
    ['to forward nothing', (ctx) => ctx.forward(1), 'forward() needs a current message: use send() here'],
    ['an unknown timer', (ctx) => ctx.setTimer('tea', 3), "timer 'tea' must be declared in timers"],
    [
      'a timer into the past',
      (ctx) => ctx.setTimer('tea', -1),
      'setTimer() takes a positive number of units, not -1',
    ],
    [
      'a timer with an infinite time',
      (ctx) => ctx.setTimer('tea', 1 / 0),
      'setTimer() takes a positive number of units, not Infinity',
    ],
    ['to clear an unknown timer', (ctx) => ctx.clearTimer('tea'), "timer 'tea' must be declared in timers"],
    [
      'a die without sides',
      (ctx) => ctx.random(0),
      'random(k) takes a whole number from 1 to 9007199254740991, not 0',
    ],
    [
      'a die with too many',
      (ctx) => ctx.random(2 ** 53),
      'random(k) takes a whole number from 1 to 9007199254740991, not 9007199254740992',
    ],
    ['a leader of another name', (ctx) => ctx.decide('leader', 4), 'a leader must name itself, not 4'],
    [
      'a follower without a leader',
      (ctx) => ctx.decide('follower'),
      "a follower must name its leader: decide('follower', id)",
    ],
    ['a third role', (ctx) => ctx.decide('king', 4), "a role must be 'leader' or 'follower', not 'king'"],
    [
      'half a term',
      (ctx) => ctx.decide('leader', 9, 1.5),
      'a term must be a whole number from 0 to 2147483647, not 1.5',
    ],
    [
      'a term before the first',
      (ctx) => ctx.decide('leader', 9, -1),
      'a term must be a whole number from 0 to 2147483647, not -1',
    ],
  ])('%s', (_, act, text) => {
    expect(() => attempt(act)).toThrow(new ProtocolError(text));
  });

  test('sending on port 0 of a one-way ring, which only receives', () => {
    const algorithm = sampleWith((_state, ctx) => ctx.send(0, 'empty'));
    const machine = machineFor(algorithm, [1, 2], {}, true);
    expect(() => machine.start(0)).toThrow('port must be 1 on a one-way ring: port 0 only receives');
  });
});

describe('random draws', () => {
  test('are from 1 to k', () => {
    const drawn = attempt((ctx) => Array.from({ length: 200 }, () => ctx.random(3))) as number[];
    expect([...new Set(drawn)].sort()).toEqual([1, 2, 3]);
    expect(attempt((ctx) => ctx.random(1))).toBe(1);
  });
});

// The following tests run at compile time: each expectation fails the build if the line below it compiles.

const base = { name: 'typed', title: '', source: '', cost: '', params: {}, state: {}, laws: [] } as const;
const network = 'ring';

test('the type of a context lacks what the algorithm does not assume', () => {
  const anonymous = defineAlgorithm({
    ...base,
    assumes: { network, timing: 'asynchronous', ids: 'anonymous', fifo: true },
    messages: { token: message() },
    onStart(_state, ctx) {
      // @ts-expect-error: nodes are anonymous
      void ctx.id;
      // @ts-expect-error: the size is not known
      void ctx.n;
      // @ts-expect-error: the diameter is not known
      void ctx.diameter;
      // @ts-expect-error: the neighbours are not known
      void ctx.neighbour(0);
      // @ts-expect-error: there is no clock
      void ctx.now;
      // @ts-expect-error: there are no timers
      ctx.setTimer('tea', 1);
      // @ts-expect-error: there is no such message
      ctx.send(1, 'coup');
      // @ts-expect-error: there is no such parameter
      void ctx.params.most;
    },
    on: { token: () => undefined },
  });
  const knowing = defineAlgorithm({
    ...base,
    assumes: {
      network,
      timing: 'synchronous',
      ids: 'unique',
      fifo: true,
      knows: ['n', 'diameter', 'neighbours', 'time'],
    },
    messages: { token: message() },
    timers: ['tea'],
    onStart(_state, ctx) {
      const known: number[] = [ctx.id, ctx.n, ctx.diameter, ctx.neighbour(0), ctx.now];
      ctx.setTimer('tea', known.length);
    },
    on: { token: () => undefined },
  });
  expect([anonymous.name, knowing.name]).toEqual(['typed', 'typed']);
});

test('an asynchronous handler does not compile', () => {
  const waiting = defineAlgorithm({
    ...base,
    assumes: { network, timing: 'asynchronous', ids: 'unique', fifo: true },
    messages: { token: message() },
    // @ts-expect-error: a handler runs to completion
    async onStart() {},
    on: {
      // @ts-expect-error: a handler runs to completion
      token: async () => undefined,
    },
  });
  expect(waiting.name).toBe('typed');
});
