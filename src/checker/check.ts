/**
 * Model checking of an election: explores the whole state space over all schedules.
 *
 * Guarantees, if the result is `complete`: in no run do two nodes lead the same term, and no decision changes within a term;
 * the checked invariants hold; every terminal state has one leader that all live nodes agree on (no deadlock); every run
 * terminates under weak fairness (no livelock), surely or, with random draws, with probability 1; `termination` says which.
 * Termination of an algorithm that declares a `horizon` is not checked. If the result is also `exact`, no two states were
 * confused.
 * Does not cover larger networks, other orders of ids unless all are searched, or more faults than allowed.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { checkNetwork, refuseAnonymous } from '../kernel/network/network-fit.ts';
import { resolveSetup, type Setup } from '../kernel/setup.ts';
import { FAILURE_DETECTION } from '../kernel/world/failure-detector.ts';
import { chosenInvariants } from '../properties/invariants.ts';
import { type CheckOptions, DEFAULT_CHECK_NODES, invariantChoice } from './check-options.ts';
import { costSearches, type ExtremeRun } from './cost/extreme-run.ts';
import { checkLimits, type FoundRun, foundRun, instancesOf, systemFor } from './network/instances.ts';
import type { NetworkSystem } from './network/network-system.ts';
import type { Crew } from './parallel/crew.ts';
import { crewFor } from './parallel/search-threads.ts';
import { describeRun } from './search/counterexample.ts';
import type { FoundViolation } from './search/explorer.ts';
import { hasCycle, judgeTermination } from './search/fairness.ts';
import { FingerprintStore } from './search/fingerprint-store.ts';
import { type Search, type SearchLimits, search } from './search/search.ts';
import { expectedStates } from './search/size-estimate.ts';
import { type SeenStates, StateStore } from './search/state-store.ts';
import type { Violation } from './search/system.ts';

/** A violated property, with a shortest run that leads to it, and among these one with the fewest context switches. */
export interface CheckViolation extends Violation, FoundRun {}

/**
 * What a reduction left out. partial-order: steps that are explored in another order; symmetry: orders of the ids that are
 * rotations of others.
 */
export type Reduction = 'partial-order' | 'symmetry';

/** The result of model checking. */
export interface CheckResult {
  readonly version: 1;
  readonly algorithm: string;
  readonly n: number;
  /** Summed over all instances: orders of ids and sets of initiators. */
  readonly states: number;
  readonly transitions: number;
  readonly terminal: number;
  /** States were compared completely, not by fingerprints. */
  readonly exact: boolean;
  /** The whole state space was explored, and termination was checked or is not required. */
  readonly complete: boolean;
  /** States that were not expanded, because of a bound or a limit. */
  readonly cut: number;
  /** The reductions that left something out. Empty: every instance was searched, and every state fully expanded. */
  readonly reductions: readonly Reduction[];
  /** The number of instances, and of those that were searched completely. */
  readonly instances: { readonly searched: number; readonly all: number };
  /** The limit that stopped the search, or null. */
  readonly stopped: 'states' | 'memory' | 'numbers' | null;
  /** The invariants of the algorithm that were checked, by name. */
  readonly invariants: readonly string[];
  readonly termination: Termination;
  /** What was assumed about the detection of crashes; null if the algorithm has no failure detector. */
  readonly failureDetection: string | null;
  readonly violations: readonly CheckViolation[];
  /** Present with the options of the same name; null if no search was complete. */
  readonly worst?: ExtremeRun | null;
  readonly best?: ExtremeRun | null;
}

/**
 * What was found about termination within the explored states. sure: every weakly fair run terminates; almost-sure: not
 * every one does, but under every weakly fair scheduler runs terminate with probability 1; with a bound, a run may also
 * exceed it. unchecked: the algorithm is declared non-terminating, or the search stopped at a limit, or states were not exact
 * although the graph may have cycles.
 */
export type Termination = 'sure' | 'almost-sure' | 'violated' | 'unchecked';

/** The result of one search. */
interface Outcome {
  readonly system: NetworkSystem;
  readonly search: Search;
  readonly finding: FoundViolation | null;
  readonly termination: Termination;
  /** The verdict needs no full search: the search is complete, and has no violation and no cycle in question. */
  readonly isConclusive: boolean;
}

/** Explores every schedule of an election on a small network. */
export function check(algorithm: AnyAlgorithm, options: CheckOptions = {}): CheckResult {
  return checkSetup(resolveSetup(algorithm, options, DEFAULT_CHECK_NODES), options);
}

