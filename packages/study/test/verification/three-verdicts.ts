/**
 * Three verdicts on the same small election: of the full search, of the reduced search, and of random simulations. The
 * two searches must agree, and no simulation may violate a property that the full search has passed.
 */
import { type CheckOptions, type CheckResult, check } from '../../src/checker/index.ts';
import { type AnyAlgorithm, ElectionError, type Setting } from '../../src/kernel/index.ts';
import type { Random } from '../../src/kernel/random.ts';
import { type SimulateOptions, simulate } from '../../src/simulator/index.ts';

/** What both drivers are given. */
export interface SmallElection {
  readonly nodes: number;
  /** Undefined if the nodes are anonymous. */
  readonly ids?: readonly number[] | undefined;
  readonly topology?: CheckOptions['topology'];
  /** Undefined in synchronous rounds, in which all start. */
  readonly initiators?: readonly number[] | undefined;
  readonly set?: Readonly<Record<string, Setting>> | undefined;
  /** The options of the searches alone. */
  readonly search: Pick<CheckOptions, 'starts' | 'crashes' | 'recoveries' | 'losses' | 'fifo' | 'bound'>;
}

export interface Limits {
  readonly states: number;
  readonly simulations: number;
  /** More than the runs of a small election have, except with negligible probability where they end almost surely. */
  readonly events: number;
}

export interface Comparison {
  /** The searches were complete, or found a violation; otherwise they say nothing. */
  readonly isConclusive: boolean;
  readonly isViolated: boolean;
  readonly full: number;
  readonly reduced: number;
  readonly simulations: number;
  /** Simulations that violated a property. */
  readonly failed: number;
}

/** Throws if two verdicts contradict each other. */
export function compareVerdicts(
  algorithm: AnyAlgorithm,
  election: SmallElection,
  { states, simulations, events }: Limits,
  random: Random,
): Comparison {
  const { search, ...common } = election;
  const options: CheckOptions = { ...common, ...search, invariants: 'none', stateLimit: states };
  const full = check(algorithm, { ...options, reduce: 'none' });
  const reduced = check(algorithm, { ...options, reduce: 'auto' });
  const isViolated = full.violations.length > 0;
  const isConclusive = isViolated || full.stopped === null;
  if (isConclusive) expectSameVerdict(full, reduced);
  let failed = 0;
  for (let k = 0; k < simulations; k++) {
    const run = { ...randomRun(algorithm, election, random), stepLimit: events };
    const violated = violationOf(algorithm, run);
    if (violated === null) continue;
    failed++;
    if (isConclusive && !isViolated && full.complete && isClaimed(violated, full))
      throw new Error(`${violated}, although the full search has passed`);
  }
  return { isConclusive, isViolated, full: full.states, reduced: reduced.states, simulations, failed };
}

/** A search of an algorithm that never terminates claims nothing about termination. */
function isClaimed(violated: string, { termination }: CheckResult): boolean {
  return termination !== 'unchecked' || !violated.includes('violated termination');
}

/** Both violate a property, perhaps not the same: the shortest run may be one that the reduced search leaves out. */
export function expectSameVerdict(full: CheckResult, reduced: CheckResult): void {
  const text = ({ complete, states, stopped, terminal, violations }: CheckResult) =>
    `${violations[0]?.property ?? 'passed'} (complete ${complete}, stopped ${stopped}, ${states} states, ${terminal} terminal)`;
  const isSame =
    full.violations.length === reduced.violations.length &&
    full.complete === reduced.complete &&
    (full.violations.length > 0 || full.terminal === reduced.terminal);
  if (!isSame) throw new Error(`the full search: ${text(full)}; the reduced search: ${text(reduced)}`);
}

/** One that the searches cover: bounded delays and rounds in lockstep, other delays at random, and no further faults. */
function randomRun(algorithm: AnyAlgorithm, election: SmallElection, random: Random): SimulateOptions {
  const { nodes, search, initiators, ...common } = election;
  const { timing } = algorithm.assumes;
  const isFifo = search.fifo ?? algorithm.assumes.fifo;
  const schedules = ['lockstep', 'random', isFifo ? 'random' : 'random:nofifo'] as const;
  const isFree = timing === 'asynchronous' && (search.starts ?? 'free') === 'free';
  return {
    ...(common.ids === undefined ? { nodes } : {}),
    ...common,
    initiators: initiators?.map((position) => ({ position, time: isFree ? random.below(6) : 0 })),
    schedule: timing === 'asynchronous' ? schedules[random.below(schedules.length)] : 'lockstep',
    seed: random.below(1_000_000),
    invariants: 'none',
  };
}

/** The violation of a run, with the command that replays the right algorithm in it; null if the election is valid. */
function violationOf(algorithm: AnyAlgorithm, options: SimulateOptions): string | null {
  try {
    const { valid } = simulate(algorithm, options);
    const violated = Object.entries(valid).filter(([, holds]) => !holds);
    return violated.length === 0
      ? null
      : `a simulation violated ${violated[0][0]} ${JSON.stringify(options)}`;
  } catch (error) {
    if (!(error instanceof ElectionError)) throw error;
    return `in a simulation ${error.message} ${JSON.stringify(options)}`;
  }
}
