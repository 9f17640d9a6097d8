/**
 * Random automata as data, and their handlers. The handlers are written against a small interface, so that the kernel and the
 * plain explorer of this folder run the same ones.
 *
 * Three styles of decisions. wild: any. terms: a node that rises to a level decides the terms of all levels that it passed, often
 * several in one handler, each with the leader that all agree on, so the property holds if every node reaches the top. coups: a
 * node takes a term of its own that is larger than all it knows, and announces it; survivors of a crash do it again, so the
 * property holds despite crashes. Some have a deviation, and most of those violate a property.
 */
import type { TimingModel } from '../../../src/kernel/index.ts';
import type { Random } from '../../../src/kernel/random.ts';

export const TOP = 3;
export const MAX_VALUE = 2;
/** Terms of coups are CENTURY · epoch + id. */
export const CENTURY = 10;

export interface Decision {
  readonly leads: boolean;
  readonly leader: number;
  readonly term: number;
}

export interface Rule {
  readonly rise: number;
  readonly sends: readonly { readonly port: number; readonly type: 'a' | 'b'; readonly value: number }[];
  readonly forwards: boolean;
  readonly draws: boolean;
  /** Units, 0 for no change, −1 to stop the timer. */
  readonly timer: number;
  readonly decides: readonly Decision[];
}

type ByLevel = readonly Rule[];

export interface Automaton {
  readonly network: 'one-way ring' | 'ring' | 'complete';
  readonly timing: TimingModel;
  readonly style: 'wild' | 'terms' | 'coups';
  readonly ids: readonly number[];
  readonly start: Rule;
  readonly restart: Rule;
  readonly a: ByLevel;
  readonly b: ByLevel;
  readonly bell: ByLevel;
  readonly back: ByLevel;
  /** The bell of each node rings until it is at the top. */
  readonly drives: boolean;
  readonly startOnMessage: boolean;
  readonly trigger: 'start' | 'coordinator missed';
  /** Senders are notified of messages to crashed nodes. */
  readonly isTold: boolean;
  /** The leader of each level, in the style of terms. */
  readonly leaders: readonly number[];
  /** The levels whose terms are decided; the top always is. */
  readonly decided: readonly boolean[];
  /** This id leads this term too. */
  readonly deviation: { readonly id: number; readonly term: number } | null;
  /** A beat circulates, forever or until this round of a synchronous network; null if there is none. */
  readonly beat: { readonly until: number | null } | null;
  readonly hasHorizon: boolean;
}

/** A round after which 16 bits are not enough. */
const WRAP = 65_536;

/** `isLate`: a synchronous automaton that acts in about round 65,536. */
export function drawAutomaton(random: Random, isLate: boolean): Automaton {
  const chance = (percent: number): boolean => random.below(100) < percent;
  const pick = <T>(...all: readonly T[]): T => all[random.below(all.length)];
  const timing = isLate
    ? 'synchronous'
    : pick<TimingModel>('asynchronous', 'asynchronous', 'bounded-delay', 'bounded-delay', 'synchronous');
  const style = isLate
    ? pick('terms', 'terms', 'wild')
    : pick('terms', 'terms', 'terms', 'terms', 'coups', 'coups', 'coups', 'coups', 'wild');
  const n = isLate ? 2 : pick(2, 2, 3, 3);
  const ids = Array.from({ length: n }, (_, at) => at + 1);
  for (let at = n - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [ids[at], ids[other]] = [ids[other], ids[at]];
  }
  const isQuiet = isLate || chance(n === 3 ? 70 : 45);
  const decision = (): Decision => ({ leads: chance(40), leader: pick(...ids), term: random.below(3) });
  const rule = (): Rule => ({
    rise: random.below(3),
    sends: isQuiet
      ? []
      : Array.from({ length: pick(0, 0, 0, 1, 1, 2) }, () => ({
          port: random.below(3),
          type: pick('a' as const, 'b' as const),
          value: random.below(MAX_VALUE + 1),
        })),
    forwards: !isQuiet && chance(20),
    draws: !isLate && chance(15),
    // An asynchronous search need not tell lengths of running timers apart.
    timer: isQuiet ? 0 : timing === 'asynchronous' ? pick(0, 0, 1, -1) : pick(0, 0, 1, 2, 3, -1),
    decides: chance(50) ? [] : Array.from({ length: pick(1, 1, 2, 2, 3) }, decision),
  });
  const byLevel = (): Rule[] => Array.from({ length: TOP }, rule);
  const beats = isLate || chance(style === 'coups' ? 5 : 12);
  const until = isLate ? WRAP - 6 + random.below(12) : timing === 'synchronous' ? random.below(6) : null;
  return {
    network: isLate
      ? 'one-way ring'
      : style === 'coups'
        ? 'complete'
        : pick('one-way ring', 'ring', 'complete'),
    timing,
    style,
    ids,
    start: rule(),
    restart: rule(),
    a: byLevel(),
    b: byLevel(),
    bell: byLevel(),
    back: byLevel(),
    drives: !isLate && style === 'terms' && chance(80),
    startOnMessage: timing === 'asynchronous' && style !== 'coups' && chance(25),
    trigger: style === 'coups' && timing !== 'synchronous' ? 'coordinator missed' : 'start',
    isTold: timing !== 'synchronous' && chance(35),
    leaders: Array.from({ length: TOP + 1 }, () => pick(...ids)),
    decided: Array.from({ length: TOP + 1 }, () => chance(60)),
    deviation: chance(15) ? { id: pick(...ids), term: 1 + random.below(TOP) } : null,
    beat: beats ? { until } : null,
    hasHorizon: beats && chance(until === null ? 60 : 40),
  };
}

