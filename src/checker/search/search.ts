/**
 * Explores the reachable states of a system breadth-first.
 *
 * Guarantees: the violation that it reports has a shortest run. The run of a violating step includes that step, so it is one
 * step longer than the run of a violating state of the same level. Does not check termination; see fairness.ts.
 */
import { CapacityError } from '../../kernel/errors.ts';
import { Expansion } from './expansion.ts';
import type { SeenStates } from './state-store.ts';
import type { System, Violation, Visit } from './system.ts';

/** The search stops when the number of states or the size of the state store exceeds its limit. */
export interface SearchLimits {
  readonly states: number;
  readonly bytes: number;
}

/** A violation, and where the search found it. */
export interface FoundViolation extends Violation {
  /** The number of the state with the violation, or from which the step with the violation leads. */
  readonly state: number;
  readonly step: number | null;
}

/** A finished search: its states and what it found. */
export interface Search {
  readonly seen: SeenStates;
  readonly transitions: number;
  /** Terminal states: no step is enabled, except optional ones. */
  readonly terminal: number;
  /** Partial-order reduction left out steps: the explored graph is smaller than the full one. See expansion.ts. */
  readonly isReduced: boolean;
  /** Some step leads to a state of the same or an earlier level, so the graph may have a cycle. */
  readonly mayCycle: boolean;
  readonly finding: FoundViolation | null;
  /** States that were not expanded because they exceed a bound. */
  readonly beyondBound: number;
  /** The number of states that were expanded: those with smaller numbers. */
  readonly searched: number;
  /** The text of the CapacityError that stopped the search; null if there was none. */
  readonly overflow: string | null;
  /** The first number of each level: states at the same distance from the initial states. */
  readonly levels: readonly number[];
}

export function search(
  system: System,
  seen: SeenStates,
  limits: SearchLimits,
  onProgress?: (seen: SeenStates, searched: number) => void,
): Search {
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  let transitions = 0;
  let terminal = 0;
  let beyondBound = 0;
  let mayCycle = false;
  let finding = null as FoundViolation | null;
  let overflow: string | null = null;
  let number = 0;
  for (const initial of system.initials()) {
    const added = seen.add(initial.state, -1);
    if (initial.violation !== null) finding ??= { ...initial.violation, state: added, step: null };
  }
  /** The first number of the next level. */
  let nextLevel = seen.count;
  const levels = [0];
  let enabled = 0;
  const expansion = new Expansion(system);
  const visit = (step: number, violation: Violation | null): void => {
    transitions++;
    if (!system.isOptional(step)) enabled++;
    seen.stage(next);
    if (violation !== null) finding ??= { ...violation, state: number, step };
  };
  const settle = (): number => {
    const least = seen.addStaged(number);
    if (least < nextLevel) mayCycle = true;
    return least;
  };
  // A violating step makes a run one step longer than a violating state of the same level, so the level is completed.
  const isOver = (): boolean => finding !== null && (finding.step === null || number === nextLevel);
  for (; number < seen.count && !isOver(); number++) {
    if (seen.count > limits.states || seen.bytes > limits.bytes) break;
    if (number === nextLevel) {
      levels.push(number);
      nextLevel = seen.count;
    }
    if ((number & 0xfff) === 0) onProgress?.(seen, number);
    seen.read(number, state);
    let violation = system.inspect(state);
    if (violation === null && system.exceedsBound(state)) {
      beyondBound++;
      continue;
    }
    enabled = 0;
    try {
      expansion.expand(state, next, nextLevel, visit, settle);
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
      overflow = error.message;
      break;
    }
    if (enabled === 0) {
      terminal++;
      violation ??= system.judgeEnd(state);
    }
    if (violation !== null) finding = { ...violation, state: number, step: null };
  }
  if (nextLevel < seen.count) levels.push(nextLevel);
  const { isReduced } = expansion;
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
  onProgress?: (seen: SeenStates, searched: number) => void,
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
  return search(blind, seen, limits, onProgress);
}
