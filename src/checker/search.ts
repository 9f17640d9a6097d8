/**
 * Every state that a system can reach, breadth first: the first violation found is one that a shortest run leads to.
 */
import { StateStore } from './state-store.ts';
import type { System, Violation } from './system.ts';

export interface SearchLimits {
  /** States after which the search gives up. */
  readonly states: number;
}

export interface Finding extends Violation {
  /** The number of the state in which it shows, or in which the step that breaks something is taken. */
  readonly state: number;
  readonly step: number | null;
}

export interface Search {
  readonly store: StateStore;
  readonly transitions: number;
  /** States in which nothing need happen any more: the ends of runs. */
  readonly terminal: number;
  /** Some step led to a state that is not further from the beginning: runs may go round for ever. */
  readonly mayCycle: boolean;
  readonly finding: Finding | null;
  /** States that were found and not searched, because of the limit. */
  readonly unsearched: number;
}

export function search(
  system: System,
  limits: SearchLimits,
  onProgress?: (search: StateStore, searched: number) => void,
): Search {
  const store = new StateStore(system.width);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  let transitions = 0;
  let terminal = 0;
  let mayCycle = false;
  let finding: Finding | null = null;
  let number = 0;
  /** Numbers from this one on are one step further from the beginning. */
  let further = 1;
  let moves = 0;
  const visit = (step: number, violation: Violation | null): void => {
    transitions++;
    if (!system.optional(step)) moves++;
    const reached = store.add(next, number);
    if (reached < further) mayCycle = true;
    if (violation !== null) finding ??= { ...violation, state: number, step };
  };
  store.add(system.initial(), -1);
  for (; number < store.count && store.count <= limits.states && finding === null; number++) {
    if (number === further) further = store.count;
    if ((number & 0xffff) === 0) onProgress?.(store, number);
    store.read(number, state);
    moves = 0;
    system.expand(state, next, visit);
    let violation = system.inspect(state);
    if (moves === 0) {
      terminal++;
      violation ??= system.judgeEnd(state);
    }
    if (violation !== null) finding ??= { ...violation, state: number, step: null };
  }
  return { store, transitions, terminal, mayCycle, finding, unsearched: store.count - number };
}

/** The states from the beginning to a given one, as they were found. */
export function pathTo(store: StateStore, number: number): number[] {
  const path: number[] = [];
  for (let at = number; at >= 0; at = store.parentOf(at)) path.push(at);
  return path.reverse();
}
