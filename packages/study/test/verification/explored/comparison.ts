/**
 * The search of a random automaton, compared with the plain exploration: states, transitions, terminal states, depth, verdict and
 * length of the counterexample; full, reduced, with fingerprints, and with several threads.
 */
import {
  type CheckOptions,
  type CheckResult,
  check,
  type SearchThreads,
} from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { Random } from '../../../src/kernel/random.ts';
import { algorithmOf } from './algorithm-of.ts';
import { type Automaton, drawAutomaton } from './automaton.ts';
import { type Exploration, explore } from './plain-explorer.ts';
import { PlainNetwork, type PlainOptions } from './plain-network.ts';

export interface Drawn {
  readonly automaton: Automaton;
  readonly options: PlainOptions;
}

/** One of so many acts in about round 65,536. */
const LATE_EVERY = 500;

/** The automaton of a seed: the same in every process. */
export function drawn(seed: number): Drawn {
  return drawnOf(seed, seed % LATE_EVERY === 0);
}

/** The automaton of a seed, of the one kind or the other. */
export function drawnOf(seed: number, isLate: boolean): Drawn {
  const random = new Random(seed, 'explored');
  const automaton = drawAutomaton(random, isLate);
  const { ids, style, timing } = automaton;
  const pick = <T>(...all: readonly T[]): T => all[random.below(all.length)];
  const all = [...ids.keys()];
  const isWhole = timing === 'synchronous' || style !== 'wild' || random.below(2) === 0;
  const crashes = isLate ? 0 : style === 'coups' ? pick(0, 1, 1) : pick(0, 0, 0, 0, 0, 1);
  // Notices of a synchronous network cannot be combined with crashes, nor a clock with recoveries.
  const recoveries = crashes === 0 || timing === 'synchronous' ? 0 : pick(0, 0, 1);
  return {
    automaton,
    options: {
      initiators: isWhole
        ? all
        : pick([0], [0, ids.length - 1]).filter((at, index, list) => list.indexOf(at) === index),
      starts:
        timing === 'synchronous'
          ? 'together'
          : timing === 'bounded-delay'
            ? pick('together', 'together', 'free')
            : pick('free', 'first', 'together'),
      fifo: timing === 'synchronous' || pick(true, true, false),
      crashes,
      recoveries,
      losses: isLate ? 0 : pick(0, 0, 0, 0, 0, 0, 0, 1),
      delay: timing === 'bounded-delay' ? pick(1, 1, 2) : 1,
      suspect: timing === 'bounded-delay' && random.below(8) === 0,
    },
  };
}

/** The options of check() for a drawn automaton. */
export function checkOptionsOf({ automaton, options }: Drawn, limit: number): CheckOptions {
  const { crashes, delay, fifo, initiators, losses, recoveries, starts, suspect } = options;
  const isTimed = automaton.timing === 'bounded-delay';
  return {
    ids: automaton.ids,
    ...(automaton.network === 'complete' && { topology: 'complete' }),
    ...(automaton.timing !== 'synchronous' && { initiators }),
    starts,
    fifo,
    crashes,
    recoveries,
    losses,
    ...(isTimed && { delay, suspect, despite: ['timing'] }),
    invariants: 'none',
    stateLimit: limit,
  };
}

export interface Compared {
  readonly plain: Exploration;
  /** Partial-order reduction left something out. */
  readonly isReduced: boolean;
}

/** Gives threads of an automaton. */
export type ThreadsOf = (automaton: Automaton) => SearchThreads;

export interface Means {
  /** An automaton with more states is left out. */
  readonly limit: number;
  /** Only the full search is compared. */
  readonly isQuick?: boolean;
  /** Null for one thread alone. */
  readonly threadsOf?: ThreadsOf | null;
  /** The algorithm of the automaton, or one with a planted fault. */
  readonly algorithmOf?: (automaton: Automaton) => AnyAlgorithm;
}

/** Null if the automaton has more states than the limit. Throws if two searches differ. */
export function compare({ automaton, options }: Drawn, means: Means): Compared | null {
  const { isQuick = false, limit, threadsOf = null } = means;
  const plain = explore(new PlainNetwork(automaton, options), !automaton.hasHorizon, limit);
  if (plain === null) return null;
  const algorithm = (means.algorithmOf ?? algorithmOf)(automaton);
  const chosen = checkOptionsOf({ automaton, options }, limit);
  const search = (more: CheckOptions): CheckResult => check(algorithm, { ...chosen, ...more });
  const full = search({ reduce: 'none' });
  expectSameCounts('the full search', plain, full, automaton.hasHorizon);
  if (isQuick) return { plain, isReduced: false };
  // It may pass many states before it meets a violation, which a search without reduction would have met early.
  const reducing: CheckOptions = { reduce: 'auto', stateLimit: 100 * limit };
  const reduced = search(reducing);
  const fingerprints = search({ reduce: 'none', fingerprints: true });
  expectSameVerdict('the reduced search', plain, reduced);
  if (plain.violated === null) {
    expectSameCounts(
      'the search with fingerprints',
      plain,
      { ...fingerprints, complete: full.complete, termination: full.termination },
      automaton.hasHorizon,
    );
    if (reduced.terminal !== plain.terminal)
      differ('the reduced search', 'terminal states', reduced.terminal, plain.terminal);
  } else if (fingerprints.violations.length > 0)
    expectSameVerdict('the search with fingerprints', plain, fingerprints);
  else if (!full.violations[0].text.includes('never ends') || fingerprints.complete) {
    differ('the search with fingerprints', 'verdict', 'complete', plain.violated.properties.join());
  }
  for (const alone of threadsOf === null ? [] : [full, reduced]) {
    const threads = threadsOf?.(automaton);
    const together = search({ ...(alone === full ? { reduce: 'none' } : reducing), threads });
    const [one, other] = [JSON.stringify(alone), JSON.stringify(together)];
    if (one !== other) differ('the search with threads', 'result', other, one);
  }
  return { plain, isReduced: reduced.reductions.length > 0 || reduced.states < full.states };
}

function expectSameCounts(what: string, plain: Exploration, result: CheckResult, hasHorizon: boolean): void {
  expectSameVerdict(what, plain, result);
  if (plain.violated !== null) return;
  for (const name of ['states', 'transitions', 'terminal', 'depth'] as const) {
    if (result[name] !== plain[name]) differ(what, name, result[name], plain[name]);
  }
  if (!result.complete) differ(what, 'completeness', String(result.complete), 'true');
  if ((result.termination === 'unchecked') !== hasHorizon && result.termination !== 'sure')
    differ(what, 'termination', result.termination, hasHorizon ? 'unchecked' : 'checked');
}

function expectSameVerdict(
  what: string,
  { violated }: Exploration,
  { stopped, violations }: CheckResult,
): void {
  const [found] = violations;
  const verdict = found === undefined ? 'none' : `${found.property} after ${found.steps.length} steps`;
  const expected =
    violated === null ? 'none' : `${violated.properties.join(' or ')} after ${violated.steps} steps`;
  const isSame =
    violated === null
      ? found === undefined
      : found !== undefined &&
        violated.properties.includes(found.property) &&
        found.steps.length === violated.steps;
  if (!isSame) differ(what, `violation (stopped: ${stopped})`, verdict, expected);
}

function differ(what: string, name: string, value: string | number, expected: string | number): never {
  throw new Error(`${what} has another ${name}: ${value}; the plain exploration: ${expected}`);
}
