/** The states of each node over time: asleep, awake, passive, crashed. */
import type { Appearance } from '../../kernel/appearance.ts';
import type { TraceEvent } from '../../kernel/trace.ts';

/** A part of a lifeline in which the node stays in one state. */
export interface Span {
  readonly state: 'asleep' | 'awake' | 'passive' | 'dead';
  /** In units. */
  readonly from: number;
  readonly until: number;
}

/** What the algorithm declares about a state of a node. */
export type AppearanceOf = (
  state: Readonly<Record<string, unknown>>,
) => Pick<Appearance, 'passive' | 'phase'>;

/** The time spans of each position from 0 to the end, without gaps. */
export function lifelinesOf(
  events: readonly TraceEvent[],
  n: number,
  end: number,
  appearance?: AppearanceOf,
): Span[][] {
  const states: Span['state'][] = new Array(n).fill('asleep');
  const since: number[] = new Array(n).fill(0);
  const spans: Span[][] = Array.from({ length: n }, () => []);
  const turn = (node: number, state: Span['state'], time: number) => {
    if (states[node] === state) return;
    if (time > since[node]) spans[node].push({ state: states[node], from: since[node], until: time });
    states[node] = state;
    since[node] = time;
  };
  for (const event of events) {
    const { node, time, type } = event;
    if (type === 'crash') turn(node, 'dead', time);
    else if (type === 'start' || type === 'recover') turn(node, 'awake', time);
    else if (type === 'deliver' && states[node] === 'asleep') turn(node, 'awake', time);
    else if (type === 'state' && (states[node] === 'awake' || states[node] === 'passive')) {
      turn(node, appearance?.(event.state).passive ? 'passive' : 'awake', time);
    }
  }
  for (let node = 0; node < n; node++) {
    spans[node].push({ state: states[node], from: since[node], until: end });
  }
  return spans;
}
