/**
 * The exact probabilities and expectations of a randomized election: P(one leader), and the expected numbers of rounds,
 * messages and random draws. Every outcome of every draw is followed, and the Markov chain is solved.
 *
 * Guarantees: if `exact`, the fractions hold in lockstep; if `anySchedule`, in every FIFO schedule in which all nodes start
 * first. If the chain has more states than the limit, the probability of the unexplored part is `unknown`, and there are no
 * means; this happens if rounds are unbounded and not declared `relative`.
 * Does not cover schedules that depend on the draws, random delays, or faults.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import { checkInitiators } from '../../kernel/initiators.ts';
import { checkNetwork } from '../../kernel/network/network-fit.ts';
import { resolveSetup, type Setup, type SetupOptions, withIds } from '../../kernel/setup.ts';
import { DEFAULT_CHECK_NODES } from '../check-options.ts';
import { IdOrders } from '../network/id-orders.ts';
import { LinkTable } from '../network/link-table.ts';
import type { Fraction } from './fraction.ts';
import { formatFraction, fraction, isZero, minus, ONE, plus, times, toNumber, ZERO } from './fraction.ts';
import { FIGURES, LockstepChain } from './lockstep-chain.ts';
import { solveChain } from './markov-chain.ts';

/** The randomized election to compute, and its limits. */
export interface ProbabilityOptions extends SetupOptions {
  /** One order of the ids, or the mean over all orders. */
  readonly orders?: 'one' | 'all' | undefined;
  /** All, or these positions. */
  readonly initiators?: 'all' | readonly number[] | undefined;
  /** The number of states after which the rest is unknown. */
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
  /** The result holds in every FIFO schedule in which all nodes start first. */
  readonly anySchedule: boolean;
  /** The number of orders of ids that were averaged. */
  readonly orders: number;
  readonly states: number;
  readonly exact: boolean;
  /** The probabilities of a valid election, of another terminal state, of no termination, and of the rest. They sum to 1. */
  readonly success: ExactValue;
  readonly failure: ExactValue;
  readonly nonTermination: ExactValue;
  readonly unknown: ExactValue;
  /** Null unless the result is exact and runs end with probability 1; rounds are null if none are declared. */
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
  const given = resolveSetup(algorithm, options, DEFAULT_CHECK_NODES);
  refuseUnfit(algorithm, given);
  const initiators = initiatorsOf(options.initiators ?? 'all', given.nodes);
  const limit = options.stateLimit ?? DEFAULT_STATES;
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new InputError(`stateLimit must be a whole number from 1, not ${limit}`);
  const all = options.orders === 'all' && !given.anonymous ? new IdOrders(given.ids, false) : null;
  const count = all?.count ?? 1;
  let sums: readonly Fraction[] = FIGURES.map(() => ZERO);
  let states = 0;
  let exact = true;
  let hasRounds = false;
  for (const ids of all ?? [given.ids]) {
    const setup = withIds(given, Int32Array.from(ids));
    const chain = new LockstepChain(setup, initiators, limit, (count, done) =>
      options.onProgress?.(states + count, count - done),
    );
    const [figures] = solveChain(chain, FIGURES.length);
    sums = sums.map((sum, k) => plus(sum, figures[k]));
    states += chain.count;
    exact &&= chain.isComplete;
    hasRounds = chain.hasRounds;
  }
  const share = fraction(1, count);
  const [success, failure, unknown, rounds, election, announcement, upkeep, draws] = sums.map((sum) =>
    times(sum, share),
  );
  const nonTermination = minus(ONE, plus(plus(success, failure), unknown));
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
    orders: count,
    states,
    exact,
    success: exactValueOf(success),
    failure: exactValueOf(failure),
    nonTermination: exactValueOf(nonTermination),
    unknown: exactValueOf(unknown),
    mean:
      exact && isZero(nonTermination)
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

export function exactValueOf(value: Fraction): ExactValue {
  return { fraction: formatFraction(value), decimal: toNumber(value) };
}

export function refuseUnfit(algorithm: AnyAlgorithm, { topology }: Setup): void {
  checkNetwork(algorithm, topology);
  const { assumes, name, trigger = 'start', timers = [] } = algorithm;
  if (assumes.timing !== 'asynchronous' || timers.length > 0 || trigger !== 'start') {
    throw new InputError(
      `probabilities need an asynchronous algorithm without timers that elects at the start, not ${name}`,
    );
  }
}

export function initiatorsOf(option: 'all' | readonly number[], n: number): readonly number[] {
  if (option === 'all') return Array.from({ length: n }, (_, at) => at);
  checkInitiators(option, n);
  return [...option].sort((a, b) => a - b);
}
