/** The elections that a check goes through: each order of ids and each set of initiators is one, with a search of its own. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { AssumptionError, InputError } from '../../kernel/errors.ts';
import { checkInitiators } from '../../kernel/initiators.ts';
import { deadAtFirst, type Setup, withIds } from '../../kernel/setup.ts';
import { startsOf } from '../../kernel/world/starts.ts';
import { chosenInvariants } from '../../properties/invariants.ts';
import { type CheckOptions, invariantChoice } from '../check-options.ts';
import type { SearchLimits } from '../search/search.ts';
import { AsynchronousSystem } from './asynchronous-system.ts';
import { BoundedDelaySystem, type DelayBounds } from './bounded-delay-system.ts';
import { idOrders, positionSets } from './id-orders.ts';
import type { InstanceOptions, ReductionLimits } from './network-state.ts';
import type { NetworkSystem } from './network-system.ts';
import { SynchronousSystem } from './synchronous-system.ts';

export interface Instance {
  readonly setup: Setup;
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  /** Positions that are dead from the beginning. */
  readonly dead: readonly number[];
  readonly reductionLimits: ReductionLimits;
}

export interface Instances {
  readonly all: number;
  /** On a ring orders that are turned into one another were taken for one. */
  readonly rotated: boolean;
  instances(): Generator<Instance>;
}

const DEFAULT_STATES = 20_000_000;
const DEFAULT_BYTES = 4 * 2 ** 30;

export function instancesOf(given: Setup, options: CheckOptions): Instances {
  const { algorithm, topology } = given;
  const { initiators = 'all' } = options;
  // A set of positions stays where it is when the ids are turned, and an invariant of the network may name a position.
  const isWhole = initiators === 'all' || initiators === 'subsets';
  const isReduced = options.reduce !== 'none' && !hasNetworkInvariants(algorithm, options);
  const isRing = topology.kind === 'ring' && isReduced && !given.anonymous && isWhole;
  const rotated = options.orders === 'all' && isRing && given.nodes > 1;
  const orders =
    options.orders === 'all' && !given.anonymous ? idOrders(given.ids, isRing) : [Array.from(given.ids)];
  const sets = initiatorSets(initiators, given.nodes, algorithm);
  // Which sets have somebody alive depends on who is dead, and that is one of n at most.
  const liveSets = new Map<string, readonly (readonly number[])[]>();
  const setsOf = (ids: readonly number[]): readonly (readonly number[])[] => {
    const dead = deadAtFirst(algorithm, Int32Array.from(ids));
    const known = liveSets.get(dead.join());
    if (known !== undefined) return known;
    const live = sets.filter((initiators) => initiators.some((at) => !dead.includes(at)));
    liveSets.set(dead.join(), live);
    return live;
  };
  const all = orders.reduce((sum, ids) => sum + setsOf(ids).length, 0);
  if (all === 0) {
    throw new InputError(`all initiators are dead: in ${algorithm.name} the largest id is dead at first`);
  }
  return {
    all,
    rotated,
    *instances() {
      const reductionLimits: ReductionLimits = { isTooLarge: false };
      for (const ids of orders) {
        const setup = withIds(given, Int32Array.from(ids));
        const dead = deadAtFirst(algorithm, setup.ids);
        for (const initiators of setsOf(ids)) yield { setup, ids, initiators, dead, reductionLimits };
      }
    },
  };
}

function hasNetworkInvariants(algorithm: AnyAlgorithm, options: CheckOptions): boolean {
  return chosenInvariants(algorithm, invariantChoice(algorithm, options)).network.length > 0;
}

/** `swaps`: a reduced system may also leave out orders in which one node takes messages that commute. */
export function systemFor(
  instance: Instance,
  options: CheckOptions,
  reduce: boolean,
  swaps = true,
): NetworkSystem {
  const { setup, initiators, dead, reductionLimits } = instance;
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
    // An invariant of the network must be checked in every state; and where a state is cut, the steps that another
    // stood for would be cut with it.
    reduce: reduce && !hasNetworkInvariants(setup.algorithm, options) && options.bound === undefined,
    swaps,
    reductionLimits,
  };
  if (assumes.timing !== 'bounded-delay' && (options.suspect || options.delay !== undefined)) {
    throw new InputError(
      `${setup.algorithm.name} has no timeouts: leave out ${options.suspect ? 'suspect' : 'delay'}`,
    );
  }
  if (assumes.timing === 'synchronous')
    return new SynchronousSystem(setup, inRounds(setup.algorithm, chosen));
  if (assumes.timing === 'asynchronous') return new AsynchronousSystem(setup, chosen);
  return new BoundedDelaySystem(setup, chosen, timingOf(setup, options));
}

function timingOf({ algorithm, params }: Setup, options: CheckOptions): DelayBounds {
  const delay = allowed('delay', options.delay ?? 1);
  const timeout = Number(params.timeout ?? 2);
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

/** In rounds all clocks start at 0, and what is sent in one arrives in the next. */
function inRounds({ assumes, name, onUndelivered }: AnyAlgorithm, options: InstanceOptions): InstanceOptions {
  if (options.starts !== 'together') {
    throw new AssumptionError(`${name} runs in rounds: all start together, not ${options.starts}`, 'timing');
  }
  if (options.crashes + options.dead.length > 0 && onUndelivered !== undefined) {
    throw new InputError(
      `${name} runs in rounds and hears of undelivered messages: crashes cannot be checked`,
    );
  }
  if (options.recoveries > 0 && assumes.knows?.includes('time')) {
    throw new InputError(`${name} runs in rounds whose nodes know the time: recoveries cannot be checked`);
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
    throw new AssumptionError(`${name} runs in rounds: every node starts, so all initiate`, 'timing');
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
