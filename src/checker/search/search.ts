/**
 * Explores the reachable states of a system breadth-first.
 *
 * Guarantees: the violation that it reports has a shortest run. The run of a violating step includes that step, so it is one
 * step longer than the run of a violating state of the same level. Does not check termination; see fairness.ts.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { type Counts, Explorer, type FoundViolation } from './explorer.ts';
import type { SeenStates } from './state-store.ts';
import type { System, Visit } from './system.ts';

/** The search stops when the number of states or the size of the state store exceeds its limit. */
export interface SearchLimits {
  readonly states: number;
  readonly bytes: number;
}

/** Progress is reported after this number of states. */
const PROGRESS_EVERY = 1 << 12;

/** A finished search: its states and what it found. */
export interface Search extends Counts {
  readonly seen: SeenStates;
  readonly finding: FoundViolation | null;
  /** The number of states that were expanded: those with smaller numbers. */
  readonly searched: number;
  /** The text of the CapacityError that stopped the search; null if there was none. */
  readonly overflow: string | null;
  /** The first number of each level: states at the same distance from the initial states. */
  readonly levels: readonly number[];
}

/** Threads that expand parts of a level together; see parallel/crew.ts. */
export interface SearchCrew {
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
  readonly crew?: SearchCrew | null | undefined;
}

export function search(
  system: System,
  seen: SeenStates,
  limits: SearchLimits,
  { crew = null, onProgress }: SearchOptions = {},
): Search {
  const explorer = new Explorer(system, seen);
  let overflow: string | null = null;
  let number = 0;
  for (const initial of system.initials()) {
    const added = seen.add(initial.state, -1);
    if (initial.violation !== null) explorer.finding ??= { ...initial.violation, state: added, step: null };
  }
  /** The first number of the next level. */
  let nextLevel = seen.count;
  const levels = [0];
  // A violating step makes a run one step longer than a violating state of the same level, so the level is completed.
  const isOver = (): boolean => {
    const { finding } = explorer;
    return finding !== null && (finding.step === null || number === nextLevel);
  };
  let reported = 0;
  try {
    while (number < seen.count && !isOver()) {
      if (seen.count > limits.states || seen.bytes > limits.bytes) break;
      if (number === nextLevel) {
        levels.push(number);
        nextLevel = seen.count;
      }
      if (number >= reported) {
        onProgress?.(seen, number, levels);
        reported = number + PROGRESS_EVERY;
      }
      const together =
        crew === null || explorer.finding !== null ? 0 : crew.advance(number, nextLevel, limits, explorer);
      if (together === 0) explorer.explore(number, nextLevel);
      number += Math.max(1, together);
    }
  } catch (error) {
    if (!(error instanceof CapacityError)) throw error;
    overflow = error.message;
  } finally {
    crew?.end();
  }
  if (nextLevel < seen.count) levels.push(nextLevel);
  const { beyondBound, finding, isReduced, mayCycle, terminal, transitions } = explorer;
  return {
    seen,
    transitions,
    terminal,
    isReduced,
    mayCycle,
    finding,
    beyondBound,
    searched: number,
    overflow,
    levels,
  };
}

/** Explores all states, and ignores violations. */
export function searchAll(
  system: System,
  seen: SeenStates,
  limits: SearchLimits,
  options?: SearchOptions,
): Search {
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
  return search(blind, seen, limits, options);
}
