import { expect, it } from 'vitest';
import { floodMaxRounds } from '../../../src/algorithms/index.ts';
import { replay } from '../../../src/checker/index.ts';
import { timelineOf } from '../../../src/drawing/index.ts';
import type { TraceEvent } from '../../../src/kernel/index.ts';
import { Run } from '../../../src/simulator/index.ts';

/** What a node did and what it then knew; losses and times are written differently. */
function historiesOf(events: readonly TraceEvent[], n: number): unknown[] {
  return Array.from({ length: n }, (_, at) =>
    events.flatMap((event): unknown[] => {
      if (event.node !== at) return [];
      if (event.type === 'state') return [event.state];
      return event.type === 'deliver' ? [event.message] : event.type === 'start' ? ['start'] : [];
    }),
  );
}

it('the trace of a replayed round has the state after each of its deliveries, as a simulation has', () => {
  const setup = { topology: 'grid:2x3', ids: [4, 1, 6, 2, 5, 3] };
  const simulated: TraceEvent[] = [];
  const run = new Run(floodMaxRounds, {
    ...setup,
    observe: (event) => simulated.push(event),
    states: true,
  });
  while (!run.advance());
  const rounds = Math.max(...simulated.map(({ time }) => time));
  const { trace: steps } = replay(floodMaxRounds, {
    ...setup,
    initiators: [0, 1, 2, 3, 4, 5],
    steps: new Array(rounds).fill('round'),
  });
  const trace = steps.flat();
  expect(historiesOf(trace, 6)).toEqual(historiesOf(simulated, 6));
  const swallowed = (events: readonly TraceEvent[]) =>
    timelineOf(events, { topology: run.plan.topology, announcements: [] }).transfers.filter(
      ({ isSwallowed }) => isSwallowed,
    ).length;
  expect(swallowed(trace)).toBe(swallowed(simulated));
  expect(swallowed(trace)).toBeGreaterThan(0);
});
