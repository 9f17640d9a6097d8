/** An automaton as an algorithm of the kernel. */
import { type AnyAlgorithm, counter, counters, defineAlgorithm, message } from '../../../src/kernel/index.ts';
import {
  type Automaton,
  CENTURY,
  type Decision,
  type Event,
  type Fields,
  handle,
  MAX_VALUE,
  type Message,
  TOP,
  type Verbs,
} from './automaton.ts';

const MAX_TERM = 100 * CENTURY;

/** The context of any algorithm. */
interface Loose {
  readonly id: number;
  readonly degree: number;
  readonly now: number;
  send(port: number, type: string, ...fields: unknown[]): void;
  forward(port: number): void;
  random(sides: number): number;
  setTimer(name: string, units: number): void;
  clearTimer(name: string): void;
  decide(role: string, leader: number | undefined, term: number): void;
}

export function algorithmOf(automaton: Automaton): AnyAlgorithm {
  const { network, timing } = automaton;
  const isOneWay = network === 'one-way ring';
  const knowsTime = timing === 'synchronous';
  const run = (event: Event, state: Fields, ctx: Loose): void =>
    handle(automaton, event, state, verbsOf(ctx, isOneWay, knowsTime));
  return defineAlgorithm({
    name: 'automaton',
    title: 'Automaton',
    source: 'none',
    cost: 'none',
    assumes: {
      network,
      timing,
      ids: 'unique',
      fifo: true,
      faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
      ...(knowsTime && { knows: ['time'] }),
    },
    trigger: automaton.trigger,
    ...(automaton.startOnMessage && { startOnMessage: true }),
    ...(automaton.hasHorizon && { horizon: () => 100 }),
    params: {},
    state: {
      level: counter(TOP),
      kept: counter(MAX_VALUE),
      drawn: counter(2),
      best: counter(MAX_TERM, { durable: true }),
    },
    messages: {
      a: message(['value', counter(MAX_VALUE)]),
      b: message(['path', counters(MAX_VALUE)]),
      coup: message(['term', counter(MAX_TERM)], ['id', counter(MAX_TERM)]),
      beat: message(),
    },
    laws: [],
    timers: ['bell'],
    onStart: (state: Fields, ctx: Loose) => run({ type: 'start' }, state, ctx),
    onRestart: (state: Fields, ctx: Loose) => run({ type: 'restart' }, state, ctx),
    onTimer: (state: Fields, _timer: string, ctx: Loose) => run({ type: 'bell' }, state, ctx),
    ...(automaton.isTold && {
      onUndelivered: (state: Fields, _port: number, _message: unknown, ctx: Loose) =>
        run({ type: 'back' }, state, ctx),
    }),
    on: {
      a: (state: Fields, _port: number, { value }: { value: number }, ctx: Loose) =>
        run({ type: 'message', message: { type: 'a', value } }, state, ctx),
      b: (state: Fields, _port: number, { path }: { path: readonly number[] }, ctx: Loose) =>
        run({ type: 'message', message: { type: 'b', path: [...path] } }, state, ctx),
      coup: (state: Fields, _port: number, { term, id }: { term: number; id: number }, ctx: Loose) =>
        run({ type: 'message', message: { type: 'coup', term, id } }, state, ctx),
      beat: (state: Fields, _port: number, _message: unknown, ctx: Loose) =>
        run({ type: 'message', message: { type: 'beat' } }, state, ctx),
    },
  } as never) as AnyAlgorithm;
}

function verbsOf(ctx: Loose, isOneWay: boolean, knowsTime: boolean): Verbs {
  const ports = Array.from({ length: ctx.degree }, (_, port) => port);
  return {
    id: ctx.id,
    outward: isOneWay ? [1] : ports,
    now: knowsTime ? ctx.now : 0,
    send(port: number, { type, ...fields }: Message) {
      ctx.send(port, type, ...Object.values(fields));
    },
    forward: (port) => ctx.forward(port),
    random: (sides) => ctx.random(sides),
    setTimer: (units) => ctx.setTimer('bell', units),
    clearTimer: () => ctx.clearTimer('bell'),
    decide({ leader, leads, term }: Decision) {
      ctx.decide(leads ? 'leader' : 'follower', leads ? undefined : leader, term);
    },
  };
}
