/**
 * Elections of processes that know the order of their ring: compared with the reference, and run under crashes and
 * recoveries.
 */
import fc from 'fast-check';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import type { TraceEvent } from '../../../src/kernel/trace.ts';
import type { NodeFault } from '../../../src/simulator/faults/faults.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import { Run, simulate } from '../../../src/simulator/simulate.ts';
import { replayOf, run } from '../laws.ts';
import { permutations, positionSets, seeded, shuffled, somePositions } from '../orders.ts';
import { ringMapLockstep } from './ring-map.reference.ts';

export interface MapRing {
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  readonly dead: readonly number[];
  readonly timeout?: number;
}

/**
 * All orders up to `most` nodes, all initiators, and all sets of crashed processes that leave a live initiator.
 */
export function* everyMapRing(most: number): Generator<MapRing> {
  for (let n = 1; n <= most; n++) {
    for (const ids of permutations(n)) {
      for (const initiators of positionSets(n)) {
        yield { ids, initiators, dead: [] };
        for (const dead of positionSets(n)) {
          if (initiators.every((at) => !dead.includes(at))) yield { ids, initiators, dead };
        }
      }
    }
  }
}

/** Every size up to 64: one, some and all initiate, and none, the largest or several are crashed. */
export function* everyMapSize(): Generator<MapRing> {
  for (let n = 1; n <= 64; n++) {
    const below = seeded(n);
    const ids = shuffled(n, n);
    const all = Array.from({ length: n }, (_, position) => position);
    yield { ids, initiators: [below(n)], dead: [] };
    yield { ids, initiators: somePositions(n, 1 + below(n), n), dead: [] };
    if (n <= 12) yield { ids, initiators: all, dead: [] };
    if (n === 1) continue;
    const largest = ids.indexOf(n);
    const others = all.filter((position) => position !== largest);
    yield { ids, initiators: [others[below(n - 1)]], dead: [largest], timeout: 2 + below(4) };
    if (n <= 12) yield { ids, initiators: others, dead: [largest] };
    const dead = somePositions(n, 1 + below(n - 1), n + 1);
    const live = all.filter((position) => !dead.includes(position));
    yield { ids, initiators: live.slice(0, 1 + below(Math.min(8, live.length))), dead };
  }
}

/** In lockstep everything is determined: the leader, the counts by type, and all times. */
export function expectAsMapReference(
  algorithm: AnyAlgorithm,
  kills: boolean,
  rings: Iterable<MapRing>,
): void {
  for (const { ids, initiators, dead, timeout = 2 } of rings) {
    const crash = dead.map((position) => ({ position, time: 0 }));
    const options: SimulateOptions = { ids, initiators, crash, set: { timeout } };
    const { leader, messages, time } = run(algorithm, options);
    const seen = {
      leader: leader?.position,
      election: messages.election,
      announcement: messages.announcement,
      byType: messages.byType,
      electedAt: time.electedAt,
      agreedAt: time.agreedAt,
      announcementReturnedAt: time.announcementReturnedAt,
    };
    const expected = ringMapLockstep(ids, { initiators, dead, timeout, kills });
    if (JSON.stringify(seen) === JSON.stringify(expected)) continue;
    throw new Error(
      `${algorithm.name}: ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}; replay: ${replayOf(algorithm, options)}`,
    );
  }
}

export interface Leading {
  readonly id: number;
  readonly term: number;
  readonly time: number;
}

/** Runs the election and records its events. */
export function watch(algorithm: AnyAlgorithm, options: SimulateOptions) {
  const events: TraceEvent[] = [];
  const outcome = simulate(algorithm, { ...options, observe: (event) => events.push(event) });
  const leaders = events.flatMap((event): Leading[] =>
    event.type === 'decide' && event.role === 'leader'
      ? [{ id: event.leader as number, term: event.term, time: event.time }]
      : [],
  );
  return { ...outcome, events, leaders };
}

/** One leader, known to all live processes: the largest of them. */
export function expectLargestLiveLeads(algorithm: AnyAlgorithm, options: SimulateOptions): void {
  const { leader, dead } = run(algorithm, options);
  const live = (options.ids as readonly number[]).filter((_, position) => !dead.includes(position));
  if (leader?.id === Math.max(...live)) return;
  throw new Error(`${leader?.id} leads, not ${Math.max(...live)}; replay: ${replayOf(algorithm, options)}`);
}

/** Two leaders of a term, or a decision that changed within a term; null if there were none. */
export function breachOf(algorithm: AnyAlgorithm, options: SimulateOptions): string | null {
  const election = new Run(algorithm, options);
  while (!election.advance());
  const { breach } = election.simulation.machine.decisions;
  return breach === null ? null : `${breach.text}; replay: ${election.plan.replay}`;
}

/**
 * Up to nine processes in any order, up to six crashes, most with a recovery, any of them a detector at any time,
 * under any bounded-delay schedule. The last event is the crash of a process, if it is alive, and its recovery.
 */
export const anyCrashes: fc.Arbitrary<SimulateOptions & { recover: NodeFault[] }> = fc
  .integer({ min: 1, max: 9 })
  .chain((n) => {
    const position = fc.nat(n - 1);
    const time = fc.nat(40 * n).map((quarters) => quarters / 4);
    return fc
      .record({
        order: fc.nat(1_000_000),
        downs: fc.array(
          fc.record({ position, time, away: fc.option(fc.integer({ min: 1, max: 20 * n }), { freq: 4 }) }),
          { maxLength: 6 },
        ),
        initiators: fc.uniqueArray(fc.record({ position, time: fc.oneof(fc.constant(0), time) }), {
          minLength: 1,
          maxLength: n,
          selector: ({ position, time }) => `${position}@${time}`,
        }),
        schedule: fc.constantFrom<SimulateOptions['schedule'][]>('lockstep', 'random', 'random:nofifo'),
        patience: fc.nat(2),
        seed: fc.nat(1_000_000),
        rescuer: position,
        calm: fc.nat(40),
      })
      .map(({ order, downs, initiators, schedule, patience, seed, rescuer, calm }) => {
        const crash = downs.map(({ position, time }) => ({ position, time }));
        const recover = downs.flatMap(({ position, time, away }) =>
          away === null ? [] : [{ position, time: time + away / 4 }],
        );
        const last = Math.max(0, ...crash.map(({ time }) => time), ...recover.map(({ time }) => time));
        crash.push({ position: rescuer, time: last + calm / 4 });
        recover.push({ position: rescuer, time: last + calm / 4 + 0.25 });
        const timeout = (schedule === 'lockstep' ? 2 : 6) + patience;
        return { ids: shuffled(n, order), crash, recover, initiators, schedule, seed, set: { timeout } };
      });
  });