/** The fields of a node. Only `best` survives a crash. */
export interface Fields {
  level: number;
  kept: number;
  drawn: number;
  best: number;
}

export type Message =
  | { readonly type: 'a'; readonly value: number }
  | { readonly type: 'b'; readonly path: readonly number[] }
  | { readonly type: 'coup'; readonly term: number; readonly id: number }
  | { readonly type: 'beat' };

/** What a handler may do, here and in the kernel. */
export interface Verbs {
  readonly id: number;
  /** The ports on which the node may send. */
  readonly outward: readonly number[];
  readonly now: number;
  send(port: number, message: Message): void;
  forward(port: number): void;
  random(sides: number): number;
  setTimer(units: number): void;
  clearTimer(): void;
  decide(decision: Decision): void;
}

export type Event =
  | { readonly type: 'start' | 'restart' | 'bell' | 'back' }
  | { readonly type: 'message'; readonly message: Message };

/** One handler of an automaton. */
export function handle(automaton: Automaton, event: Event, state: Fields, verbs: Verbs): void {
  const { style } = automaton;
  if (event.type === 'start' || event.type === 'restart') {
    if (style === 'coups') claim(automaton, state, verbs);
    if (automaton.drives) verbs.setTimer(1);
    // One beat is enough.
    if (event.type === 'start' && automaton.beat !== null && verbs.id === 1)
      verbs.send(onward(verbs), { type: 'beat' });
    act(automaton, event.type === 'start' ? automaton.start : automaton.restart, state, verbs, false);
  } else if (event.type === 'message') receive(automaton, event.message, state, verbs);
  else if (state.level < TOP) {
    const rule = event.type === 'bell' ? automaton.bell[state.level] : automaton.back[state.level];
    const driven = event.type === 'bell' && automaton.drives;
    act(
      automaton,
      driven ? { ...rule, rise: Math.max(1, rule.rise), draws: false } : rule,
      state,
      verbs,
      false,
    );
    if (driven && state.level < TOP) verbs.setTimer(1);
  }
}

function receive(automaton: Automaton, message: Message, state: Fields, verbs: Verbs): void {
  if (message.type === 'coup') {
    if (message.term <= state.best) return;
    state.best = message.term;
    verbs.decide({ leads: false, leader: message.id, term: message.term });
    return;
  }
  if (message.type === 'beat') {
    beat(automaton, state, verbs);
    return;
  }
  if (message.type === 'a') state.kept = message.value;
  else state.kept = Math.min(MAX_VALUE, message.path.length);
  if (state.level < TOP) act(automaton, automaton[message.type][state.level], state, verbs, true);
}

/** After its last round the beat takes each node to the top, and ends where it has been. */
function beat(automaton: Automaton, state: Fields, verbs: Verbs): void {
  const until = automaton.beat?.until ?? null;
  const isOver = until !== null && verbs.now >= until;
  if (isOver && state.level === TOP) return;
  if (isOver) rise(automaton, TOP - state.level, state, verbs);
  verbs.send(onward(verbs), { type: 'beat' });
}

/** The node leads a term that no other node takes, unless it deviates. */
function claim({ deviation }: Automaton, state: Fields, verbs: Verbs): void {
  const own = deviation?.id === verbs.id ? 0 : verbs.id;
  state.best = CENTURY * (Math.floor(state.best / CENTURY) + 1) + own;
  verbs.decide({ leads: true, leader: verbs.id, term: state.best });
  const announced: Message = { type: 'coup', term: state.best, id: verbs.id };
  for (const port of verbs.outward) verbs.send(port, announced);
}

function act(automaton: Automaton, rule: Rule, state: Fields, verbs: Verbs, isReceiving: boolean): void {
  if (rule.draws) {
    state.drawn = verbs.random(2);
    if (state.drawn === 1) return;
  }
  // Sending and setting a timer raise the level, so that there is an end to it.
  const isBusy = rule.sends.length > 0 || rule.timer > 0 || (isReceiving && rule.forwards);
  rise(automaton, Math.max(rule.rise, isBusy ? 1 : 0), state, verbs);
  for (const { port, type, value } of rule.sends) {
    const to = verbs.outward[port % verbs.outward.length];
    if (type === 'a') verbs.send(to, { type, value });
    else verbs.send(to, { type, path: Array.from({ length: value }, () => state.kept) });
  }
  if (isReceiving && rule.forwards) verbs.forward(onward(verbs));
  if (rule.timer > 0) verbs.setTimer(rule.timer);
  if (rule.timer < 0 && !automaton.drives) verbs.clearTimer();
  if (automaton.style === 'wild') for (const one of rule.decides) decide(one, verbs);
}

function rise(automaton: Automaton, levels: number, state: Fields, verbs: Verbs): void {
  const { decided, deviation, leaders, style } = automaton;
  const before = state.level;
  state.level = Math.min(TOP, before + levels);
  if (style !== 'terms') return;
  for (let term = before + 1; term <= state.level; term++) {
    if (deviation?.id === verbs.id && deviation.term === term)
      decide({ leads: true, leader: verbs.id, term }, verbs);
    else if (decided[term] || term === TOP)
      decide({ leads: leaders[term] === verbs.id, leader: leaders[term], term }, verbs);
  }
}

function decide(decision: Decision, verbs: Verbs): void {
  verbs.decide(decision.leads ? { ...decision, leader: verbs.id } : decision);
}

function onward({ outward }: Verbs): number {
  return outward[outward.length - 1];
}
