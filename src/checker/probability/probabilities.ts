/**
 * What an election by lot comes to, exactly: the chance that it elects one leader, and how many rounds, messages and lots
 * it takes on average. Not by drawing: every lot is followed, and the chain of chances solved.
 *
 * Guarantees: where `exact`, the fractions are those of the election in lockstep, and where `anySchedule`, of every
 * schedule that keeps the order of messages and starts all first. Where the chain has more states than the limit, as one
 * whose rounds go on and are not declared to be counted relatively, the chance of what was not followed is `unknown`, and
 * no mean is given.
 * Does not speak of schedules that look at the lots, of random delays, or of faults.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import { checkInitiators } from '../../kernel/initiators.ts';
import { checkNetwork } from '../../kernel/network/network-fit.ts';
import { resolveSetup, type Setup, type SetupOptions } from '../../kernel/setup.ts';
import { idOrders } from '../network/id-orders.ts';
import { LinkTable } from '../network/link-table.ts';
import {
  type Fraction,
  formatFraction,
  fraction,
  isZero,
  minus,
  ONE,
  plus,
  times,
  toNumber,
  ZERO,
} from './fraction.ts';
import { FIGURES, LockstepChain } from './lockstep-chain.ts';
import { solveChain } from './markov-chain.ts';

/** The randomized election to compute, and its limits. */
export interface ProbabilityOptions extends SetupOptions {
  /** The ids as they stand, or the mean over all orders of them. */
  readonly orders?: 'one' | 'all' | undefined;
  /** All, or these positions. */
  readonly initiators?: 'all' | readonly number[] | undefined;
  /** States, after which the rest is unknown. */
  readonly stateLimit?: number | undefined;
  /** Is called now and then with the number of states found so far. */
  readonly onProgress?: ((states: number, waiting: number) => void) | undefined;
}

/** A fraction in lowest terms, as '27/16', and the nearest decimal. */
export interface ExactValue {
  readonly fraction: string;
  readonly decimal: number;
}

/** Exact probabilities and means of a randomized election. */
export interface Probabilities {
  readonly version: 1;
  readonly algorithm: string;
  readonly n: number;
  readonly params: Setup['params'];
  readonly initiators: readonly number[];
  readonly schedule: 'lockstep';
  /** The same holds of every schedule that keeps the order of messages and starts all first. */
  readonly anySchedule: boolean;
  /** How many orders of ids this is the mean of. */
  readonly orders: number;
  readonly states: number;
  readonly exact: boolean;
  /** One leader, known to all; an end that is none; no end at all; what was not followed. They sum to 1. */
  readonly success: ExactValue;
  readonly failure: ExactValue;
  readonly endless: ExactValue;
  readonly unknown: ExactValue;
  /** Null unless all is known and every run ends with chance 1; rounds null where none are declared. */
  readonly mean: {
    readonly rounds: ExactValue | null;
    readonly election: ExactValue;
    readonly announcement: ExactValue;
    readonly upkeep: ExactValue;
    readonly messages: ExactValue;
    readonly draws: ExactValue;
  } | null;
}

const DEFAULT_STATES = 50_000;

/** Computes exact probabilities and means by following every random draw. */
export function probabilities(algorithm: AnyAlgorithm, options: ProbabilityOptions = {}): Probabilities {
  const given = resolveSetup(algorithm, options);
  refuseUnfit(algorithm, given);
  const initiators = initiatorsOf(options.initiators ?? 'all', given.nodes);
  const limit = options.stateLimit ?? DEFAULT_STATES;
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new InputError(`stateLimit must be a whole number from 1, not ${limit}`);
  const orders =
    options.orders === 'all' && !given.anonymous ? idOrders(given.ids, false) : [Array.from(given.ids)];
  let sums: readonly Fraction[] = FIGURES.map(() => ZERO);
  let states = 0;
  let exact = true;
  let hasRounds = false;
  for (const ids of orders) {
    const setup = resolveSetup(algorithm, {
      ...options,
      nodes: undefined,
      order: undefined,
      ids: given.anonymous ? 'anonymous' : ids,
      topology: given.underlay,
    });
    const chain = new LockstepChain(setup, initiators, limit, (count, done) =>
      options.onProgress?.(states + count, count - done),
    );
    const [figures] = solveChain(chain, FIGURES.length);
    sums = sums.map((sum, k) => plus(sum, figures[k]));
    states += chain.count;
    exact &&= chain.isWhole;
    hasRounds = chain.hasRounds;
  }
  const share = fraction(1, orders.length);
  const [success, failure, unknown, rounds, election, announcement, upkeep, draws] = sums.map((sum) =>
    times(sum, share),
  );
  const endless = minus(ONE, plus(plus(success, failure), unknown));
  const messages = plus(plus(election, announcement), upkeep);
  const table = new LinkTable(given.topology);
  return {
    version: 1,
    algorithm: algorithm.name,
    n: given.nodes,
    params: given.params,
    initiators,
    schedule: 'lockstep',
    anySchedule: table.firstOf.every((first, at) => at === 0 || first - table.firstOf[at - 1] <= 1),
    orders: orders.length,
    states,
    exact,
    success: exactValueOf(success),
    failure: exactValueOf(failure),
    endless: exactValueOf(endless),
    unknown: exactValueOf(unknown),
    mean:
      exact && isZero(endless)
        ? {
            rounds: hasRounds ? exactValueOf(rounds) : null,
            election: exactValueOf(election),
            announcement: exactValueOf(announcement),
            upkeep: exactValueOf(upkeep),
            messages: exactValueOf(messages),
            draws: exactValueOf(draws),
          }
        : null,
  };
}

function exactValueOf(value: Fraction): ExactValue {
  return { fraction: formatFraction(value), decimal: toNumber(value) };
}

function refuseUnfit(algorithm: AnyAlgorithm, { topology }: Setup): void {
  checkNetwork(algorithm, topology);
  const { assumes, name, trigger = 'start', timers = [] } = algorithm;
  if (assumes.timing !== 'asynchronous' || timers.length > 0 || trigger !== 'start') {
    throw new InputError(
      `chances are worked out where only messages and lots happen: ${name} goes by clocks or crashes`,
    );
  }
}

function initiatorsOf(who: 'all' | readonly number[], n: number): readonly number[] {
  if (who === 'all') return Array.from({ length: n }, (_, at) => at);
  checkInitiators(who, n);
  return [...who].sort((a, b) => a - b);
}
