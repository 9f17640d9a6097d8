/**
 * Elections with faults on complete networks: random faults of nodes and links, followed by a detection. For
 * fast-check, which draws and shrinks them.
 */
import fc from 'fast-check';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import { DEAD } from '../../../src/kernel/machine/status.ts';
import type { NodeFault } from '../../../src/simulator/faults/faults.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import { Run } from '../../../src/simulator/simulate.ts';
import { ascending } from '../orders.ts';

export interface FaultPattern {
  readonly options: SimulateOptions;
  /** The processes that detect the crash after the last fault. */
  readonly last: readonly number[];
}

/** The time from the last fault to the detection, in timeouts: earlier elections are over by then. */
const SETTLING_TIMEOUTS = 5;

const position = (n: number) => fc.nat(n - 1);

/**
 * Up to `most` processes, up to six crashes, most with a recovery, under any bounded-delay schedule; with `loss`,
 * links that lose messages until the last fault. Then, after a while, some processes are detectors; the live ones
 * among them start. At least one process starts or recovers: a run that nothing starts is refused.
 */
export function faultPatterns({ most, loss }: { most: number; loss: boolean }): fc.Arbitrary<FaultPattern> {
  return fc.integer({ min: 1, max: most }).chain((n) => {
    const time = fc.nat(160).map((quarters) => quarters / 4);
    return fc
      .record({
        crashes: fc.array(
          fc.record({
            position: position(n),
            time: fc.oneof(fc.constant(0), time),
            away: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 3 }),
          }),
          { maxLength: 6 },
        ),
        starts: fc.uniqueArray(fc.record({ position: position(n), time: fc.oneof(fc.constant(0), time) }), {
          maxLength: 4,
          selector: (start) => `${start.position}@${start.time}`,
        }),
        schedule: fc.constantFrom<SimulateOptions['schedule'][]>('lockstep', 'random', 'random:nofifo'),
        patience: fc.nat(2),
        duplicate: fc.constantFrom(0, 0, 0.2),
        lossiness: fc.constantFrom(0.1, 0.4, 0.8),
        seed: fc.nat(1_000_000),
        last: fc.uniqueArray(position(n), { minLength: 1, maxLength: n }),
        late: fc.nat(20),
      })
      .map(({ crashes, starts, schedule, patience, lossiness, last, late, ...options }) => {
        const crash = crashes.map(({ position, time }) => ({ position, time }));
        const recover = crashes.flatMap(({ position, time, away }) =>
          away === null ? [] : [{ position, time: time + away / 4 }],
        );
        const times = [...crash, ...recover, ...starts].map(({ time }) => time);
        const over = Math.max(0, ...times) + (loss ? late : 0);
        const timeout = (schedule === 'lockstep' ? 2 : 6) + patience;
        const detectors = last.map((position) => ({ position, time: over + SETTLING_TIMEOUTS * timeout }));
        return {
          last,
          options: {
            ...options,
            ...(loss ? { loss: lossiness, lossUntil: over, despite: ['loss'] } : {}),
            ids: ascending(n),
            crash,
            recover,
            initiators: [...starts, ...detectors],
            schedule,
            set: { timeout },
          },
        };
      })
      .filter(({ options: { crash, initiators, recover } }) => {
        const isLive = ({ position, time }: NodeFault) =>
          !crash.some((fault) => fault.position === position && fault.time <= time);
        return recover.length > 0 || initiators.some(isLive);
      });
  });
}

export interface FinalState {
  /** The ids of the live processes, in ascending order. */
  readonly live: readonly number[];
  /** The leader and term of each of them; undefined if it has not decided. */
  readonly views: readonly ({ readonly leader: number; readonly term: number } | undefined)[];
  /** Two processes have led the same term, or a decision has changed within a term. */
  readonly breach: string | null;
  readonly replay: string;
}

/** Runs to the end and reads the decisions of all live processes. */
export function finalStateOf(algorithm: AnyAlgorithm, options: SimulateOptions): FinalState {
  const run = new Run(algorithm, options);
  while (!run.advance());
  const { decisions, status } = run.simulation.machine;
  const { ids } = run.plan;
  const positions = Array.from(ids.keys()).filter((at) => (status[at] & DEAD) === 0);
  return {
    live: positions.map((at) => ids[at]),
    views: positions.map((at) =>
      decisions.roles[at] === 0 ? undefined : { leader: decisions.leaders[at], term: decisions.terms[at] },
    ),
    breach: decisions.breach?.text ?? null,
    replay: run.plan.replay,
  };
}

/** The largest live process leads, and all live processes know it, in one term. */
export function expectOneLeader({ live, views, replay }: FinalState): void {
  const term = views[0]?.term;
  if (views.every((view) => view?.leader === live.at(-1) && view?.term === term)) return;
  throw new Error(`the live ${live} end with ${JSON.stringify(views)}; replay: ${replay}`);
}
