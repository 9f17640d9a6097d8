/** The instances of a check: each order of the ids and each set of initiators is one instance with its own search. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { AssumptionError, InputError } from '../../kernel/errors.ts';
import { checkInitiators } from '../../kernel/initiators.ts';
import { timeoutOf } from '../../kernel/params.ts';
import { deadAtFirst, type Setup, withIds } from '../../kernel/setup.ts';
import { type Starts, startsOf } from '../../kernel/world/rules.ts';
import { chosenInvariants } from '../../properties/invariants.ts';
import { type CheckOptions, invariantChoice } from '../check-options.ts';
import type { SearchLimits } from '../search/search.ts';
import { AsynchronousSystem } from './asynchronous-system.ts';
import { BoundedDelaySystem, type DelayBounds } from './bounded-delay-system.ts';
import { IdOrders, positionSets } from './id-orders.ts';
import { SharedNodes } from './instance-nodes.ts';
import type { InstanceOptions, ReductionLimits } from './network-state.ts';
import type { NetworkSystem } from './network-system.ts';
import { SynchronousSystem } from './synchronous-system.ts';

export interface Instance {
  readonly setup: Setup;
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  /** Positions that are crashed at the start. */
  readonly dead: readonly number[];
  readonly reductionLimits: ReductionLimits;
  /** Shared by the instances of one order of the ids. */
  readonly sharedNodes?: SharedNodes;
}

/** A run that a check reports: its instance and its steps. */
export interface FoundRun {
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  /** Positions that are crashed at the start. */
  readonly dead: readonly number[];
  readonly starts: Starts;
  readonly fifo: boolean;
  readonly steps: readonly string[];
}

export function foundRun(instance: Instance, options: CheckOptions, steps: readonly string[]): FoundRun {
  const { dead, ids, initiators, setup } = instance;
  const starts = options.starts ?? startsOf(setup.algorithm);
  return { ids, initiators, dead, starts, fifo: options.fifo ?? setup.algorithm.assumes.fifo, steps };
}

export interface Instances {
  readonly all: number;
  /** Symmetry reduction is on: of orders that differ by a rotation of the ring only one is searched. */
  readonly rotated: boolean;
  /** The instances from this one on. `reductionLimits` are those after the instances before. */
  instances(from: number, reductionLimits: ReductionLimits): Generator<Instance>;
}

const DEFAULT_STATES = 20_000_000;
const DEFAULT_BYTES = 4 * 2 ** 30;

export function instancesOf(given: Setup, options: CheckOptions): Instances {
  const { algorithm, topology } = given;
  const { initiators = 'all' } = options;
  // Given positions are not invariant under rotation, and an invariant of the network may name a position.
  const isSymmetric = initiators === 'all' || initiators === 'subsets';
  const isReduced = options.reduce !== 'none' && !hasNetworkInvariants(algorithm, options);
  const isRing = topology.kind === 'ring' && isReduced && !given.anonymous && isSymmetric;
  const rotated = options.orders === 'all' && isRing && given.nodes > 1;
  const orders = options.orders === 'all' && !given.anonymous ? new IdOrders(given.ids, isRing) : null;
  const sets = initiatorSets(initiators, given.nodes, algorithm);
  // The sets with a live initiator depend only on the crashed position, of which there are at most n.
  const liveSets = new Map<string, readonly (readonly number[])[]>();
  const setsOf = (dead: readonly number[]): readonly (readonly number[])[] => {
    const known = liveSets.get(dead.join());
    if (known !== undefined) return known;
    const live = sets.filter((initiators) => initiators.some((at) => !dead.includes(at)));
    liveSets.set(dead.join(), live);
    return live;
  };
  const deadIn = (ids: Int32Array): readonly number[] => deadAtFirst(algorithm, ids);
  const all =
    orders === null
      ? setsOf(deadIn(given.ids)).length
      : orders.withLargestAt.reduce(
          (sum, count, at) => sum + count * setsOf(deadIn(withLargestAt(given.ids, at))).length,
          0,
        );
  if (all === 0) {
    throw new InputError(
      `an initiator must be alive: in ${algorithm.name} the node with the largest id is crashed at the start`,
    );
  }
  if (
    allowed('recoveries', options.recoveries) > 0 &&
    !options.crashes &&
    !deadAtFirst(algorithm, given.ids).length
  ) {
    throw new InputError('recoveries must be 0 without crashes, because only a crashed node recovers', {
      remedies: [{ option: 'crashes', value: '1' }],
    });
  }
  return {
    all,
    rotated,
    *instances(from, reductionLimits) {
      let toSkip = from;
      for (const ids of orders ?? [Array.from(given.ids)]) {
        const setup = withIds(given, Int32Array.from(ids));
        const dead = deadIn(setup.ids);
        const sharedNodes = new SharedNodes();
        for (const initiators of setsOf(dead)) {
          if (toSkip-- <= 0) yield { setup, ids, initiators, dead, reductionLimits, sharedNodes };
        }
      }
    },
  };
}

/** An order of these ids with the largest one at this position. */
function withLargestAt(ids: Int32Array, at: number): Int32Array {
  const largest = ids.indexOf(Math.max(...ids));
  const order = Int32Array.from(ids);
  [order[at], order[largest]] = [order[largest], order[at]];
  return order;
}

