/**
 * Small algorithms with random rules that use everything a network has: messages with fields and lists, timers, random
 * draws, decisions, notices of dead receivers, recoveries and durable fields. Nothing is promised but that their runs
 * end: a node's level only rises, and at the highest level it does nothing.
 */
import fc from 'fast-check';
import {
  type AnyAlgorithm,
  counter,
  counters,
  defineAlgorithm,
  message,
  portSet,
  type TimingModel,
} from '../../../src/kernel/index.ts';

const LEVELS = 4;
const MAX_VALUE = 3;

interface Rule {
  readonly rise: number;
  readonly sends: readonly { readonly port: number; readonly type: 'a' | 'b'; readonly value: number }[];
  readonly forwards: boolean;
  readonly draws: boolean;
  readonly timer: number;
  readonly decides: 'leader' | 'follower' | null;
}

const rule: fc.Arbitrary<Rule> = fc.record({
  rise: fc.integer({ min: 0, max: 2 }),
  sends: fc.array(
    fc.record({
      port: fc.nat(3),
      type: fc.constantFrom('a' as const, 'b' as const),
      value: fc.nat(MAX_VALUE),
    }),
    { maxLength: 2 },
  ),
  forwards: fc.boolean(),
  draws: fc.constantFrom(true, false, false),
  timer: fc.constantFrom(0, 0, 1, 2, -1),
  decides: fc.constantFrom('leader', 'follower', null, null, null),
});

const byLevel = fc.array(rule, { minLength: LEVELS, maxLength: LEVELS });
const rules = fc.record({ start: rule, a: byLevel, b: byLevel, bell: byLevel, back: byLevel, restart: rule });

interface Shape {
  readonly timing: TimingModel;
  /** Senders hear of dead receivers. */
  readonly isTold: boolean;
}

const networks = fc.constantFrom('one-way ring' as const, 'ring' as const, 'complete' as const);
const triggers = fc.constantFrom('start' as const, 'start' as const, 'coordinator missed' as const);

export function randomAlgorithm({ isTold, timing }: Shape): fc.Arbitrary<AnyAlgorithm> {
  return fc
    .tuple(rules, networks, timing === 'synchronous' ? fc.constant('start' as const) : triggers, fc.boolean())
    .map(([made, network, trigger, isStartedByMessage]) =>
      defineAlgorithm({
        name: 'random',
        title: 'Random',
        source: 'none',
        cost: 'none',
        assumes: {
          network,
          timing,
          ids: 'unique',
          fifo: true,
          faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
        },
        trigger,
        ...(isStartedByMessage && timing === 'asynchronous' && { startOnMessage: true }),
        params: {},
        state: { level: counter(LEVELS), kept: counter(MAX_VALUE, { durable: true }), heard: portSet() },
        messages: { a: message(['value', counter(MAX_VALUE)]), b: message(['path', counters(MAX_VALUE)]) },
        laws: [],
        timers: ['bell'],
        onStart(state, ctx) {
          act(state, made.start, ctx, false);
        },
        onTimer(state, _timer, ctx) {
          if (state.level < LEVELS) act(state, made.bell[state.level], ctx, false);
        },
        ...(isTold && {
          onUndelivered(state: State, port: number, _message: unknown, ctx: Verbs) {
            state.heard.add(port);
            if (state.level < LEVELS) act(state, made.back[state.level], ctx, true);
          },
        }),
        onRestart(state, ctx) {
          act(state, made.restart, ctx, false);
        },
        on: {
          a(state, port, { value }, ctx) {
            state.heard.add(port);
            state.kept = value;
            if (state.level < LEVELS) act(state, made.a[state.level], ctx, true);
          },
          b(state, port, { path }, ctx) {
            state.heard.add(port);
            state.kept = Math.min(MAX_VALUE, path.length);
            if (state.level < LEVELS) act(state, made.b[state.level], ctx, true);
          },
        },
      }),
    ) as fc.Arbitrary<AnyAlgorithm>;
}

interface State {
  level: number;
  kept: number;
  readonly heard: { add(port: number): void };
}

interface Verbs {
  readonly degree: number;
  send(port: number, type: 'a', value: number): void;
  send(port: number, type: 'b', path: readonly number[]): void;
  forward(port: number): void;
  random(sides: number): number;
  setTimer(name: 'bell', units: number): void;
  clearTimer(name: 'bell'): void;
  decide(role: 'leader' | 'follower', leader?: number): void;
}

function act(state: State, rule: Rule, ctx: Verbs, isReceiving: boolean): undefined {
  if (rule.draws && ctx.random(2) === 1) return;
  // Sending and setting a timer raise the level, so that there is an end to it.
  const isBusy = rule.sends.length > 0 || rule.timer > 0 || (isReceiving && rule.forwards);
  state.level = Math.min(LEVELS, state.level + Math.max(rule.rise, isBusy ? 1 : 0));
  for (const { port, type, value } of rule.sends) {
    // Port 1 leads on in all these networks; on a one-way ring it is the only one.
    const to = ctx.degree === 1 ? 0 : 1 + (port % (ctx.degree - 1));
    if (type === 'a') ctx.send(to, 'a', value);
    else
      ctx.send(
        to,
        'b',
        Array.from({ length: value }, () => state.kept),
      );
  }
  if (isReceiving && rule.forwards) ctx.forward(ctx.degree - 1);
  if (rule.timer > 0) ctx.setTimer('bell', rule.timer);
  if (rule.timer < 0) ctx.clearTimer('bell');
  if (rule.decides === 'leader') ctx.decide('leader');
  if (rule.decides === 'follower') ctx.decide('follower', 3);
}
