/**
 * Every schedule of an election: not that no test failed, but that no run exists in which it fails.
 *
 * Guarantees, where the result says `complete`: in no run have two nodes led one term, and no decision has changed
 * within one; the algorithm's own invariants hold in every reachable state; every run that ends does so with one
 * leader, known to all live nodes; every run does end, under weak fairness, or, where nodes draw lots, can still end
 * whatever was drawn before. Of an algorithm that never rests, by its own word (`watchedFor`), no end is asked. Where it
 * says `exact` too, no two states were taken for one.
 * Does not speak of larger networks, of other ids unless all orders are asked for, or of faults beyond those allowed.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { checkNetwork, refuseAnonymous } from '../kernel/network/network-fit.ts';
import { resolveSetup, type Setup } from '../kernel/setup.ts';
import { type Starts, startsOf } from '../kernel/world/starts.ts';
import { chosenInvariants } from '../properties/invariants.ts';
import { type CheckOptions, DEFAULT_CHECK_NODES, invariantChoice } from './check-options.ts';
import { costSearches, type ExtremeRun } from './cost/extreme-run.ts';
import { checkLimits, instancesOf, systemFor } from './network/instances.ts';
import type { NetworkSystem } from './network/network-system.ts';
import { describeRun } from './search/counterexample.ts';
import { hasCycle, livelockState } from './search/fairness.ts';
import { FingerprintStore } from './search/fingerprint-store.ts';
import { type FoundViolation, type Search, type SearchLimits, search } from './search/search.ts';
import { type SeenStates, StateStore } from './search/state-store.ts';
import type { System } from './search/system.ts';

/** A violated property, with a shortest run that leads to it. */
export interface CheckViolation {
  readonly property: string;
  readonly text: string;
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  /** Positions that are dead from the beginning. */
  readonly dead: readonly number[];
  readonly starts: Starts;
  readonly fifo: boolean;
  /** A shortest run that leads to it, and of those one with the fewest switches between nodes. */
  readonly steps: readonly string[];
}

/** The result of model checking. */
export interface CheckResult {
  readonly version: 1;
  readonly algorithm: string;
  readonly n: number;
  /** Summed over all orders and sets of initiators. */
  readonly states: number;
  readonly transitions: number;
  readonly terminal: number;
  /** States were kept and compared whole. */
  readonly exact: boolean;
  /** Nothing was left out. */
  readonly complete: boolean;
  /** States that were found and not gone on from, because of a bound or a limit. */
  readonly cut: number;
  /** Steps were left out for which others stand, or orders that are turned into one another. */
  readonly reduced: boolean;
  /** How many orders and sets of initiators there are, and how many of them were searched to their end. */
  readonly instances: { readonly searched: number; readonly all: number };
  /** Why the search gave up, if it did. */
  readonly stopped: 'states' | 'memory' | 'numbers' | null;
  /** The invariants of the algorithm that were checked, by name. */
  readonly invariants: readonly string[];
  /** Whether runs end was looked into: only a search to its end can, an exact one where runs may go round. */
  readonly liveness: boolean;
  readonly violations: readonly CheckViolation[];
  /** There if asked for: the run that costs most, or least. Null where the search did not come to its end. */
  readonly worst?: ExtremeRun | null;
  readonly best?: ExtremeRun | null;
}

/** The result of one search. */
interface Outcome {
  readonly system: NetworkSystem;
  readonly search: Search;
  readonly finding: FoundViolation | null;
  readonly reduced: boolean;
  /** Whether runs end is known. */
  readonly liveness: boolean;
  /** A reduced search saw all there is to see: it finished, found nothing and has no cycle in which steps may wait. */
  readonly decides: boolean;
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
  let reduced = rotated;
  let liveness = true;
  let searched = 0;
  let stopped: CheckResult['stopped'] = null;
  for (const instance of instances()) {
    const { ids, initiators, dead } = instance;
    const left = { states: limits.states - sums.states, bytes: limits.bytes };
    const makeSystem = (reduce: boolean): NetworkSystem => systemFor(instance, options, reduce);
    const outcome = searchOne(makeSystem, options, left, (seen, done) =>
      options.onProgress?.(sums.states + seen.count, seen.count - done, seen.bytes),
    );
    const { search: result, finding } = outcome;
    const { count, bytes } = result.seen;
    sums.states += count;
    sums.transitions += result.transitions;
    sums.terminal += result.terminal;
    sums.cut += result.beyondBound + (finding === null ? count - result.searched : 0);
    reduced ||= outcome.reduced;
    liveness &&= outcome.liveness;
    if (result.finding === null && result.searched === count) {
      for (const cost of costs) cost.add(instance, outcome.system, result, left);
    }
    if (finding !== null) {
      const steps = describeRun(outcome.system, result, finding);
      const { property, text } = finding;
      const starts = options.starts ?? startsOf(algorithm);
      const fifo = options.fifo ?? algorithm.assumes.fifo;
      violations.push({ property, text, ids, initiators, dead, starts, fifo, steps });
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
    complete: searched === all && sums.cut === 0 && (liveness || algorithm.horizon !== undefined),
    reduced,
    instances: { searched, all },
    stopped,
    invariants: [...node, ...network].map(([name]) => name),
    liveness,
    violations,
    ...Object.fromEntries(costs.map(({ extreme, run }) => [extreme, run])),
  };
}

/**
 * Reduced first, where that may be. What it finds is real, but another run may be shorter. Where the reduced graph has a
 * cycle, a step may wait for ever in it, so that neither ends nor what that step violates are known: then the full
 * search decides. See asynchronous-system.ts.
 */
function searchOne(
  makeSystem: (reduce: boolean) => NetworkSystem,
  { fingerprints, reduce }: CheckOptions,
  limits: SearchLimits,
  onProgress: (seen: SeenStates, searched: number) => void,
): Outcome {
  const run = (system: NetworkSystem): Outcome => {
    const seen = fingerprints ? new FingerprintStore(system.width) : new StateStore(system.width);
    const result = search(system, seen, limits, onProgress);
    const { mustTerminate, isReduced } = system;
    const isDone = result.finding === null && result.searched === seen.count;
    // Without cycles every run ends. Fingerprints do not tell a cycle from states that look alike.
    const isCyclic = isDone && result.mayCycle && (!seen.exact || !isReduced || hasCycle(system, result));
    const endless =
      isCyclic && !isReduced && mustTerminate && seen.exact ? findEndless(system, result) : null;
    return {
      system,
      search: result,
      finding: result.finding ?? endless,
      reduced: isReduced,
      liveness: isDone && mustTerminate && (!isCyclic || (!isReduced && seen.exact)),
      decides: isDone && !isCyclic,
    };
  };
  const first = makeSystem(reduce !== 'none');
  const outcome = run(first);
  const { finding, decides, search: result } = outcome;
  const isStopped = finding === null && result.searched < result.seen.count;
  if (!first.isReduced || isStopped || decides) return outcome;
  const full = run(makeSystem(false));
  return finding !== null && full.finding === null ? outcome : full;
}

/** A run that never ends, or a state from which no run ends. */
function findEndless(system: System, result: Search): FoundViolation | null {
  const state = livelockState(system, result);
  if (state < 0) return null;
  const text = system.draws ? 'from here no run ends' : 'a fair run goes on for ever';
  return { property: 'termination', text, state, step: null };
}
