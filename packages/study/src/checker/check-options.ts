/** The options of check(). */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import type { Fault } from '../kernel/assumptions.ts';
import type { InvariantChoice } from '../kernel/invariant.ts';
import type { SetupOptions } from '../kernel/setup.ts';
import type { Starts } from '../kernel/world/rules.ts';
import type { Checkpoint, Facts } from './checkpoint/checkpoint.ts';
import type { CostMeasure } from './cost/message-cost.ts';
import type { SearchThreads } from './parallel/thread-task.ts';

/** State spaces grow exponentially, so a search has fewer nodes by default than a simulation. */
export const DEFAULT_CHECK_NODES = 4;

/** What is explored, and within which limits. */
export interface CheckOptions extends SetupOptions {
  /**
   * A search that the algorithm defines, by name, or 'none'. Other options override its parts. By default its first one, if no
   * option says what to search: a network, parameters, initiators, faults, delays or bounds.
   */
  readonly preset?: string | undefined;
  /** One order of the ids, or all orders. */
  readonly orders?: 'one' | 'all' | undefined;
  /** All nodes, every non-empty set of nodes, or these positions. */
  readonly initiators?: 'all' | 'subsets' | readonly number[] | undefined;
  readonly starts?: Starts | undefined;
  /** The maximum number of crashes, recoveries and losses, each at any time. */
  readonly crashes?: number | undefined;
  readonly recoveries?: number | undefined;
  readonly losses?: number | undefined;
  /** False lets messages overtake one another, true does not; by default the assumption of the algorithm applies. */
  readonly fifo?: boolean | undefined;
  /** Bounded delay: the longest delay in units, 1 by default; and whether timers may fire early. */
  readonly delay?: number | undefined;
  readonly suspect?: boolean | undefined;
  /** Checks although a round trip may take longer than the timeout. */
  readonly despite?: readonly 'timing'[] | undefined;
  /** The largest values of counters, by name: a state with a larger one is not expanded. */
  readonly bound?: Readonly<Record<string, number>> | undefined;
  /** auto, the default: partial-order reduction, and symmetry reduction by rotation on rings; none: the full state space. */
  readonly reduce?: 'auto' | 'none' | undefined;
  /**
   * The invariants of the algorithm that are checked. An invariant of the network turns the reductions off. By default all;
   * with `worst` or `best`, which need the reductions, those of one node; and none if the options violate an assumption of
   * the algorithm, because its invariants are only claimed under its assumptions.
   */
  readonly invariants?: InvariantChoice | undefined;
  /** Also finds a most, or least, expensive run over all instances. */
  readonly worst?: CostMeasure | undefined;
  readonly best?: Exclude<CostMeasure, 'time'> | undefined;
  /** Stores a 64-bit fingerprint per state: less memory, and a small probability that states are missed. */
  readonly fingerprints?: boolean | undefined;
  /** The search stops after this number of states in all, or if the states of one instance take this number of bytes. */
  readonly stateLimit?: number | undefined;
  readonly memoryLimit?: number | undefined;
  /** The check stops if it returns true. It is called for every state, so it must be fast. */
  readonly isInterrupted?: (() => boolean) | undefined;
  /** Called with a checkpoint if a limit or an interrupt stops the check before it has found a counterexample. */
  readonly onStopped?: ((checkpoint: Checkpoint) => void) | undefined;
  /** Continues from a checkpoint of the same check. Limits and threads may differ. */
  readonly resume?: Checkpoint | undefined;
  /** Further facts that must be equal in a check that is resumed, such as the version of the algorithm. */
  readonly checkpointFacts?: Facts | undefined;
  /** Threads for large searches; one thread by default. */
  readonly threads?: SearchThreads | undefined;
  /**
   * Called regularly with the number of states, the length of the queue, the size of the state store, and an estimate of the
   * number of states in the end; null if there is none yet, or if the check has several instances, whose numbers then follow.
   */
  readonly onProgress?:
    | ((
        states: number,
        waiting: number,
        bytes: number,
        expected?: number | null,
        instances?: { readonly searched: number; readonly all: number } | null,
      ) => void)
    | undefined;
  /** Called after each instance with the number of states at each depth, from the initial states on. */
  readonly onSearched?: ((widths: readonly number[]) => void) | undefined;
}

export function invariantChoice(algorithm: AnyAlgorithm, options: CheckOptions): InvariantChoice {
  if (options.invariants !== undefined) return options.invariants;
  if (violatesAssumption(algorithm, options)) return 'none';
  return (options.best ?? options.worst) === undefined ? 'all' : 'node';
}

function violatesAssumption({ assumes }: AnyAlgorithm, options: CheckOptions): boolean {
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
