/**
 * Small algorithms with random rules, for which nothing is promised but that their runs end: a node's level only rises,
 * and at the highest it does nothing any more. What they decide may well be wrong.
 */
import fc from 'fast-check';
import {
  type AnyAlgorithm,
  counter,
  defineAlgorithm,
  message,
  type NodeInvariant,
} from '../../../src/kernel/index.ts';

const LEVELS = 3;

interface Rule {
  readonly rise: number;
  readonly sends: readonly ('a' | 'b')[];
  readonly decides: 'leader' | 'follower' | null;
}

const rule: fc.Arbitrary<Rule> = fc.record({
  rise: fc.integer({ min: 0, max: 2 }),
  sends: fc.array(fc.constantFrom('a' as const, 'b' as const), { maxLength: 2 }),
  decides: fc.constantFrom('leader', 'follower', null, null, null, null, null, null),
});

/** By type and by level. */
const rules = fc.record({
  start: rule,
  timer: rule,
  isTimed: fc.boolean(),
  isDrawn: fc.boolean(),
  a: fc.array(rule, { minLength: LEVELS, maxLength: LEVELS }),
  b: fc.array(rule, { minLength: LEVELS, maxLength: LEVELS }),
});

export function randomAlgorithm(): fc.Arbitrary<AnyAlgorithm> {
  return fc.tuple(rules, fc.constantFrom('one-way ring' as const, 'ring' as const)).map(([made, network]) =>
    defineAlgorithm({
      name: 'random',
      title: 'Random',
      source: 'none',
      cost: 'none',
      assumes: { network, timing: 'asynchronous', ids: 'unique', fifo: true },
      params: {},
      state: { level: counter(LEVELS) },
      messages: { a: message(), b: message() },
      laws: [],
      timers: ['bell'],
      onStart(state, ctx) {
        if (made.isTimed) ctx.setTimer('bell', 1);
        if (made.isDrawn && ctx.random(2) === 1) return;
        act(state, made.start, ctx);
      },
      onTimer(state, _timer, ctx) {
        if (state.level < LEVELS) act(state, made.timer, ctx);
      },
      on: {
        a(state, _port, _message, ctx) {
          if (state.level < LEVELS) act(state, made.a[state.level], ctx);
        },
        b(state, _port, _message, ctx) {
          if (state.level < LEVELS) act(state, made.b[state.level], ctx);
        },
      },
    }),
  );
}

interface Verbs {
  readonly degree: number;
  send(port: number, type: 'a' | 'b'): void;
  decide(role: 'leader' | 'follower', leader?: number): void;
}

function act(state: { level: number }, { rise, sends, decides }: Rule, ctx: Verbs): void {
  // A counter grows with every message, so that runs end.
  state.level = Math.min(LEVELS, state.level + Math.max(rise, sends.length > 0 ? 1 : 0));
  for (const [k, type] of sends.entries()) ctx.send(k === 0 ? 1 : ctx.degree - 1, type);
  if (decides === 'leader') ctx.decide('leader');
  if (decides === 'follower') ctx.decide('follower', 3);
}

/**
 * Algorithms that never terminate: as many beats circulate as were sent at the start. On a beat a node may also act, as on
 * any other message.
 */
export function perpetualAlgorithm(): fc.Arbitrary<AnyAlgorithm> {
  return fc
    .record({
      start: rule,
      a: fc.array(rule, { minLength: LEVELS, maxLength: LEVELS }),
      b: fc.array(rule, { minLength: LEVELS, maxLength: LEVELS }),
      /** By level. */
      beat: fc.option(fc.array(rule, { minLength: LEVELS, maxLength: LEVELS }), { freq: 3 }),
      alternates: fc.boolean(),
      network: fc.constantFrom('one-way ring' as const, 'ring' as const),
    })
    .map((made) =>
      defineAlgorithm({
        name: 'perpetual',
        title: 'Perpetual',
        source: 'none',
        cost: 'none',
        assumes: { network: made.network, timing: 'asynchronous', ids: 'unique', fifo: false },
        params: {},
        state: { level: counter(LEVELS) },
        messages: { a: message(), b: message(), beat: message(), echo: message() },
        laws: [],
        horizon: () => 10,
        onStart(state, ctx) {
          ctx.send(1, 'beat');
          act(state, made.start, ctx);
        },
        on: {
          a(state, _port, _message, ctx) {
            if (state.level < LEVELS) act(state, made.a[state.level], ctx);
          },
          b(state, _port, _message, ctx) {
            if (state.level < LEVELS) act(state, made.b[state.level], ctx);
          },
          beat(state, port, _message, ctx) {
            ctx.send(ctx.degree - 1 - port, made.alternates ? 'echo' : 'beat');
            if (made.beat !== null && state.level < LEVELS) act(state, made.beat[state.level], ctx);
          },
          echo(_state, port, _message, ctx) {
            ctx.send(ctx.degree - 1 - port, 'beat');
          },
        },
      }),
    );
}

/** Forbids some changes of a node's level, among them perhaps none: a step in which the level stays is a change too. */
export function randomInvariant(): fc.Arbitrary<NodeInvariant> {
  const level = fc.integer({ min: 0, max: LEVELS });
  return fc
    .uniqueArray(fc.tuple(level, level), { minLength: 1, maxLength: 3, selector: String })
    .map((pairs) => ({
      statement: `The level never changes as in ${pairs.join(' ')}`,
      holds: ({ state, before }) => !pairs.some(([from, to]) => before.level === from && state.level === to),
    }));
}
