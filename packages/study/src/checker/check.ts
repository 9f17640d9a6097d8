/**
 * Model checking of an election: explores the whole state space over all schedules.
 *
 * Guarantees, if the result is `complete`: in no run do two nodes lead the same term, and no decision changes within a term;
 * the checked invariants hold; every terminal state has one leader that all live nodes agree on (no deadlock); every run
 * terminates under weak fairness (no livelock), surely or, with random draws, with probability 1; `termination` says which.
 * For an algorithm that declares a `horizon`, deadlocks are checked, but not livelocks. If the result is also `exact`, no two
 * states were confused.
 * Does not cover larger networks, other orders of ids unless all are searched, or more faults than allowed.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { OutcomesError } from '../kernel/errors.ts';
import { checkNetwork, refuseAnonymous } from '../kernel/network/network-fit.ts';
import type { Setup } from '../kernel/setup.ts';
import { FAILURE_DETECTION } from '../kernel/world/failure-detector.ts';
import { chosenInvariants } from '../properties/invariants.ts';
import { type CheckOptions, invariantChoice } from './check-options.ts';
import { type CheckPlan, type NamedPreset, planCheck } from './check-plan.ts';
import { factsOf, refuseCosts, refuseOther } from './checkpoint/check-facts.ts';
import type { InstanceTally, Termination } from './checkpoint/checkpoint.ts';
import { costSearches, type ExtremeRun } from './cost/extreme-run.ts';
import { type InstanceOutcome, isStopped, savedSearch, searchInstance } from './instance-search.ts';
import { checkLimits, type FoundRun, foundRun, instancesOf } from './network/instances.ts';
import { describeRun } from './search/counterexample.ts';
import { isExhausted, type Search, type SearchLimits, STATES_IN_SLICE } from './search/search.ts';
import { expectedStates } from './search/size-estimate.ts';
import { runSlices, type Slices, unlessInterrupted } from './search/slices.ts';
import type { System, Violation } from './search/system.ts';

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
  /** The values of all parameters of the algorithm. */
  readonly params: Setup['params'];
  /** The search of the algorithm that was taken; null without one. */
  readonly preset: NamedPreset | null;
  /** Parameters at their least value: an asynchronous search does not tell lengths of timers apart. */
  readonly leastParams: readonly string[];
  readonly n: number;
  /** Summed over all instances: orders of ids and sets of initiators. */
  readonly states: number;
  readonly transitions: number;
  readonly terminal: number;
  /** The largest distance of a state from the initial states, in steps, over all instances. */
  readonly depth: number;
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
  /**
   * If the check was stopped: the largest number of steps of which every run was explored, in the instance where it stopped; null
   * if not even all initial states were met.
   */
  readonly completeDepth: number | null;
  /**
   * The limit that stopped the check, or an interrupt; or null. numbers: of states of a node, messages or contents of a link;
   * draws: of outcomes of one step. With a violation: a shorter run to it may exist.
   */
  readonly stopped: 'states' | 'memory' | 'numbers' | 'draws' | 'interrupt' | null;
  /** The invariants of the algorithm that were checked, by name. */
  readonly invariants: readonly string[];
  readonly termination: Termination;
  /**
   * The search ended without a violation, and in no explored state is there a leader that all live nodes follow: the properties hold
   * because nobody is elected.
   */
  readonly vacuous: boolean;
  /** What was assumed about the detection of crashes; null if the algorithm has no failure detector. */
  readonly failureDetection: string | null;
  readonly violations: readonly CheckViolation[];
  /** Present with the options of the same name; null if no search was complete. */
  readonly worst?: ExtremeRun | null;
  readonly best?: ExtremeRun | null;
}

/** Explores every schedule of an election on a small network. */
export function check(algorithm: AnyAlgorithm, options: CheckOptions = {}): CheckResult {
  return runSlices(checkInSlices(planCheck(algorithm, options)));
}

