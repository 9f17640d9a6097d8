/** Rings in phases, by the clock and by lot: Peterson, Dolev–Klawe–Rodeh, time slices, randomized Chang–Roberts. */
import { twins } from '../../algorithms/broken/twins.ts';
import { peterson } from '../../algorithms/ring/peterson.ts';
import { petersonBidirectional } from '../../algorithms/ring/peterson-bidirectional.ts';
import { timeSlice } from '../../algorithms/ring/time-slice.ts';
import { check } from '../../checker/check.ts';
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { floorLog2 } from '../../kernel/law.ts';
import type { Choice } from '../../simulator/schedules/adversary.ts';
import { type Row, type Study, study, verdictOf } from '../claim.ts';
import { extremeStudy } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { lawStudy } from '../law-study.ts';
import { allOneSome, elections, randomOrders, sizesFor } from '../parameter-grid.ts';
import { intervalOf, mayBe, sampleOf, showMean } from '../sample.ts';
import { costStudy } from '../search.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';

const SCHEDULES = ['lockstep', 'random'] as const;
const smallRings = (experiment: Experiment): number[] =>
  experiment.quick ? [2, 3, 4, 5, 6] : [2, 3, 4, 5, 6, 7, 8];
const log3 = (n: number): number => Math.log(n) / Math.log(3);
const petersonBound = (n: number): number => 2 * n * (floorLog2(n) + 1);

/** The bound of both of Peterson's algorithms, over every order, and over every schedule of the largest ring searched. */
function boundSearches(algorithm: AnyAlgorithm, largest: (experiment: Experiment) => number): Study[] {
  return [
    extremeStudy(algorithm, {
      id: `${algorithm.name}/worst-order`,
      source: KARNAPKE,
      says: 'of all orders none costs more than 2n(⌊log2 n⌋+1)',
      extreme: 'worst',
      figure: petersonBound,
      isReached: false,
      sizes: smallRings,
    }),
    costStudy(
      algorithm,
      (experiment) => {
        const n = largest(experiment);
        return { nodes: n, orders: 'all', starts: 'together', worst: 'election', figure: petersonBound(n) };
      },
      {
        id: `${algorithm.name}/worst-schedule`,
        source: KARNAPKE,
        says: 'no schedule of any order costs more than 2n(⌊log2 n⌋+1), if all start together',
        isReached: false,
      },
    ),
  ];
}

/** Each phase leaves every second active node: ids by how often their position can be halved. */
function halving(j: number): number[] {
  const positions = Array.from({ length: 2 ** j }, (_, at) => at);
  const rank = (at: number): number => (at === 0 ? j + 1 : Math.log2(at & -at));
  const order = [...positions].sort((one, other) => rank(one) - rank(other) || one - other);
  const ids: number[] = [];
  order.forEach((at, place) => {
    ids[at] = place + 1;
  });
  return ids;
}

/** Sorted ids, in an order of deliveries in which one id of the largest comes to each node last. */
function lateLargest(n: number): (choices: readonly Choice[]) => number {
  let hasGone = false;
  const rank = ({ from, port }: Choice): number => {
    if (port === 1) return from === 0 ? 3 : 1;
    return hasGone || from === n - 1 ? 2 : 0;
  };
  return (choices) => {
    const ranks = choices.map(rank);
    const best = ranks.indexOf(Math.min(...ranks));
    if (ranks[best] === 2) hasGone = true;
    return best;
  };
}

