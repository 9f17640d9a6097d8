/**
 * Every schedule of an election: not that no test failed, but that no run exists in which it fails.
 *
 * Guarantees, where the result says `complete`: in every reachable state at most one node leads a term and no decision
 * has changed within one; every run that ends does so with one leader, known to all live nodes; every run does end,
 * under weak fairness, or, where nodes draw lots, can still end whatever was drawn before.
 * Does not speak of larger networks, of other ids unless all orders are asked for, or of faults beyond those allowed.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { AssumptionError, InputError } from '../kernel/errors.ts';
import { networkNeeded, networkProblem, refuseAnonymous } from '../kernel/network-fit.ts';
import { deadAtFirst, type Stage, type StageOptions, setStage } from '../kernel/stage.ts';
import { type ElectionOptions, ElectionSystem } from './election-system.ts';
import { endlessState } from './fairness.ts';
import { idOrders, positionSets } from './orders.ts';
import { type Finding, pathTo, type Search, search } from './search.ts';
import { type Starts, startsOf } from './starts.ts';
import type { StateStore } from './state-store.ts';
import type { System } from './system.ts';
import { TimelySystem } from './timely-system.ts';

export interface CheckOptions extends StageOptions {
  /** The ids as they stand, or every order of them; on a ring one of each that are turned into one another. */
  readonly orders?: 'one' | 'all' | undefined;
  /** All, every non-empty set, or these positions. */
  readonly initiators?: 'all' | 'subsets' | readonly number[] | undefined;
  readonly starts?: Starts | undefined;
  /** How many crashes, recoveries and losses there may be, at any moments. */
  readonly crashes?: number | undefined;
  readonly recoveries?: number | undefined;
  readonly losses?: number | undefined;
  /** Messages may overtake one another; by default they do where the algorithm allows it. */
  readonly fifo?: boolean | undefined;
  /** Timely algorithms: the longest delay, 1 unless said otherwise; and whether timers may fire early. */
  readonly delay?: number | undefined;
  readonly suspect?: boolean | undefined;
  readonly stateLimit?: number | undefined;
  readonly onProgress?: ((states: number, waiting: number, bytes: number) => void) | undefined;
}

export interface CheckViolation {
  readonly property: string;
  readonly text: string;
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  /** A shortest run that leads to it. */
  readonly steps: readonly string[];
}

export interface CheckResult {
  readonly version: 1;
  readonly algorithm: string;
  readonly n: number;
  /** Summed over all orders and sets of initiators. */
  readonly states: number;
  readonly transitions: number;
  readonly terminal: number;
  /** States were kept and compared whole. */
  readonly exact: true;
  /** Nothing was left out. */
  readonly complete: boolean;
  /** States that were found and not looked into. */
  readonly cut: number;
  readonly violations: readonly CheckViolation[];
}

const DEFAULT_STATES = 20_000_000;

export function check(algorithm: AnyAlgorithm, options: CheckOptions = {}): CheckResult {
  if (options.ids === 'anonymous') refuseAnonymous(algorithm);
  const given = setStage(algorithm, options);
  const needed = networkNeeded(algorithm, given.topology);
  if (needed !== null)
    throw new AssumptionError(networkProblem(algorithm, given.topology, needed), 'network');
  if (algorithm.assumes.timing === 'rounds') {
    throw new AssumptionError(`${algorithm.name} runs in rounds: these cannot be checked yet`, 'timing');
  }
  const n = given.topology.n;
  const orders =
    options.orders === 'all' ? idOrders(given.ids, given.topology.kind === 'ring') : [Array.from(given.ids)];
  const limit = options.stateLimit ?? DEFAULT_STATES;
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new InputError(`stateLimit must be a whole number from 1, not ${limit}`);
  }
  const sums = { states: 0, transitions: 0, terminal: 0, cut: 0 };
  const violations: CheckViolation[] = [];
  for (const ids of orders) {
    const stage = setStage(algorithm, {
      ...options,
      nodes: undefined,
      order: undefined,
      ids,
      topology: given.topology,
    });
    const dead = deadAtFirst(algorithm, stage.ids);
    for (const initiators of initiatorSets(options.initiators ?? 'all', n)) {
      if (initiators.every((at) => dead.includes(at))) continue;
      const system = systemFor(stage, options, {
        initiators,
        starts: options.starts ?? startsOf(algorithm),
        dead,
        crashes: allowed('crashes', options.crashes),
        recoveries: allowed('recoveries', options.recoveries),
        losses: allowed('losses', options.losses),
        fifo: options.fifo ?? algorithm.assumes.fifo,
      });
      const result = search(system, { states: limit }, (store, searched) =>
        options.onProgress?.(sums.states + store.count, store.count - searched, store.bytes),
      );
      sums.states += result.store.count;
      sums.transitions += result.transitions;
      sums.terminal += result.terminal;
      sums.cut += result.finding === null ? result.unsearched : 0;
      const finding = result.finding ?? liveness(system, result);
      if (finding === null) continue;
      const steps = describePath(system, result.store, finding);
      violations.push({ property: finding.property, text: finding.text, ids, initiators, steps });
      return { version: 1, algorithm: algorithm.name, n, ...sums, exact: true, complete: false, violations };
    }
  }
  return {
    version: 1,
    algorithm: algorithm.name,
    n,
    ...sums,
    exact: true,
    complete: sums.cut === 0,
    violations,
  };
}

function systemFor(stage: Stage, options: CheckOptions, election: ElectionOptions): System {
  if (stage.algorithm.assumes.timing !== 'timely') return new ElectionSystem(stage, election);
  const { timeout = 2 } = stage.params;
  return new TimelySystem(stage, election, {
    delay: allowed('delay', options.delay ?? 1),
    timeout: Number(timeout),
    suspect: options.suspect ?? false,
  });
}

/** A run that never ends, or a state from which no run ends. Only asked when all states are known. */
function liveness(system: System, { mayCycle, store, unsearched }: Search): Finding | null {
  if (!mayCycle || unsearched > 0) return null;
  const state = endlessState(system, store);
  if (state < 0) return null;
  const text = system.draws ? 'from here no run ends' : 'a fair run goes on for ever';
  return { property: 'termination', text, state, step: null };
}

/** The steps to the state of a finding, and the step in it that breaks something, if it is a step that does. */
function describePath(system: System, store: StateStore, { state: to, step: last }: Finding): string[] {
  const path = pathTo(store, to);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  const steps = path.slice(1).map((target, k) => {
    let text = '';
    store.read(path[k], state);
    system.expand(state, next, (step) => {
      if (text === '' && store.add(next, path[k]) === target) text = system.describe(state, step);
    });
    return text;
  });
  if (last === null) return steps;
  store.read(to, state);
  return [...steps, system.describe(state, last)];
}

function initiatorSets(
  option: 'all' | 'subsets' | readonly number[],
  n: number,
): readonly (readonly number[])[] {
  if (option === 'all') return [Array.from({ length: n }, (_, at) => at)];
  if (option === 'subsets') return positionSets(n);
  if (option.length === 0) throw new InputError('an election needs an initiator: name one, as in 0,2');
  if (new Set(option).size < option.length) throw new InputError('an initiator is given twice');
  for (const at of option) {
    if (!Number.isInteger(at) || at < 0 || at >= n) {
      throw new InputError(`initiator ${at} is out of range: positions are 0 to ${n - 1}`);
    }
  }
  return [option];
}

function allowed(name: string, count = 0): number {
  if (!Number.isInteger(count) || count < 0 || count > 100) {
    throw new InputError(`${name} must be an integer from 0 to 100, not ${count}`);
  }
  return count;
}
