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
import { AssumptionError, InputError } from '../../kernel/errors.ts';
import { networkNeeded, networkProblem } from '../../kernel/network/network-fit.ts';
import { type Stage, type StageOptions, setStage } from '../../kernel/setup.ts';
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

export interface ChancesOptions extends StageOptions {
  /** The ids as they stand, or the mean over all orders of them. */
  readonly orders?: 'one' | 'all' | undefined;
  /** All, or these positions. */
  readonly initiators?: 'all' | readonly number[] | undefined;
  /** States, after which the rest is unknown. */
  readonly stateLimit?: number | undefined;
  readonly onProgress?: ((states: number, waiting: number) => void) | undefined;
}

/** A fraction in lowest terms, as '27/16', and the nearest decimal. */
export interface Figure {
  readonly fraction: string;
  readonly decimal: number;
}

export interface Chances {
  readonly version: 1;
  readonly algorithm: string;
  readonly n: number;
  readonly params: Stage['params'];
  readonly initiators: readonly number[];
  readonly schedule: 'lockstep';
  /** The same holds of every schedule that keeps the order of messages and starts all first. */
  readonly anySchedule: boolean;
  /** How many orders of ids this is the mean of. */
  readonly orders: number;
  readonly states: number;
  readonly exact: boolean;
  /** One leader, known to all; an end that is none; no end at all; what was not followed. They sum to 1. */
  readonly success: Figure;
  readonly failure: Figure;
  readonly endless: Figure;
  readonly unknown: Figure;
  /** Null unless all is known and every run ends with chance 1; rounds null where none are declared. */
  readonly mean: {
    readonly rounds: Figure | null;
    readonly election: Figure;
    readonly announcement: Figure;
    readonly upkeep: Figure;
    readonly messages: Figure;
    readonly lots: Figure;
  } | null;
}

const DEFAULT_STATES = 50_000;

export function chances(algorithm: AnyAlgorithm, options: ChancesOptions = {}): Chances {
  const given = setStage(algorithm, options);
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
    const stage = setStage(algorithm, {
      ...options,
      nodes: undefined,
      order: undefined,
      ids: given.anonymous ? 'anonymous' : ids,
      topology: given.underlay,
    });
    const chain = new LockstepChain(stage, initiators, limit, (count, done) =>
      options.onProgress?.(states + count, count - done),
    );
    const [figures] = solveChain(chain, FIGURES.length);
    sums = sums.map((sum, k) => plus(sum, figures[k]));
    states += chain.count;
    exact &&= chain.isWhole;
    hasRounds = chain.hasRounds;
  }
  const share = fraction(1, orders.length);
  const [success, failure, unknown, rounds, election, announcement, upkeep, lots] = sums.map((sum) =>
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
    success: figureOf(success),
    failure: figureOf(failure),
    endless: figureOf(endless),
    unknown: figureOf(unknown),
    mean:
      exact && isZero(endless)
        ? {
            rounds: hasRounds ? figureOf(rounds) : null,
            election: figureOf(election),
            announcement: figureOf(announcement),
            upkeep: figureOf(upkeep),
            messages: figureOf(messages),
            lots: figureOf(lots),
          }
        : null,
  };
}

function figureOf(value: Fraction): Figure {
  return { fraction: formatFraction(value), decimal: toNumber(value) };
}

function refuseUnfit(algorithm: AnyAlgorithm, { topology }: Stage): void {
  const needed = networkNeeded(algorithm, topology);
  if (needed !== null) throw new AssumptionError(networkProblem(algorithm, topology, needed), 'network');
  const { assumes, name, occasion = 'start', timers = [] } = algorithm;
  if (assumes.timing !== 'async' || timers.length > 0 || occasion !== 'start') {
    throw new InputError(
      `chances are worked out where only messages and lots happen: ${name} goes by clocks or crashes`,
    );
  }
}

function initiatorsOf(who: 'all' | readonly number[], n: number): readonly number[] {
  if (who === 'all') return Array.from({ length: n }, (_, at) => at);
  const stray = who.find((at) => !Number.isInteger(at) || at < 0 || at >= n);
  if (stray !== undefined)
    throw new InputError(`initiator ${stray} is out of range: positions are 0 to ${n - 1}`);
  if (who.length === 0) throw new InputError('an election needs an initiator: name one, as in 0,2');
  if (new Set(who).size < who.length) throw new InputError('an initiator is given twice');
  return [...who].sort((a, b) => a - b);
}