function hasNetworkInvariants(algorithm: AnyAlgorithm, options: CheckOptions): boolean {
  return chosenInvariants(algorithm, invariantChoice(algorithm, options)).network.length > 0;
}

/** With `commuting`, the reduction also uses deliveries to one node that commute. */
export function systemFor(
  instance: Instance,
  options: CheckOptions,
  reduce: boolean,
  commuting = true,
): NetworkSystem {
  const { setup, initiators, dead, reductionLimits, sharedNodes } = instance;
  const { assumes } = setup.algorithm;
  const chosen: InstanceOptions = {
    initiators,
    starts: options.starts ?? startsOf(setup.algorithm),
    dead,
    crashes: allowed('crashes', options.crashes),
    recoveries: allowed('recoveries', options.recoveries),
    losses: allowed('losses', options.losses),
    fifo: options.fifo ?? assumes.fifo,
    bounds: options.bound ?? {},
    invariants: invariantChoice(setup.algorithm, options),
    // An invariant of the network must be checked in every state, and a bound would cut off postponed steps.
    reduce: reduce && !hasNetworkInvariants(setup.algorithm, options) && options.bound === undefined,
    commuting,
    reductionLimits,
    sharedNodes: mayShareNodes(options) ? (sharedNodes ?? null) : null,
  };
  if (assumes.timing !== 'bounded-delay' && (options.suspect || options.delay !== undefined)) {
    throw new InputError(
      `${setup.algorithm.name} has no timeouts: leave out ${options.suspect ? 'suspect' : 'delay'}`,
    );
  }
  if (assumes.timing === 'synchronous')
    return new SynchronousSystem(setup, checkSynchronous(setup.algorithm, chosen));
  if (assumes.timing === 'asynchronous') return new AsynchronousSystem(setup, chosen);
  return new BoundedDelaySystem(setup, chosen, timingOf(setup, options));
}

/** The threads of a search agree on the numbers of states and messages, and a checkpoint has those of one instance. */
function mayShareNodes({ onStopped, resume, threads }: CheckOptions): boolean {
  return onStopped === undefined && resume === undefined && threads === undefined;
}

function timingOf({ algorithm, params }: Setup, options: CheckOptions): DelayBounds {
  const delay = allowed('delay', options.delay ?? 1);
  const timeout = timeoutOf(params);
  const suspect = options.suspect ?? false;
  if (delay === 0) throw new InputError('delay must be a whole number from 1 to 100, not 0');
  if (2 * delay > timeout && !suspect && !options.despite?.includes('timing')) {
    throw new AssumptionError(
      `${algorithm.name} assumes that a round trip, which takes up to ${2 * delay} units here, ends within its ` +
        `timeout of ${timeout}`,
      'timing',
      [
        { option: 'set', value: `timeout=${2 * delay}` },
        { option: 'despite', value: 'timing' },
      ],
    );
  }
  return { delay, timeout, suspect };
}

export function checkLimits({ memoryLimit, stateLimit }: CheckOptions): SearchLimits {
  const check = (name: string, limit: number): number => {
    if (Number.isSafeInteger(limit) && limit >= 1) return limit;
    throw new InputError(`${name} must be a whole number from 1, not ${limit}`);
  };
  return {
    states: check('stateLimit', stateLimit ?? DEFAULT_STATES),
    bytes: check('memoryLimit', memoryLimit ?? DEFAULT_BYTES),
  };
}

/** Refuses options that the synchronous system does not support. */
function checkSynchronous(
  { assumes, name, onUndelivered }: AnyAlgorithm,
  options: InstanceOptions,
): InstanceOptions {
  if (options.starts !== 'together') {
    throw new AssumptionError(
      `${name} assumes synchronous rounds: starts must be together, not ${options.starts}`,
      'timing',
    );
  }
  if (options.crashes + options.dead.length > 0 && onUndelivered !== undefined) {
    throw new InputError(
      `crashes must be 0 for ${name}, a synchronous algorithm with notices of undelivered messages`,
    );
  }
  if (options.recoveries > 0 && assumes.knows?.includes('time')) {
    throw new InputError(
      `recoveries must be 0 for ${name}, a synchronous algorithm whose nodes know the time`,
    );
  }
  return { ...options, fifo: true };
}

function initiatorSets(
  option: 'all' | 'subsets' | readonly number[],
  n: number,
  { assumes, name }: AnyAlgorithm,
): readonly (readonly number[])[] {
  if (option === 'all') return [Array.from({ length: n }, (_, at) => at)];
  if (assumes.timing === 'synchronous') {
    throw new AssumptionError(
      `${name} assumes synchronous rounds: initiators must be all, because every node starts`,
      'timing',
    );
  }
  if (option === 'subsets') return positionSets(n);
  checkInitiators(option, n);
  return [option];
}

function allowed(name: string, count = 0): number {
  if (!Number.isInteger(count) || count < 0 || count > 100) {
    throw new InputError(`${name} must be a whole number from 0 to 100, not ${count}`);
  }
  return count;
}
