/** What may be asked of a check. */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import type { Fault } from '../kernel/assumptions.ts';
import type { InvariantChoice } from '../kernel/invariant.ts';
import type { SetupOptions } from '../kernel/setup.ts';
import type { Starts } from '../kernel/world/starts.ts';
import type { CostMeasure } from './cost/message-cost.ts';

/** State spaces grow exponentially, so a search has fewer nodes by default than a simulation. */
export const DEFAULT_CHECK_NODES = 4;

/** What is explored, and within which limits. */
export interface CheckOptions extends SetupOptions {
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
  /** Search although a round trip may take longer than the time-out. */
  readonly despite?: readonly 'timing'[] | undefined;
  /** The largest values of counters, by name: states with larger ones are not gone on from. */
  readonly bound?: Readonly<Record<string, number>> | undefined;
  /** Leave out steps and orders for which others stand (auto, unless said otherwise), or search all there are. */
  readonly reduce?: 'auto' | 'none' | undefined;
  /**
   * Which of the algorithm's invariants are checked. An invariant of the network turns the reductions off. By default
   * all; where costs are asked for, which need the reductions, those of one node; and none where the search breaks an
   * assumption of the algorithm, under which alone its invariants are claimed.
   */
  readonly invariants?: InvariantChoice | undefined;
  /** Also find the run that costs most, over all that are searched, or least. Time has no least. */
  readonly worst?: CostMeasure | undefined;
  readonly best?: Exclude<CostMeasure, 'time'> | undefined;
  /** Keep 64 bits of each state instead of all: less memory, and a small chance to overlook some. */
  readonly fingerprints?: boolean | undefined;
  /** States in all, and bytes for those of one order and set of initiators, after which the search gives up. */
  readonly stateLimit?: number | undefined;
  readonly memoryLimit?: number | undefined;
  /** Is called now and then with the number of states found so far. */
  readonly onProgress?: ((states: number, waiting: number, bytes: number) => void) | undefined;
}

export function invariantChoice(algorithm: AnyAlgorithm, options: CheckOptions): InvariantChoice {
  if (options.invariants !== undefined) return options.invariants;
  if (breaksAssumption(algorithm, options)) return 'none';
  return (options.best ?? options.worst) === undefined ? 'all' : 'node';
}

function breaksAssumption({ assumes }: AnyAlgorithm, options: CheckOptions): boolean {
  const { crashes = 0, despite = [], fifo, losses = 0, recoveries = 0, suspect } = options;
  const tolerates = (fault: Fault): boolean => assumes.faults?.includes(fault) ?? false;
  return (
    (assumes.fifo && fifo === false) ||
    suspect === true ||
    despite.length > 0 ||
    (crashes > 0 && !tolerates('crash')) ||
    (recoveries > 0 && !tolerates('recover')) ||
    (losses > 0 && !tolerates('loss'))
  );
}
