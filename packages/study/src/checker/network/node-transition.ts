/** The transitions of a node for one event, and the cache that keeps them. */
import type { Violation } from '../search/system.ts';

/** One outcome of an event at a node. */
export interface NodeTransition {
  /** The number of the next state. */
  readonly state: number;
  /** Pairs of a link and the number of a message. */
  readonly sent: readonly number[];
  readonly violation: Violation | null;
  /** The steps of timers that were running and were set again. */
  readonly restarted: readonly number[];
}

/** The transitions for one kind of event at one place, by state and, for events with one, by message. */
export class StepCache {
  /** Arrays, because the search reads them for every transition. */
  private readonly transitions: (readonly NodeTransition[])[][] = [];

  get(state: number, message = 0): readonly NodeTransition[] | undefined {
    return this.transitions[state]?.[message];
  }

  set(state: number, message: number, transitions: readonly NodeTransition[]): void {
    this.transitions[state] ??= [];
    this.transitions[state][message] = transitions;
  }
}

export function isSameTransition(one: NodeTransition, other: NodeTransition): boolean {
  const { restarted, sent, state, violation } = one;
  return (
    state === other.state &&
    violation?.property === other.violation?.property &&
    violation?.text === other.violation?.text &&
    isSameList(sent, other.sent) &&
    isSameList(restarted, other.restarted)
  );
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, k) => value === other[k]);
}

/** The transitions without those that are equal to an earlier one. */
export function distinctTransitions(transitions: readonly NodeTransition[]): readonly NodeTransition[] {
  if (transitions.length < 2) return transitions;
  const byText = new Map<string, NodeTransition>();
  for (const transition of transitions) {
    const { restarted, sent, state, violation } = transition;
    const text = `${state};${sent.join()};${restarted.join()};${violation?.property}: ${violation?.text}`;
    if (!byText.has(text)) byText.set(text, transition);
  }
  return [...byText.values()];
}