export const petersonBidirectionalRow: Row = {
  name: 'peterson-bidirectional',
  title: petersonBidirectional.title,
  studies: [
    lawStudy(petersonBidirectional, {
      source: KARNAPKE,
      grid: (experiment) =>
        elections(experiment, { sizes: sizesFor(experiment), initiators: allOneSome, schedules: SCHEDULES }),
      means: (experiment) =>
        randomOrders(
          experiment,
          experiment.quick ? [64, 256] : [16, 64, 256, 1024, 4096],
          experiment.some(150, 400),
        ),
      slack: {
        words: 'an approximation: a quarter of a phase more or less is allowed for',
        within: (n) => 2 * n * 0.25,
      },
    }),
    ...boundSearches(petersonBidirectional, (experiment) => experiment.some(5, 7)),
    study(
      {
        id: 'peterson-bidirectional/bound-reached',
        source: KARNAPKE,
        says: '2n(⌊log2 n⌋+1) is the worst case: some order costs just that',
        method: 'to the digit',
      },
      (experiment) => {
        const most = experiment.some(7, 10);
        let shown = '';
        for (let j = 1; j <= most; j++) {
          const run = experiment.run(petersonBidirectional, { ids: halving(j) });
          const { election } = run.outcome().messages;
          if (election !== petersonBound(2 ** j)) {
            return { verdict: 'refuted', measured: `${election} at n = ${2 ** j}`, replay: run.plan.replay };
          }
          if (j === 4) shown = run.plan.replay;
        }
        return {
          verdict: 'confirmed',
          measured: `by the order that halves, for n = 2, 4, … ${2 ** most}`,
          replay: shown,
        };
      },
    ),
    study(
      {
        id: 'peterson-bidirectional/floor',
        source: KARNAPKE,
        says: '⌊log3 n⌋ + 1 phases on average',
        method: 'mean of runs',
      },
      (experiment) => {
        const sizes = experiment.quick ? [8, 26, 80] : [8, 26, 80, 242, 728];
        const rows = sizes.map((n) => ({
          n,
          phases: sampleOf(
            [...randomOrders(experiment, [n], experiment.some(150, 500))].map(
              (options) => experiment.outcome(petersonBidirectional, options).messages.election / (2 * n),
            ),
          ),
        }));
        const claimed = (n: number): number => Math.floor(log3(n) + 1e-12) + 1;
        const isRight = rows.every(({ n, phases }) => mayBe(phases, claimed(n), 0.25));
        const last = rows[rows.length - 1];
        return {
          verdict: verdictOf(isRight),
          measured: `${showMean(last.phases, 2)} phases at n = ${last.n}, where it says ${claimed(last.n)}`,
          why: 'the floor takes away up to a phase, most just below a power of 3; without it, log3 n + 1 is right to a quarter of a phase',
          replay: `hustings simulate peterson-bidirectional --nodes ${last.n} --seed ${experiment.seedOf(500_000)}`,
          table: {
            columns: ['n', '⌊log3 n⌋ + 1', 'log3 n + 1', 'mean phases', '95 % interval'],
            rows: rows.map(({ n, phases }) => [
              String(n),
              String(claimed(n)),
              (log3(n) + 1).toFixed(2),
              phases.mean.toFixed(3),
              intervalOf(phases)
                .map((end) => end.toFixed(3))
                .join(' … '),
            ]),
          },
        };
      },
    ),
    study(
      {
        id: 'peterson-bidirectional/best-case',
        source: KARNAPKE,
        says: 'the best case is 3n−1: sorted ids, and the largest comes to each node after that has become passive',
        method: 'one run',
      },
      (experiment) => {
        const n = 8;
        const ids = Array.from({ length: n }, (_, at) => at + 1);
        const counted = [true, false].map(
          (eager) =>
            experiment.outcome(petersonBidirectional, {
              ids,
              schedule: { pick: lateLargest(n) },
              set: { eager },
            }).messages.election,
        );
        return {
          verdict: verdictOf(counted[0] === 3 * n - 1),
          measured: `n = ${n}: ${counted[0]} if a node is passive at the first larger id, ${counted[1]} if it takes one from each side first`,
          why: 'so only for nodes that do not wait for both sides (--set eager=true): and those break the bound of the same notes, as the next claim shows. No single definition has both',
        };
      },
    ),
    study(
      {
        id: 'peterson-bidirectional/eager-bound',
        source: KARNAPKE,
        says: 'the definition that has the best case 3n−1 keeps the bound 2n(⌊log2 n⌋+1)',
        method: 'one run',
      },
      (experiment) => {
        const run = experiment.run(petersonBidirectional, {
          nodes: 33,
          order: 'descending',
          set: { eager: true },
        });
        const { election } = run.outcome().messages;
        return {
          verdict: verdictOf(election <= petersonBound(33)),
          measured: `${election} messages for 33 descending ids, against ${petersonBound(33)}`,
          why: 'ids that nobody stops go far; nodes that take one id from each side keep the bound',
          replay: run.plan.replay,
        };
      },
    ),
  ],
};

export const petersonRow: Row = {
  name: 'peterson',
  title: peterson.title,
  studies: [
    lawStudy(peterson, {
      source: KARNAPKE,
      grid: (experiment) =>
        elections(experiment, { sizes: sizesFor(experiment), initiators: allOneSome, schedules: SCHEDULES }),
    }),
    ...boundSearches(peterson, (experiment) => experiment.some(6, 8)),
    study(
      {
        id: 'peterson/fix',
        source: KARNAPKE,
        says: 'as it is first written, sending v and comparing by >, it elects correctly for n > 2: only n = 2 needs max(s, v) and ≥',
        method: 'every schedule',
      },
      () => {
        const unmended = twins.find(({ name }) => name === 'peterson-unmended');
        if (unmended === undefined) throw new Error('the twin peterson-unmended is gone');
        const four = check(unmended.algorithm, { ids: [4, 1, 3, 2] });
        const mended = check(peterson, { nodes: 5, orders: 'all' });
        const [violation] = four.violations;
        const isRight = violation === undefined && mended.complete && mended.violations.length === 0;
        return {
          verdict: verdictOf(isRight),
          measured: `sending v, the ring 4 1 3 2 ends with: ${violation?.text ?? 'one leader'}`,
          why: 'the correction is needed whenever a phase begins with just two active nodes, whatever n is; with it every schedule of every order of 5 nodes elects one',
          replay: 'hustings check peterson-unmended --ids 4,1,3,2',
        };
      },
    ),
  ],
};

export const timeSliceRow: Row = {
  name: 'time-slice',
  title: timeSlice.title,
  studies: [
    lawStudy(timeSlice, {
      source: KHARAGPUR,
      grid: function* (experiment) {
        yield* elections(experiment, { sizes: sizesFor(experiment, [256]) });
        for (const first of [1, 3, 7, 20]) yield { ids: [first + 4, first, first + 9, first + 2] };
      },
    }),
  ],
};
