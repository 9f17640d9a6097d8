/** Anonymous rings whose size is known, exactly or within a factor of two: Itai–Rodeh. */

import { formatFigure } from '@hustings/base';
import { itaiRodeh, itaiRodehBounded } from '@hustings/study/algorithms';
import { expectedRounds } from '@hustings/study/internal/algorithms/anonymous/expected-rounds';
import type { SimulateOptions } from '@hustings/study/simulator';
import type { Moments } from '@hustings/study/sweep';
import { type Study, study, verdictOf } from '../claim.ts';
import { probabilityStudy } from '../exact-probabilities.ts';
import type { Experiment } from '../experiment.ts';
import { lawRow } from '../law-row.ts';
import { follows, ours, stated } from '../origin.ts';
import {
  ANY_SCHEDULE,
  allOneSome,
  elections,
  numbered,
  type ParameterGrid,
  randomOrders,
  sizesFor,
} from '../parameter-grid.ts';
import { everyRunStudy } from '../run-study.ts';
import { mayBe, mayBeAtMost, sampleOf, showInterval, showMean } from '../sample.ts';
import { searchStudy, twinStudy } from '../search.ts';
import { sizePlot } from '../size-plot.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';
import { censusStudy } from '../studies/census.ts';

const grid: ParameterGrid = (experiment) =>
  elections(experiment, {
    sizes: sizesFor(experiment),
    orders: ['random'],
    initiators: allOneSome,
    schedules: ANY_SCHEDULE,
  });

/** The round in which the leader won. */
function roundsOf(experiment: Experiment, n: number, runs: number, options: SimulateOptions = {}): Moments {
  const rounds: number[] = [];
  for (const each of randomOrders(experiment, [n], runs, options)) {
    const run = experiment.run(itaiRodeh, each);
    const position = run.outcome().leader?.position ?? 0;
    rounds.push(Number(run.simulation.machine.fieldsOf(position).round));
  }
  return sampleOf(rounds);
}

const byChain = (n: number): number => expectedRounds(n, n) ?? Number.NaN;
const boundOf = (n: number): number => (Math.E * n) / (n - 1);

const roundsStudy: Study = {
  claims: [
    {
      id: 'itai-rodeh/rounds',
      origin: stated([KARNAPKE, 'lines 829–837']),
      says: 'a Markov chain gives the mean number of rounds for every n: active nodes draw, and those with the largest number stay active',
      method: 'mean of runs',
    },
    {
      id: 'itai-rodeh/rounds-bound',
      origin: stated([KARNAPKE, 'line 820']),
      says: 'for c = n there are fewer than e·n/(n−1) rounds on average',
      method: 'mean of runs',
    },
  ],
  measure(experiment) {
    const sizes = experiment.quick ? [2, 3, 4, 8, 16] : [2, 3, 4, 8, 16, 32, 64];
    const rows = sizes.map((n) => [n, roundsOf(experiment, n, experiment.some(1000, 6000))] as const);
    return [
      {
        verdict: verdictOf(rows.every(([n, rounds]) => mayBe(rounds, byChain(n)))),
        measured: `${showMean(rows[0][1])} for n = 2; the chain gives ${byChain(2)}; the table has larger n`,
        table: {
          columns: ['n = c', 'chain', 'mean of runs', '95 % confidence interval', 'e·n/(n−1)'],
          rows: rows.map(([n, rounds]) => [
            String(n),
            byChain(n).toFixed(4),
            rounds.mean.toFixed(4),
            showInterval(rounds, (end) => end.toFixed(3)),
            boundOf(n).toFixed(3),
          ]),
        },
        plot: sizePlot({
          title: 'Itai–Rodeh: mean rounds for c = n',
          subtitle: 'one-way ring; measured on FIFO links in lockstep, and computed by the Markov chain',
          yTitle: 'mean rounds',
          samples: rows,
          curves: [
            { name: 'Markov chain', dash: 'solid', series: [0], at: byChain },
            { name: '≤ e·n/(n−1)', dash: 'dotted', series: [0], at: boundOf },
          ],
        }),
      },
      {
        verdict: verdictOf(
          rows.every(([n, rounds]) => mayBeAtMost(rounds, boundOf(n)) && byChain(n) < boundOf(n)),
        ),
        measured: `${rows.map(([n, rounds]) => `${rounds.mean.toFixed(2)} of ${boundOf(n).toFixed(2)} at n = ${n}`).join(', ')}`,
      },
    ];
  },
};

