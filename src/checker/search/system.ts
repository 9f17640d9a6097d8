/**
 * Anything that can be searched: states that are rows of small numbers, and steps that lead from one to another. What
 * the numbers mean is the system's own business; the search only compares them.
 */
export interface System {
  /** Numbers in a state, each at most MOST_NUMBER. */
  readonly width: number;
  /** Where runs begin: in one of these. */
  initials(): readonly Initial[];
  /**
   * Calls `visit` for every step that is enabled in a state, with the state after it in `next`; once for each way in
   * which a step that draws lots can end. A step has the same number in every state. What the step itself breaks goes
   * with it. A system that leaves out steps for which others stand must say why it may; see async-system.ts.
   */
  expand(
    state: Uint16Array,
    next: Uint16Array,
    visit: (step: number, violation: Violation | null) => void,
  ): void;
  /** A fault: it may happen, and need not. */
  isFault(step: number): boolean;
  /** Who takes a step: a number for the node, −1 if it is nobody's, as the passing of time is. */
  actor(step: number): number;
  /** A state beyond the bounds of the search: it is looked at, and not gone on from. */
  exceedsBound(state: Uint16Array): boolean;
  /** What is wrong in a state, whatever comes after; null if nothing is. */
  inspect(state: Uint16Array): Violation | null;
  /** What is wrong with a state as the end of a run; null if nothing is. */
  judgeEnd(state: Uint16Array): Violation | null;
  /** The step from one state to another, in words. */
  describe(state: Uint16Array, step: number): string;
  /** Some steps are left out for which others stand. */
  readonly isReduced: boolean;
  /** Runs are meant to end. */
  readonly mustTerminate: boolean;
  /** Steps draw lots: then not every run must end, but from every state the end must be in reach. */
  readonly draws: boolean;
}

/** An initial state. */
export interface Initial {
  readonly state: Uint16Array;
  /** What was broken on the way there. */
  readonly violation: Violation | null;
}

/** A violated property of a state or a step. */
export interface Violation {
  readonly property: string;
  readonly text: string;
}

/** What fits the 16 bits that a state has for each of its numbers. */
export const MOST_NUMBER = 65_535;
