/**
 * A checkpoint: a check that a limit or an interrupt has stopped. A check that is resumed from it has the result of one that
 * was not stopped.
 */
import type { SearchPosition } from '../search/search.ts';
import type { SavedStates } from '../search/state-store.ts';
import type { InternedValues } from '../search/system.ts';

/** Where a check stopped. It can be cloned, and is not changed by a check that is resumed from it. */
export interface Checkpoint {
  /** What must be equal in a check that is resumed, by name. */
  readonly facts: Facts;
  /** The instances that were searched completely. */
  readonly tally: InstanceTally;
  readonly search: SavedSearch;
}

/** What was counted and found in instances that were searched completely. */
export interface InstanceTally {
  readonly searched: number;
  readonly states: number;
  readonly transitions: number;
  readonly terminal: number;
  readonly cut: number;
  readonly depth: number;
  readonly isReduced: boolean;
  readonly termination: Termination;
  /** False if in no state of these instances is there a leader that all live nodes follow. */
  readonly mayElect: boolean;
}

/** The search of an instance, between two states. */
export interface SavedSearch {
  /** It uses partial-order reduction; otherwise a reduced search may have ended before it. */
  readonly reduce: boolean;
  /** See ReductionLimits. */
  readonly isTooLarge: boolean;
  readonly position: SearchPosition;
  readonly values: InternedValues;
  readonly states: SavedStates;
}

/** Facts about a check, by name. */
export type Facts = Readonly<Record<string, string>>;

/**
 * What was found about termination within the explored states. sure: every weakly fair run terminates; almost-sure: not
 * every one does, but under every weakly fair scheduler runs terminate with probability 1; with a bound, a run may also
 * exceed it. violated: there is a deadlock or a livelock. unchecked: the algorithm is declared non-terminating and has no deadlock,
 * or the search stopped, or states were not exact although the graph may have cycles.
 */
export type Termination = 'sure' | 'almost-sure' | 'violated' | 'unchecked';