export const itaiRodehRow = lawRow(
  itaiRodeh,
  {
    grid,
    means: (experiment) =>
      randomOrders(experiment, experiment.quick ? [8, 32] : [8, 32, 128], experiment.some(300, 1500)),
  },
  [
    probabilityStudy(itaiRodeh, {
      id: 'itai-rodeh/chain',
      origin: stated([KARNAPKE, 'lines 827–835']),
      says: 'for n = c = 2 a Markov chain gives 2 rounds on average',
      options: [{ nodes: 2, set: { c: 2 } }],
      figure: ({ mean }) => mean?.rounds?.fraction,
      expected: ['2'],
      name: 'mean rounds',
    }),
    probabilityStudy(itaiRodeh, {
      id: 'itai-rodeh/longer-chains',
      origin: follows([KARNAPKE, 'lines 829–837']),
      says: 'for n = c = 3 and 4 the Markov chain gives 27/16 and 8/5 rounds on average',
      options: [3, 4].map((n) => ({ nodes: n, set: { c: n } })),
      figure: ({ mean }) => mean?.rounds?.fraction,
      expected: ['27/16', '8/5'],
      name: 'mean rounds',
    }),
    roundsStudy,
    everyRunStudy(itaiRodeh, {
      id: 'itai-rodeh/one-leader',
      origin: stated([KARNAPKE, 'lines 706–711, 788, 816'], [KHARAGPUR, 'line 104']),
      says: 'a Las Vegas algorithm: it always elects exactly one leader, whatever is drawn',
      method: 'share of runs',
      grid(experiment) {
        const random = experiment.random('one-leader');
        return numbered(experiment, experiment.some(1000, 10_000), (index) => {
          const nodes = 1 + random.below(16);
          return { nodes, schedule: ANY_SCHEDULE[index % 3], set: { c: 2 + random.below(nodes + 1) } };
        });
      },
      confirmed: (runs) =>
        `one leader in all ${formatFigure(runs)} rings of up to 16 nodes, under every kind of schedule`,
    }),
    searchStudy(itaiRodeh, {
      id: 'itai-rodeh/every-schedule',
      origin: follows([KARNAPKE, 'lines 706–711, 788']),
      says: 'never two leaders, and every configuration can reach an end',
      search: { nodes: 3, set: { c: 2 }, bound: { round: 2 }, reduce: 'none' },
    }),
    study({
      id: 'itai-rodeh/overtaking',
      origin: ours(),
      says: 'with overtaking there are fewer rounds than the chain gives: 1.64 for n = 2',
      method: 'mean of runs',
      measure(experiment) {
        const rounds = roundsOf(experiment, 2, experiment.some(3000, 20_000), { schedule: 'random:nofifo' });
        const measured = `${showMean(rounds)} instead of 2`;
        return { verdict: verdictOf(mayBe(rounds, 1.64, 0.01)), measured };
      },
    }),
    twinStudy({
      id: 'itai-rodeh/hops',
      origin: stated([KARNAPKE, 'line 805']),
      says: 'the hop count is needed: a token with the id of a node need not be its own',
      twin: 'itai-rodeh-uncounted',
    }),
  ],
);

export const itaiRodehBoundedRow = lawRow(itaiRodehBounded, { grid }, [
  everyRunStudy(itaiRodehBounded, {
    id: 'itai-rodeh-bounded/enough',
    origin: stated([KARNAPKE, 'lines 868, 870']),
    says: 'it is sufficient to know that the size lies between N and 2N−1',
    method: 'share of runs',
    grid: (experiment) =>
      numbered(experiment, experiment.some(1000, 10_000), (index) => {
        const nodes = 2 + (index % 11);
        const least = Math.floor(nodes / 2) + 1;
        const N = least + (index % (nodes - least + 1));
        return { nodes, schedule: ANY_SCHEDULE[index % 3], set: { c: 2 + (index % 3), N } };
      }),
    confirmed: (runs) => `one leader in all ${formatFigure(runs)} rings, for every N that allows their size`,
  }),
  probabilityStudy(itaiRodehBounded, {
    id: 'itai-rodeh-bounded/chance',
    origin: follows([KARNAPKE, 'lines 868, 870']),
    says: 'it elects one leader with probability 1',
    options: [
      { nodes: 3, set: { c: 2, N: 2 } },
      { nodes: 4, set: { c: 2, N: 3 } },
    ],
    figure: ({ success }) => success.fraction,
    expected: ['1', '1'],
    name: 'probability of success',
  }),
  censusStudy,
  twinStudy({
    id: 'itai-rodeh-bounded/not-more',
    origin: ours(),
    says: 'it is not sufficient to know that the size lies between N and 2N: two nodes may lead',
    twin: 'itai-rodeh-halved',
  }),
]);