/** As check(), for a caller that has resolved the setup of these options. */
export function checkSetup(given: Setup, options: CheckOptions): CheckResult {
  const { algorithm } = given;
  if (given.anonymous) refuseAnonymous(algorithm);
  checkNetwork(algorithm, given.topology);
  const limits = checkLimits(options);
  const costs = costSearches(options);
  const { node, network } = chosenInvariants(algorithm, invariantChoice(algorithm, options));
  const { all, instances, rotated } = instancesOf(given, options);
  const sums = { states: 0, transitions: 0, terminal: 0, cut: 0 };
  const violations: CheckViolation[] = [];
  let isReduced = false;
  let termination: Termination = 'sure';
  let searched = 0;
  let stopped: CheckResult['stopped'] = null;
  for (const instance of instances()) {
    const left = { states: limits.states - sums.states, bytes: limits.bytes };
    const makeSystem = (reduce: boolean): NetworkSystem => systemFor(instance, options, reduce);
    const makeCrew = (system: NetworkSystem, seen: StateStore, reduce: boolean): Crew | null =>
      crewFor(options.threads, instance, system, seen, reduce);
    const outcome = searchOne(makeSystem, makeCrew, options, left, (seen, done, levels) =>
      options.onProgress?.(
        sums.states + seen.count,
        seen.count - done,
        seen.bytes,
        all === 1 ? expectedStates(levels) : null,
      ),
    );
    const { search: result, finding } = outcome;
    const { count, bytes } = result.seen;
    sums.states += count;
    sums.transitions += result.transitions;
    sums.terminal += result.terminal;
    sums.cut += result.beyondBound + (finding === null ? count - result.searched : 0);
    isReduced ||= result.isReduced;
    termination = weaker(termination, outcome.termination);
    if (result.finding === null && result.searched === count) {
      for (const cost of costs) cost.add(instance, outcome.system, result, left);
    }
    if (finding !== null) {
      const steps = describeRun(outcome.system, result, finding);
      const { property, text } = finding;
      if (property === 'termination') termination = 'violated';
      violations.push({ property, text, ...foundRun(instance, options, steps) });
      break;
    }
    if (result.searched < count) {
      stopped = result.overflow !== null ? 'numbers' : bytes > limits.bytes ? 'memory' : 'states';
      break;
    }
    searched++;
  }
  return {
    version: 1,
    algorithm: algorithm.name,
    n: given.nodes,
    ...sums,
    exact: options.fingerprints !== true,
    complete:
      searched === all && sums.cut === 0 && (termination !== 'unchecked' || algorithm.horizon !== undefined),
    reductions: [
      ...(isReduced ? (['partial-order'] as const) : []),
      ...(rotated ? (['symmetry'] as const) : []),
    ],
    instances: { searched, all },
    stopped,
    invariants: [...node, ...network].map(([name]) => name),
    termination,
    failureDetection: (algorithm.trigger ?? 'start') === 'start' ? null : FAILURE_DETECTION,
    violations,
    ...Object.fromEntries(costs.map(({ extreme, run }) => [extreme, run])),
  };
}

/**
 * Searches the reduced graph first. Its violations are real, but a shorter run may exist in the full graph. If termination
 * is checked and the reduced graph has a cycle, the question whether a fair run stays on a cycle is open. In both cases the
 * full graph is searched. Without a termination check the reduced graph is enough; see search/expansion.ts.
 */
function searchOne(
  makeSystem: (reduce: boolean) => NetworkSystem,
  makeCrew: (system: NetworkSystem, seen: StateStore, reduce: boolean) => Crew | null,
  { fingerprints, reduce }: CheckOptions,
  limits: SearchLimits,
  onProgress: (seen: SeenStates, searched: number, levels: readonly number[]) => void,
): Outcome {
  const run = (reduced: boolean): Outcome => {
    const system = makeSystem(reduced);
    const seen = fingerprints
      ? new FingerprintStore(system.width)
      : new StateStore(system.width, system.order);
    const crew = seen instanceof StateStore ? makeCrew(system, seen, reduced) : null;
    const result = search(system, seen, limits, { onProgress, crew });
    const { mustTerminate } = system;
    const { isReduced } = result;
    const isDone = result.finding === null && result.searched === seen.count;
    // Without a cycle every run ends. Fingerprints cannot distinguish a cycle from a collision.
    const isCyclic =
      isDone && mustTerminate && result.mayCycle && (!seen.exact || !isReduced || hasCycle(system, result));
    const isJudged = isDone && mustTerminate && (!isCyclic || (!isReduced && seen.exact));
    const { isSure, livelock } =
      isJudged && isCyclic ? judgeTermination(system, result) : { isSure: true, livelock: -1 };
    const finding =
      livelock < 0
        ? result.finding
        : { property: 'termination', text: 'a fair schedule never ends', state: livelock, step: null };
    return {
      system,
      search: result,
      finding,
      termination: isJudged ? (isSure ? 'sure' : 'almost-sure') : 'unchecked',
      isConclusive: isDone && !isCyclic,
    };
  };
  const outcome = run(reduce !== 'none');
  const { finding, isConclusive, search: result } = outcome;
  const isStopped = finding === null && result.searched < result.seen.count;
  if (!result.isReduced || isStopped || isConclusive) return outcome;
  const full = run(false);
  return finding !== null && full.finding === null ? outcome : full;
}

/** What holds of two instances together. */
function weaker(one: Termination, other: Termination): Termination {
  return ORDER.findLast((each) => each === one || each === other) as Termination;
}

const ORDER: readonly Termination[] = ['sure', 'almost-sure', 'unchecked', 'violated'];
