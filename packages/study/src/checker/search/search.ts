/**
 * Explores the reachable states of a system breadth-first.
 *
 * Guarantees: the violation that it reports has a shortest run. The run of a violating step includes that step, so it is one
 * step longer than the run of a violating state of the same level. Does not check termination; see fairness.ts.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { type Counts, Explorer, type FoundViolation } from './explorer.ts';
import { runSlices, type Slices } from './slices.ts';
import type { SeenStates } from './state-store.ts';
import type { System, Visit } from './system.ts';

/** The search stops when the number of states or the size of the state store exceeds its limit. */
export interface SearchLimits {
  readonly states: number;
  readonly bytes: number;
}

/** Progress is reported after this number of states. */
const PROGRESS_EVERY = 1 << 12;
/** The caller may do something else after this number of states. Few, because each may need thousands of calls of handlers. */
export const STATES_IN_SLICE = 1 << 4;

/** A finished search: its states and what it found. */
export interface Search extends Counts {
  readonly seen: SeenStates;
  readonly finding: FoundViolation | null;
  /** The number of states that were expanded: those with smaller numbers. */
  readonly searched: number;
  /** The CapacityError that stopped the search; null if there was none. */
  readonly overflow: CapacityError | null;
  readonly isInterrupted: boolean;
  /** The first number of each level: states at the same distance from the initial states. */
  readonly levels: readonly number[];
  /** Null if the search stopped before it had all initial states: there is nothing to continue from. */
  readonly position: SearchPosition | null;
}

/** Every state was expanded. */
export function isExhausted({ overflow, position, searched, seen }: Search): boolean {
  return overflow === null && position !== null && searched === seen.count;
}

/** Where a search stopped. With its states, it continues from here as if it had not stopped. */
export interface SearchPosition {
  /** The number of states that were expanded. */
  readonly searched: number;
  /** The first number of each level that was begun, and of the next. */
  readonly levels: readonly number[];
  readonly nextLevel: number;
  readonly counts: Counts;
}

/** Threads that expand parts of a level together; see parallel/worker-pool.ts. */
export interface SearchWorkers {
  /**
   * Expands the states from `from` on, at most up to `nextLevel`, exactly as one thread would, and adds the counts to the
   * explorer. Returns the number of states that it expanded; 0 if one thread must expand this state.
   */
  advance(from: number, nextLevel: number, limits: SearchLimits, explorer: Explorer): number;
  /** Ends the threads. */
  end(): void;
}

export interface SearchOptions {
  /** `levels` has the first number of each level so far. */
  readonly onProgress?: ((seen: SeenStates, searched: number, levels: readonly number[]) => void) | undefined;
  readonly pool?: SearchWorkers | null | undefined;
  /** The search stops if it returns true. */
  readonly isInterrupted?: (() => boolean) | undefined;
  /** The position of a search whose states are in the store. */
  readonly resumed?: SearchPosition | null | undefined;
}

export function search(
  system: System,
  seen: SeenStates,
  limits: SearchLimits,
  options: SearchOptions = {},
): Search {
  return runSlices(searchInSlices(system, seen, limits, options));
}

export function* searchInSlices(
  system: System,
  seen: SeenStates,
  limits: SearchLimits,
  { pool = null, isInterrupted, onProgress, resumed = null }: SearchOptions = {},
): Slices<Search> {
  const explorer = new Explorer(system, seen);
  let overflow: CapacityError | null = null;
  let wasInterrupted = false;
  let number = resumed?.searched ?? 0;
  if (resumed !== null) explorer.include(resumed.counts);
  /** The first number of the next level. */
  let nextLevel = resumed?.nextLevel ?? 0;
  const levels = [...(resumed?.levels ?? [0])];
  const isFull = (): boolean => seen.count > limits.states || seen.bytes > limits.bytes;
  const looksInterrupted = (): boolean => {
    wasInterrupted = isInterrupted?.() === true;
    return wasInterrupted;
  };
  let hasInitials = resumed !== null;
  // A violating step makes a run one step longer than a violating state of the same level, so the level is completed.
  const isOver = (): boolean => {
    const { finding } = explorer;
    return finding !== null && (finding.step === null || number === nextLevel);
  };
  let reported = 0;
  let paused = number;
  try {
    // A violation before the first step ends a search, so there is none in a search that is resumed.
    hasInitials ||= yield* addInitials(system, seen, explorer, () => {
      onProgress?.(seen, 0, levels);
      return isFull() || looksInterrupted();
    });
    if (resumed === null) nextLevel = seen.count;
    while (hasInitials && number < seen.count && !isOver()) {
      // A violation is reported in any case, so a limit does not end its level: the run is then a shortest one.
      const hasFound = explorer.finding !== null;
      if (!hasFound && isFull()) break;
      if (number === nextLevel) {
        levels.push(number);
        nextLevel = seen.count;
      }
      if (number >= reported) {
        onProgress?.(seen, number, levels);
        reported = number + PROGRESS_EVERY;
      }
      if (looksInterrupted()) break;
      if (number >= paused + STATES_IN_SLICE) {
        paused = number;
        yield;
      }
      const together = pool === null || hasFound ? 0 : pool.advance(number, nextLevel, limits, explorer);
      if (together === 0) explorer.explore(number, nextLevel);
      number += Math.max(1, together);
    }
  } catch (error) {
    if (!(error instanceof CapacityError)) throw error;
    overflow = error;
  } finally {
    pool?.end();
  }
  const { beyondBound, finding, isReduced, mayCycle, terminal, transitions } = explorer;
  const counts: Counts = { transitions, terminal, beyondBound, mayCycle, isReduced };
  return {
    ...counts,
    seen,
    finding,
    searched: number,
    overflow,
    isInterrupted: wasInterrupted,
    levels: nextLevel < seen.count ? [...levels, nextLevel] : levels,
    position: hasInitials ? { searched: number, levels, nextLevel, counts } : null,
  };
}

/** There may be very many, so `mustStop` is asked now and then. Returns true if all of them were added. */
function* addInitials(
  system: System,
  seen: SeenStates,
  explorer: Explorer,
  mustStop: () => boolean,
): Slices<boolean> {
  let count = 0;
  for (const { state, violation } of system.initials()) {
    const number = seen.add(state, -1);
    if (violation !== null) explorer.finding ??= { ...violation, state: number, step: null };
    if (++count % STATES_IN_SLICE !== 0) continue;
    if (mustStop()) return false;
    yield;
  }
  return true;
}

/** Explores all states, and ignores violations. */
export function searchAll(
  system: System,
  seen: SeenStates,
  limits: SearchLimits,
  options?: SearchOptions,
): Slices<Search> {
  const blind: System = Object.create(system, {
    inspect: { value: () => null },
    judgeEnd: { value: () => null },
    expand: {
      value: (state: Uint16Array, next: Uint16Array, visit: Visit) =>
        system.expand(state, next, (step) => visit(step, null)),
    },
    expandPersistent: {
      value: (state: Uint16Array, next: Uint16Array, visit: Visit) =>
        system.expandPersistent?.(state, next, (step) => visit(step, null)) ?? false,
    },
  });
  return searchInSlices(blind, seen, limits, options);
}
