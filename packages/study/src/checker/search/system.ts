/**
 * A transition system: states are rows of 16-bit numbers, and steps lead from one state to another. The search only
 * compares states; their meaning is up to the system.
 */
export interface System {
  /** The number of 16-bit numbers in a state. */
  readonly width: number;
  /** A permutation of the places of a state in which places that change together are adjacent; see state-store.ts. */
  readonly order?: readonly number[];
  /** The states in which runs begin. */
  initials(): Iterable<Initial>;
  /**
   * Calls `visit` for every enabled step, with the successor state in `next`; a step with random draws is visited once for
   * each outcome. A step has the same number in every state.
   */
  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void;
  /**
   * Partial-order reduction: visits only a persistent subset of the enabled steps, and returns true. Returns false, and visits
   * nothing, if it knows no such subset. The system must prove that the subset is persistent; see asynchronous-system.ts.
   * Absent without reduction.
   */
  expandPersistent?(state: Uint16Array, next: Uint16Array, visit: Visit): boolean;
  /** A step that may happen, but need not, such as a fault: fairness does not apply to it, and a terminal state may enable it. */
  isOptional(step: number): boolean;
  /** The node that takes the step; −1 for steps without one, such as the passing of time. */
  actor(step: number): number;
  /** The state is inspected, but not expanded. */
  exceedsBound(state: Uint16Array): boolean;
  /** The violation of a safety property in this state, or null. */
  inspect(state: Uint16Array): Violation | null;
  /** The violation in a terminal state, such as a deadlock, or null. */
  judgeEnd(state: Uint16Array): Violation | null;
  /** The step from this state as text. */
  describe(state: Uint16Array, step: number): string;
  /** Present if the numbers in a state depend on the order in which the system met the values. */
  readonly numbers?: NumberedValues;
  /** Termination is checked. */
  readonly mustTerminate: boolean;
}

/** By kind and number: the values that a system has interned, each as a text from which it can be made again. */
export type InternedValues = readonly (readonly string[])[];

/** Lets several threads intern the same values under the same numbers; see parallel/intern-log.ts. */
export interface NumberSharing {
  /** Runs `add` while no other thread adds a value, after the values of other threads were imported. */
  exclusively(add: () => number): number;
  /** Tells other threads about a value that was added. */
  append(kind: number, key: string): void;
}

/** The numbers that a system has given to interned values: the states of a search mean nothing without them. */
export interface NumberedValues {
  /** Every interned value. */
  exportAll(): InternedValues;
  /** Adds the values that are new here. Those that are not must have the same numbers. */
  importAll(values: InternedValues): void;
  /** Adds a value that is new here. */
  importOne(kind: number, key: string): void;
  /** From now on other threads intern values too; null ends that. */
  share(sharing: NumberSharing | null): void;
}

/**
 * Called for a step, with the violation that the step itself is, and with the steps whose enabledness it interrupts although
 * they are enabled before and after it, such as that of a timer that it restarts.
 */
export type Visit = (step: number, violation: Violation | null, interrupted?: readonly number[]) => void;

/** An initial state. */
export interface Initial {
  readonly state: Uint16Array;
  /** A violation before the first step. */
  readonly violation: Violation | null;
}

/** A violated property of a state or a step. */
export interface Violation {
  readonly property: string;
  readonly text: string;
}

/** The largest 16-bit number. */
export const MAX_NUMBER = 65_535;
