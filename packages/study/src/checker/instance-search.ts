/** The search of one instance: of its reduced state graph, and of the full one if the verdict needs it. */
import type { CheckOptions } from './check-options.ts';
import type { SavedSearch, Termination } from './checkpoint/checkpoint.ts';
import { type Instance, systemFor } from './network/instances.ts';
import type { NetworkSystem } from './network/network-system.ts';
import { workerPoolFor } from './parallel/search-threads.ts';
import type { FoundViolation } from './search/explorer.ts';
import { hasCycle, judgeTermination } from './search/fairness.ts';
import { FingerprintStore } from './search/fingerprint-store.ts';
import {
  isExhausted,
  type Search,
  type SearchLimits,
  type SearchOptions,
  searchInSlices,
} from './search/search.ts';
import { type Slices, unlessInterrupted } from './search/slices.ts';
import { StateStore } from './search/state-store.ts';

/** The result of one search. */
export interface InstanceOutcome {
  readonly system: NetworkSystem;
  readonly search: Search;
  /** The search used partial-order reduction. */
  readonly reduce: boolean;
  readonly finding: FoundViolation | null;
  readonly termination: Termination;
  /** Interrupted in the search, or in the check of termination after it. */
  readonly isInterrupted: boolean;
  /** The verdict needs no full search: the search is complete, and has no violation and no cycle in question. */
  readonly isConclusive: boolean;
  /** The full search that was stopped before it found a run as short as that of the reduced search, or a shorter one. */
  readonly unfinished: InstanceOutcome | null;
}

/**
 * Searches the reduced graph first. Its violations are real, but a shorter run may exist in the full graph. If termination
 * is checked and the reduced graph has a cycle, the question whether a fair run stays on a cycle is open. In both cases the
 * full graph is searched. Without a termination check the reduced graph is enough; see search/expansion.ts.
 *
 * A search of the full graph that is resumed needs no reduced one: one that found a violation would not have been saved.
 */
export function* searchInstance(
  instance: Instance,
  options: CheckOptions,
  limits: SearchLimits,
  resumed: SavedSearch | null,
  onProgress: SearchOptions['onProgress'],
): Slices<InstanceOutcome> {
  const run = (reduce: boolean): Slices<InstanceOutcome> =>
    searchGraph(instance, options, limits, reduce, resumed?.reduce === reduce ? resumed : null, onProgress);
  const outcome = yield* run(resumed?.reduce ?? options.reduce !== 'none');
  if (!outcome.search.isReduced || isStopped(outcome) || outcome.isConclusive) return outcome;
  const full = yield* run(false);
  if (outcome.finding === null || full.finding !== null) return full;
  return { ...outcome, unfinished: isStopped(full) ? full : null };
}

/** True if a limit or an interrupt stopped the search before there was a verdict. */
export function isStopped({ finding, isInterrupted, search }: InstanceOutcome): boolean {
  return finding === null && (isInterrupted || !isExhausted(search));
}

/** What a search that was stopped needs to continue; null if it cannot. */
export function savedSearch(
  { reduce, search, system }: InstanceOutcome,
  { reductionLimits }: Instance,
): SavedSearch | null {
  const { overflow, position } = search;
  if (overflow !== null || position === null) return null;
  return {
    reduce,
    isTooLarge: reductionLimits.isTooLarge,
    position,
    values: system.numbers.exportAll(),
    states: search.seen.save(),
  };
}

function* searchGraph(
  instance: Instance,
  options: CheckOptions,
  limits: SearchLimits,
  reduce: boolean,
  resumed: SavedSearch | null,
  onProgress: SearchOptions['onProgress'],
): Slices<InstanceOutcome> {
  const { fingerprints, isInterrupted } = options;
  const system = systemFor(instance, options, reduce);
  const seen = fingerprints ? new FingerprintStore(system.width) : new StateStore(system.width, system.order);
  if (resumed !== null) {
    system.numbers.importAll(resumed.values);
    seen.load(resumed.states);
  }
  const pool = seen instanceof StateStore ? workerPoolFor(options, instance, system, seen, reduce) : null;
  const position = resumed?.position ?? null;
  const result = yield* searchInSlices(system, seen, limits, {
    onProgress,
    pool,
    isInterrupted,
    resumed: position,
  });
  const { mustTerminate } = system;
  const { isReduced } = result;
  const isDone = result.finding === null && isExhausted(result);
  // Without a cycle every run ends. Fingerprints cannot distinguish a cycle from a collision.
  const mayCycle = isDone && mustTerminate && result.mayCycle;
  const isCyclic =
    mayCycle &&
    (!seen.exact || !isReduced || (yield* unlessInterrupted(hasCycle(system, result), isInterrupted)));
  const isJudged = isDone && mustTerminate && (!isCyclic || (!isReduced && seen.exact));
  const verdict =
    isJudged && isCyclic
      ? yield* unlessInterrupted(judgeTermination(system, result), isInterrupted)
      : { isSure: true, livelock: -1 };
  const wasInterrupted = result.isInterrupted || isCyclic === null || verdict === null;
  const livelock = verdict?.livelock ?? -1;
  const finding =
    livelock < 0
      ? result.finding
      : { property: 'termination', text: 'a fair schedule never ends', state: livelock, step: null };
  return {
    system,
    search: result,
    reduce,
    finding,
    termination: !isJudged || wasInterrupted ? 'unchecked' : verdict.isSure ? 'sure' : 'almost-sure',
    isInterrupted: wasInterrupted,
    isConclusive: isDone && !isCyclic && !wasInterrupted,
    unfinished: null,
  };
}
