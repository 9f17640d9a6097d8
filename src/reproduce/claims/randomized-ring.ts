/** Randomized Chang–Roberts: each token travels in a random direction. */
import { randomizedChangRoberts } from '../../algorithms/ring/randomized-chang-roberts.ts';
import { harmonic } from '../../kernel/law.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { type Row, study, verdictOf } from '../claim.ts';
import { probabilityStudy } from '../exact-probabilities.ts';
import { lawStudy, percent } from '../law-study.ts';
import { allOneSome, elections, randomOrders, sizesFor } from '../parameter-grid.ts';
import { intervalOf, mayBe, sampleOf, showMean } from '../sample.ts';
import { KARNAPKE } from '../sources.ts';

const SCHEDULES = ['lockstep', 'random'] as const;

const SQRT_HALF = Math.SQRT1_2;

export const randomizedChangRobertsRow: Row = {
  name: 'randomized-chang-roberts',
  title: randomizedChangRoberts.title,
  studies: [
    lawStudy(randomizedChangRoberts, {
      source: 'C. Lavault 1989, cited by Karnapke; the constant 1.04 is measured',
      grid: (experiment) =>
        elections(experiment, { sizes: sizesFor(experiment), initiators: allOneSome, schedules: SCHEDULES }),
      means: (experiment) =>
        randomOrders(
          experiment,
          experiment.quick ? [64, 256, 1024] : [64, 256, 1024, 4096],
          experiment.some(250, 800),
        ),
      tolerance: {
        text: 'an approximation: a deviation of 1 % is allowed',
        within: (_n, value) => 0.01 * value,
      },
    }),
    study(
      {
        id: 'randomized-chang-roberts/saving',
        source: KARNAPKE,
        says: 'about 30 % better on average than Chang–Roberts on a unidirectional ring',
        method: 'mean of runs',
      },
      (experiment) => {
        const sizes = experiment.quick ? [16, 64, 256, 1024] : [16, 64, 256, 1024, 4096, 16384];
        const rows = sizes.map((n) => {
          const runs = Math.max(
            40,
            Math.min(experiment.some(200, 800), Math.floor(experiment.some(4e5, 4e6) / n)),
          );
          const savings = [...randomOrders(experiment, [n], runs)].map(
            (options) =>
              1 - experiment.outcome(randomizedChangRoberts, options).messages.election / (n * harmonic(n)),
          );
          return { n, saving: sampleOf(savings) };
        });
        const law = (n: number): number => 1 - (SQRT_HALF * Math.log(n) + 1.04) / harmonic(n);
        const last = rows[rows.length - 1];
        return {
          verdict: verdictOf(rows.every(({ saving }) => mayBe(saving, 0.3, 0.02))),
          measured: `${percent(last.saving.mean)} at n = ${formatFigure(last.n)}, ${percent(rows[1].saving.mean)} at n = ${rows[1].n}`,
          why: `0.71·n·ln n is only the leading term, and 1 − 1/√2 = 29 % is the limit for large n; at n = 10^9 the law gives ${percent(1 - (SQRT_HALF * Math.log(1e9) + 1.04) / (Math.log(1e9) + 0.5772))}`,
          replay: `hustings simulate randomized-chang-roberts --nodes ${last.n} --seed ${experiment.seedOf(500_000)}`,
          table: {
            columns: ['n', 'saving', '95 % confidence interval', 'law', '0.71·n·ln n'],
            rows: rows.map(({ n, saving }) => [
              formatFigure(n),
              percent(saving.mean),
              intervalOf(saving).map(percent).join(' … '),
              percent(law(n)),
              percent(1 - (SQRT_HALF * Math.log(n)) / harmonic(n)),
            ]),
          },
          plot: {
            title: 'Messages saved by random directions',
            subtitle: 'as a percentage of n·H_n, the mean of Chang–Roberts',
            xTitle: 'nodes',
            yTitle: 'percent saved',
            series: [
              {
                name: 'measured',
                points: rows.map(({ n, saving }) => {
                  const [low, high] = intervalOf(saving);
                  return { x: n, y: 100 * saving.mean, band: [100 * low, 100 * high] as const };
                }),
              },
            ],
            curves: [
              {
                name: 'n(ln n/√2 + 1.04)',
                dash: 'solid',
                series: 0,
                points: sizes.map((n) => ({ x: n, y: 100 * law(n) })),
              },
              {
                name: 'claim: 30 %',
                dash: 'dashed',
                series: null,
                points: sizes.map((n) => ({ x: n, y: 30 })),
              },
            ],
            notes: ['bands: 95 % confidence'],
          },
        };
      },
    ),
    probabilityStudy(randomizedChangRoberts, {
      id: 'randomized-chang-roberts/exact',
      source: 'computed here',
      says: 'on small rings it saves little: the mean over all orders and directions is 8 at n = 4 (Chang–Roberts: 25/3) and 1037/96 at n = 5 (Chang–Roberts: 137/12)',
      options: [
        { nodes: 4, orders: 'all' },
        { nodes: 5, orders: 'all' },
      ],
      figure: ({ mean }) => mean?.election.fraction,
      expected: ['8', '1037/96'],
      name: 'mean election messages',
    }),
    study(
      {
        id: 'randomized-chang-roberts/two',
        source: KARNAPKE,
        says: 'with two initiators the token of the smaller travels 3n/8 hops on average instead of n/2',
        method: 'mean of runs',
      },
      (experiment) => {
        const n = 64;
        const ways = [
          ...randomOrders(experiment, [n], experiment.some(2000, 10_000), { initiators: { random: 2 } }),
        ].map((options) => experiment.outcome(randomizedChangRoberts, options).messages.election - n);
        const sample = sampleOf(ways);
        return {
          verdict: verdictOf(mayBe(sample, (3 * n) / 8, 1)),
          measured: `${showMean(sample, 2)} at n = ${n}; 3n/8 = ${(3 * n) / 8}`,
        };
      },
    ),
  ],
};
