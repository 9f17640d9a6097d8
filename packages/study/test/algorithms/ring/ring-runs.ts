/**
 * Elections on rings, compared with a reference that is written from the source and independent of the simulator: the
 * leader, every count and every time. A difference is thrown with the command that replays the run.
 */
import fc from 'fast-check';
import { effort, randomRuns } from '../../../../../test-kit/limits/effort.ts';
import type { AnyAlgorithm } from '../../../src/kernel/algorithm.ts';
import { MAX_WORD } from '../../../src/kernel/field.ts';
import type { SimulateOptions } from '../../../src/simulator/plan/options.ts';
import type { Choice } from '../../../src/simulator/schedules/adversary.ts';
import type { Outcome } from '../../../src/simulator/simulate.ts';
import { replayOf, run } from '../laws.ts';
import {
  ascending,
  descending,
  permutations,
  positionSets,
  seeded,
  shuffled,
  somePositions,
} from '../orders.ts';
import { at, type Outcome as Expected } from '../reference-outcome.ts';

/** A plain implementation, or its closed form; all nodes initiate if no list is given. */
export type Reference = (ids: readonly number[], initiators?: readonly number[]) => Expected;

export interface Ring {
  readonly ids: readonly number[];
  readonly initiators?: readonly number[];
}

/** The largest ring whose orders are all compared; and with all sets of initiators. */
export const MAX_ORDERED = effort({ quick: 6, full: 7 });
export const MAX_SUBSETS = effort({ quick: 4, full: 5 });
const SEEDS_PER_SIZE = effort({ quick: 1, full: 4 });

/** All orders of 1..n for at most `most` nodes, with all nodes as initiators. */
export function* everyOrder(most: number): Generator<Ring> {
  for (let n = 1; n <= most; n++) for (const ids of permutations(n)) yield { ids };
}

/** All orders and all sets of initiators, for at most `most` nodes. */
export function* everyInitiatorSet(most: number): Generator<Ring> {
  for (let n = 1; n <= most; n++) {
    for (const ids of permutations(n)) for (const initiators of positionSets(n)) yield { ids, initiators };
  }
}

/** Every size up to 64: sorted both ways, and seeded orders and initiators. */
export function* everySize(): Generator<Ring> {
  for (let n = 1; n <= 64; n++) {
    yield { ids: ascending(n) };
    yield { ids: descending(n) };
    for (let seed = 1; seed <= SEEDS_PER_SIZE; seed++) {
      yield { ids: shuffled(n, seed * 100 + n) };
      yield {
        ids: shuffled(n, seed * 200 + n),
        initiators: somePositions(n, 1 + seeded(seed + n)(n), seed),
      };
    }
  }
}

/** 1,000 and 4,096 nodes: of the latter, quick runs have one order, with all initiators and with one. */
export function* largeRings(): Generator<Ring> {
  for (const n of [1000, 4096]) {
    yield { ids: shuffled(n, 1) };
    yield { ids: shuffled(n, 6), initiators: [n - 1] };
    if (n > effort({ quick: 1000, full: 4096 })) continue;
    yield { ids: ascending(n) };
    yield { ids: descending(n) };
    for (const seed of [2, 3]) yield { ids: shuffled(n, seed) };
    yield { ids: shuffled(n, 4), initiators: somePositions(n, n / 4, 5) };
  }
}

/** Random orders of 8 to 23 ids, to test the claims about all orders of few ids on larger rings. */
export function* randomOrders(count: number): Generator<Ring> {
  for (let seed = 1; seed <= count; seed++) yield { ids: shuffled(8 + (seed % 16), seed) };
}

function figures(outcome: Outcome): Expected {
  const { leader, messages, time } = outcome;
  return {
    leader: leader?.position ?? -1,
    election: messages.election,
    announcement: messages.announcement,
    byType: { ...messages.byType },
    electedAt: time.electedAt ?? -1,
    agreedAt: time.agreedAt ?? -1,
    announcementReturnedAt: time.announcementReturnedAt,
  };
}

