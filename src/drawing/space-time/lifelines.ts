/** The states of each node over time: asleep, awake, crashed. */
import type { TraceEvent } from '../../kernel/trace.ts';

export interface Span {
  readonly state: 'asleep' | 'awake' | 'dead';
  /** In units. */
  readonly from: number;
  readonly until: number;
}

/** The time spans of each position from 0 to the end, without gaps. */
export function lifelinesOf(events: readonly TraceEvent[], n: number, end: number): Span[][] {
  const states: Span['state'][] = new Array(n).fill('asleep');
  const since: number[] = new Array(n).fill(0);
  const spans: Span[][] = Array.from({ length: n }, () => []);
  const turn = (node: number, state: Span['state'], time: number) => {
    if (states[node] === state) return;
    if (time > since[node]) spans[node].push({ state: states[node], from: since[node], until: time });
    states[node] = state;
    since[node] = time;
  };
  for (const { type, node, time } of events) {
    if (type === 'crash') turn(node, 'dead', time);
    else if (type === 'start' || type === 'recover' || type === 'deliver') turn(node, 'awake', time);
  }
  for (let node = 0; node < n; node++) {
    spans[node].push({ state: states[node], from: since[node], until: end });
  }
  return spans;
}