/** As check(), in slices: the caller may do something else between them, such as listen to a signal. */
export function* checkInSlices(plan: CheckPlan): Slices<CheckResult> {
  const { leastParams, options, preset, setup: given } = plan;
  const { algorithm } = given;
  if (given.anonymous) refuseAnonymous(algorithm);
  checkNetwork(algorithm, given.topology);
  const limits = checkLimits(options);
  const costs = costSearches(options);
  const { node, network } = chosenInvariants(algorithm, invariantChoice(algorithm, options));
  const { all, instances, rotated } = instancesOf(given, options);
  const { isInterrupted, onStopped, resume = null } = options;
  if (onStopped !== undefined || resume !== null) refuseCosts(options);
  if (resume !== null) refuseOther(resume.facts, factsOf(given, options));
  const reductionLimits = { isTooLarge: resume?.search.isTooLarge ?? false };
  let tally: InstanceTally = resume?.tally ?? NOTHING;
  let resumed = resume?.search ?? null;
  let stopped: CheckResult['stopped'] = null;
  let completeDepth: number | null = null;
  const violations: CheckViolation[] = [];
  for (const instance of instances(tally.searched, reductionLimits)) {
    const before = tally;
    const left = { states: limits.states - before.states, bytes: limits.bytes };
    const outcome = yield* searchInstance(instance, options, left, resumed, (seen, done, levels) =>
      options.onProgress?.(
        before.states + seen.count,
        seen.count - done,
        seen.bytes,
        all === 1 ? expectedStates(levels) : null,
        all === 1 ? null : { searched: before.searched, all },
      ),
    );
    resumed = null;
    const { search: result, finding } = outcome;
    tally = withOutcome(before, outcome);
    options.onSearched?.(widthsOf(result));
    const isSearched = result.finding === null && isExhausted(result);
    for (const cost of isSearched && !outcome.isInterrupted ? costs : []) {
      const added = yield* unlessInterrupted(cost.add(instance, outcome.system, result, left), isInterrupted);
      if (added === null) stopped = 'interrupt';
    }
    // The states are all explored, and something else was interrupted.
    if (stopped !== null) completeDepth = completeDepthOf(result);
    if (finding !== null) {
      const steps = yield* describeRun(outcome.system, result, finding, isInterrupted);
      const { property, text } = finding;
      violations.push({ property, text, ...foundRun(instance, options, steps) });
      if (outcome.unfinished !== null) stopped = reasonOf(outcome.unfinished, limits);
      else if (outcome.isInterrupted) stopped = 'interrupt';
      break;
    }
    if (isStopped(outcome)) {
      stopped = reasonOf(outcome, limits);
      completeDepth = completeDepthOf(outcome.search);
      const saved = onStopped === undefined ? null : savedSearch(outcome, instance);
      if (saved !== null) onStopped?.({ facts: factsOf(given, options), tally: before, search: saved });
      break;
    }
    if (stopped !== null) break;
    const elects =
      tally.mayElect || (yield* unlessInterrupted(mayElect(outcome.system, result), isInterrupted));
    if (elects === null) {
      stopped = 'interrupt';
      completeDepth = completeDepthOf(result);
      break;
    }
    tally = { ...tally, searched: tally.searched + 1, mayElect: elects };
    // There may be millions of instances with few states each.
    yield;
  }
  const { cut, depth, isReduced, searched, states, terminal, termination, transitions } = tally;
  return {
    version: 1,
    algorithm: algorithm.name,
    params: given.params,
    preset,
    leastParams,
    n: given.nodes,
    states,
    transitions,
    terminal,
    depth,
    exact: options.fingerprints !== true,
    complete:
      searched === all && cut === 0 && (termination !== 'unchecked' || algorithm.horizon !== undefined),
    cut,
    reductions: [
      ...(isReduced ? (['partial-order'] as const) : []),
      ...(rotated ? (['symmetry'] as const) : []),
    ],
    instances: { searched, all },
    completeDepth,
    stopped,
    invariants: [...node, ...network].map(([name]) => name),
    termination,
    vacuous: searched === all && !tally.mayElect,
    failureDetection: (algorithm.trigger ?? 'start') === 'start' ? null : FAILURE_DETECTION,
    violations,
    ...Object.fromEntries(costs.map(({ extreme, run }) => [extreme, run])),
  };
}

const NOTHING: InstanceTally = {
  searched: 0,
  states: 0,
  transitions: 0,
  terminal: 0,
  cut: 0,
  depth: 0,
  isReduced: false,
  termination: 'sure',
  mayElect: false,
};

function withOutcome(
  before: InstanceTally,
  { finding, search, termination }: InstanceOutcome,
): InstanceTally {
  const { beyondBound, isReduced, levels, searched, seen, terminal, transitions } = search;
  return {
    searched: before.searched,
    states: before.states + seen.count,
    transitions: before.transitions + transitions,
    terminal: before.terminal + terminal,
    cut: before.cut + beyondBound + (finding === null ? seen.count - searched : 0),
    depth: Math.max(before.depth, levels.length - 1),
    isReduced: before.isReduced || isReduced,
    mayElect: before.mayElect,
    termination: finding?.property === 'termination' ? 'violated' : weaker(before.termination, termination),
  };
}

/** The number of states of each level. */
function widthsOf({ levels, seen }: InstanceOutcome['search']): number[] {
  return levels.map((first, k) => (levels[k + 1] ?? seen.count) - first);
}

/** The largest number of steps of which every run was explored. */
function completeDepthOf({ levels, position, searched, seen }: InstanceOutcome['search']): number | null {
  if (position === null || seen.count === 0) return null;
  return levels.findLastIndex((first) => first <= searched);
}

/** Why a search stopped. */
function reasonOf(
  { isInterrupted, search }: InstanceOutcome,
  { bytes }: SearchLimits,
): CheckResult['stopped'] {
  if (isInterrupted) return 'interrupt';
  if (search.overflow instanceof OutcomesError) return 'draws';
  if (search.overflow !== null) return 'numbers';
  return search.seen.bytes > bytes ? 'memory' : 'states';
}

/** What holds of two instances together. */
function weaker(one: Termination, other: Termination): Termination {
  return ORDER.findLast((each) => each === one || each === other) as Termination;
}

const ORDER: readonly Termination[] = ['sure', 'almost-sure', 'unchecked', 'violated'];

/**
 * True if a leader that all live nodes follow exists in some state, or if it is not known that there is none. A search without a
 * violation proves little about an algorithm that elects nobody: with a horizon, or within bounds, it need not reach the end of
 * any election.
 */
function* mayElect(system: System, search: Search): Slices<boolean> {
  const { beyondBound, seen } = search;
  // If every run must end, and none was cut, the ends have been judged.
  const isJudged = system.mustTerminate && beyondBound === 0;
  if (isJudged || !seen.exact || !isExhausted(search)) return true;
  const state = new Uint16Array(system.width);
  for (let number = 0; number < seen.count; number++) {
    if (number % STATES_IN_SLICE === 0) yield;
    seen.read(number, state);
    if (system.judgeEnd(state) === null) return true;
  }
  return false;
}