/** In lockstep everything is determined: the leader, the counts by type, and all times. */
export function expectAsReference(
  algorithm: AnyAlgorithm,
  reference: Reference,
  rings: Iterable<Ring>,
  options: SimulateOptions = {},
): void {
  for (const ring of rings) {
    const chosen = { ...options, ...ring };
    const seen = figures(run(algorithm, chosen));
    const expected = reference(ring.ids, ring.initiators);
    const differs = Object.entries(seen).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(expected[name as keyof Expected]),
    );
    if (differs.length === 0) continue;
    throw new Error(
      `${algorithm.name} differs from its reference in ${differs.map(([name]) => name).join(', ')}: ` +
        `${JSON.stringify(seen)}, not ${JSON.stringify(expected)}; replay: ${replayOf(algorithm, chosen)}`,
    );
  }
}

/** A ring some of whose nodes may start late or not initiate. */
export interface LateRing {
  readonly ids: readonly number[];
  readonly wakes: readonly { readonly position: number; readonly time: number }[];
}

/** Rings of up to 64 nodes, every third with late starts, from the seeds 1..seeds in a full run. */
export function* seededRings(seeds: number): Generator<LateRing & { readonly seed: number }> {
  for (let seed = 1; seed <= randomRuns(seeds); seed++) {
    const below = seeded(seed);
    const n = 1 + below(64);
    const k = seed % 2 === 0 ? n : 1 + below(n);
    const wakes = somePositions(n, k, seed).map((position) => ({
      position,
      time: seed % 3 === 0 ? below(2 * n) : 0,
    }));
    yield { seed, ids: shuffled(n, seed), wakes };
  }
}

/**
 * Under any schedule that the algorithm allows: one leader, known to all, and every election message of the reference
 * for the nodes that did initiate.
 */
export function expectElectionAsReference(
  algorithm: AnyAlgorithm,
  reference: Reference,
  { ids, wakes }: LateRing,
  options: SimulateOptions,
): void {
  const started: number[] = [];
  const chosen: SimulateOptions = {
    ...options,
    ids,
    initiators: wakes,
    observe: ({ type, node }) => {
      if (type === 'start') started.push(node);
    },
  };
  const outcome = run(algorithm, chosen);
  const expected = reference(ids, started);
  const seen = JSON.stringify([outcome.leader?.position, outcome.messages.byType]);
  const wanted = JSON.stringify([expected.leader, expected.byType]);
  if (seen === wanted) return;
  throw new Error(
    `${algorithm.name}: leader and messages are ${seen}, not ${wanted}; replay: ${replayOf(algorithm, chosen)}`,
  );
}

/** An adversary that repeats a list of numbers, or one that delays one link as long as possible. */
export type Play = { readonly picks: readonly number[] } | { readonly starve: number };

export function adversary(play: Play): (choices: readonly Choice[], step: number) => number {
  if ('picks' in play) return (choices, step) => at(play.picks, step % play.picks.length) % choices.length;
  return (choices) => {
    const other = choices.findIndex(({ from }) => from !== play.starve);
    return Math.max(0, other);
  };
}

export function nameOf(play: Play): string {
  return 'picks' in play ? `picks:${play.picks.join(',')}` : `starve:${play.starve}`;
}

const play: fc.Arbitrary<Play> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ picks: fc.array(fc.nat(60), { minLength: 1, maxLength: 120 }) }) },
  { weight: 1, arbitrary: fc.record({ starve: fc.nat(11) }) },
);

/** Any ring of up to 12 nodes with any ids, any starts, and any adversary. */
const anyRing: fc.Arbitrary<LateRing & { readonly play: Play }> = fc
  .uniqueArray(fc.oneof(fc.nat(20), fc.nat(MAX_WORD)), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      wakes: fc
        .subarray([...ids.keys()], { minLength: 1 })
        .chain((positions) =>
          fc.tuple(
            ...positions.map((position) =>
              fc.record({ position: fc.constant(position), time: fc.oneof(fc.constant(0), fc.nat(40)) }),
            ),
          ),
        ),
      play,
    }),
  );

interface Attack extends Pick<SimulateOptions, 'set'> {
  readonly fifo: boolean;
  /** The number of runs in a full run. */
  readonly runs: number;
  readonly seed: number;
}

/** Compares the algorithm with its reference under adversaries; the seed of the search is fixed. */
export function expectToWithstandAdversaries(
  algorithm: AnyAlgorithm,
  reference: Reference,
  { fifo, runs, seed, set }: Attack,
): void {
  fc.assert(
    fc.property(anyRing, ({ play, ...ring }) => {
      const schedule = { pick: adversary(play), fifo, name: nameOf(play) };
      expectElectionAsReference(algorithm, reference, ring, { schedule, set });
    }),
    { numRuns: randomRuns(runs), seed },
  );
}
