/** A simulated run as a trace: its events with states, and the random draws of each handler. */
import { type AnyAlgorithm, ElectionError, type TraceEvent } from '@hustings/study/kernel';
import { Run, type SimulateOptions } from '@hustings/study/simulator';

/** A run is recorded up to this number of events. */
const MAX_EVENTS = 400_000;

/** A simulated run as a trace. */
export interface SimulatedTrace {
  readonly run: Run;
  readonly events: readonly TraceEvent[];
  /** By the index of the state event that follows the handler: the nodes that drew, and the outcomes. */
  readonly draws: ReadonlyMap<number, readonly number[]>;
  /** The property that the run violated; null if the simulator had nothing to object. */
  readonly violation: string | null;
  /** True if the run is longer than what was recorded. */
  readonly isCut: boolean;
  /** Drops events and draws. The run keeps its observer, and with it everything that the observer has kept. */
  readonly release: () => void;
}

/** Simulates a run and keeps its events. A violation ends the run and is part of the trace. */
export function traceOf(
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
  maxEvents = MAX_EVENTS,
): SimulatedTrace {
  const events: TraceEvent[] = [];
  const draws = new Map<number, number[]>();
  const run = new Run(algorithm, { ...options, observe: (event) => events.push(event), states: true });
  const { context } = run.simulation.machine;
  const { draw } = context;
  context.draw = (sides) => {
    const drawn = draw(sides);
    const sequence = draws.get(events.length);
    if (sequence === undefined) draws.set(events.length, [drawn]);
    else sequence.push(drawn);
    return drawn;
  };
  let violation: string | null = null;
  let isOver = false;
  try {
    while (!isOver && events.length < maxEvents) isOver = run.advance(1000);
    if (isOver) run.outcome();
  } catch (error) {
    if (!(error instanceof ElectionError)) throw error;
    violation = error.message;
    isOver = true;
  }
  const release = (): void => {
    events.length = 0;
    draws.clear();
  };
  return { run, events, draws, violation, isCut: !isOver, release };
}
