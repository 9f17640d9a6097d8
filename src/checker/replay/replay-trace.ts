/** The events of a replay with the states of its nodes. */
import type { TraceEvent } from '../../kernel/trace.ts';
import type { Replay } from './replay.ts';

/** The events after which the state of a node may be another. */
const HANDLED: readonly TraceEvent['type'][] = [
  'start',
  'deliver',
  'undelivered',
  'timer',
  'crash',
  'recover',
];

/**
 * The events by step, with states as a simulation traces them: those of all nodes before the first step, then the state of each
 * node that takes part in a step, before what its handler sends.
 */
export function eventsWithStates({ events, states }: Replay): TraceEvent[][] {
  return events.map((step, k) => {
    const causes = step.filter(({ type }) => HANDLED.includes(type));
    const nodes = k === 0 ? states[0].keys() : new Set(causes.map(({ node }) => node));
    const shown: TraceEvent[] = [...step];
    for (const node of nodes) {
      const cause = shown.findLastIndex((event) => event.node === node && causes.includes(event));
      const time = shown[cause]?.time ?? 0;
      shown.splice(cause < 0 ? shown.length : cause + 1, 0, {
        type: 'state',
        time,
        node,
        state: states[k][node],
      });
    }
    return shown;
  });
}
