/**
 * Every state that a system can reach, breadth first: the first violation found is one that a shortest run leads to.
 */
import { CapacityError } from '../../kernel/errors.ts';
import type { SeenStates } from './state-store.ts';
import type { System, Violation } from './system.ts';

/** When a search gives up. */
export interface SearchLimits {
  /** States, and bytes that they take, after which the search gives up. */
  readonly states: number;
  readonly bytes: number;
}

/** A violation, and where the search found it. */
export interface FoundViolation extends Violation {
  /** The number of the state in which it shows, or in which the step that breaks something is taken. */
  readonly state: number;
  readonly step: number | null;
}

/** A finished search: its states and what it found. */
export interface Search {
  readonly seen: SeenStates;
  readonly transitions: number;
  /** States in which nothing need happen any more: the ends of runs. */
  readonly terminal: number;
  /** Some step led to a state that is not further from the beginning: runs may go round for ever. */
  readonly mayCycle: boolean;
  readonly finding: FoundViolation | null;
  /** States beyond the bounds. */
  readonly beyond: number;
  /** States that were looked into: those with smaller numbers. */
  readonly searched: number;
  /** Why the system could not go on, in words: states are rows of small numbers, and these may run out. */
  readonly overflow: string | null;
  /** The first number of each level: states that are equally far from the beginning. */
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
  let beyond = 0;
  let mayCycle = false;
  let finding = null as FoundViolation | null;
  let overflow: string | null = null;
  let number = 0;
  for (const initial of system.initials()) {
    const added = seen.add(initial.state, -1);
    if (initial.violation !== null) finding ??= { ...initial.violation, state: added, step: null };
  }
  /** Numbers from this one on are one step further from the beginning. */
  let further = seen.count;
  const levels = [0];
  let moves = 0;
  const visit = (step: number, violation: Violation | null): void => {
    transitions++;
    if (!system.isFault(step)) moves++;
    const reached = seen.add(next, number);
    if (reached < further) mayCycle = true;
    if (violation !== null) finding ??= { ...violation, state: number, step };
  };
  // A step that breaks something makes a run one step longer than a state that does: such a level is seen to its end.
  const isOver = (): boolean => finding !== null && (finding.step === null || number === further);
  for (; number < seen.count && !isOver(); number++) {
    if (seen.count > limits.states || seen.bytes > limits.bytes) break;
    if (number === further) {
      levels.push(number);
      further = seen.count;
    }
    if ((number & 0xfff) === 0) onProgress?.(seen, number);
    seen.read(number, state);
    let violation = system.inspect(state);
    if (violation === null && system.exceedsBound(state)) {
      beyond++;
      continue;
    }
    moves = 0;
    try {
      system.expand(state, next, visit);
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
      overflow = error.message;
      break;
    }
    if (moves === 0) {
      terminal++;
      violation ??= system.judgeEnd(state);
    }
    if (violation !== null) finding = { ...violation, state: number, step: null };
  }
  return { seen, transitions, terminal, mayCycle, finding, beyond, searched: number, overflow, levels };
}

/** Every state, whatever is wrong with some and with the steps between them. */
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
      value: (state: Uint16Array, next: Uint16Array, visit: Parameters<System['expand']>[2]) =>
        system.expand(state, next, (step) => visit(step, null)),
    },
  });
  return search(blind, seen, limits, onProgress);
}
