/** Randomized Chang–Roberts: each token travels in a random direction. */

import { formatFigure } from '@hustings/base';
import { randomizedChangRoberts } from '@hustings/study/algorithms';
import { harmonic } from '@hustings/study/kernel';
import { study, verdictOf } from '../claim.ts';
import { probabilityStudy } from '../exact-probabilities.ts';
import { lawRow } from '../law-row.ts';
import { percent } from '../law-study.ts';
import { ours, stated } from '../origin.ts';
import { electionCosts, randomOrders } from '../parameter-grid.ts';
import { mayBe, sampleOf, showInterval, showMean } from '../sample.ts';
import { sizePlot } from '../size-plot.ts';
import { KARNAPKE } from '../sources.ts';

const SQRT_HALF = Math.SQRT1_2;

export const randomizedChangRobertsRow = lawRow(
  randomizedChangRoberts,
  {
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
  },
  [
    study({
      id: 'randomized-chang-roberts/saving',
      origin: stated([KARNAPKE, 'line 745']),
      says: 'about 30 % better on average than Chang–Roberts on a unidirectional ring',
      method: 'mean of runs',
      measure(experiment) {
        const sizes = experiment.quick ? [16, 64, 256, 1024] : [16, 64, 256, 1024, 4096, 16384];
        const rows = sizes.map((n) => {
          const affordable = Math.min(experiment.some(200, 800), Math.floor(experiment.some(4e5, 4e6) / n));
          const costs = electionCosts(experiment, randomizedChangRoberts, n, Math.max(40, affordable));
          return [n, sampleOf(costs.map((cost) => 1 - cost / (n * harmonic(n))))] as const;
        });
        const law = (n: number): number => 1 - (SQRT_HALF * Math.log(n) + 1.04) / harmonic(n);
        const [, [second, secondSaving]] = rows;
        const [last, lastSaving] = rows[rows.length - 1];
        return {
          verdict: verdictOf(rows.every(([, saving]) => mayBe(saving, 0.3, 0.02))),
          measured: `${percent(lastSaving.mean)} at n = ${formatFigure(last)}, ${percent(secondSaving.mean)} at n = ${second}`,
          why: `0.71·n·ln n is only the leading term, and 1 − 1/√2 = 29 % is the limit for large n; at n = 10^9 the law gives ${percent(1 - (SQRT_HALF * Math.log(1e9) + 1.04) / (Math.log(1e9) + 0.5772))}`,
          replay:
            'hustings sweep chang-roberts,randomized-chang-roberts --nodes 64,256 --runs 200 --measure election',
          table: {
            columns: ['n', 'saving', '95 % confidence interval', 'law', '0.71·n·ln n'],
            rows: rows.map(([n, saving]) => [
              formatFigure(n),
              percent(saving.mean),
              showInterval(saving, percent),
              percent(law(n)),
              percent(1 - (SQRT_HALF * Math.log(n)) / harmonic(n)),
            ]),
          },
          plot: sizePlot({
            title: 'Chang–Roberts, randomized: messages saved by random directions',
            subtitle: 'ring, random orders; as a percentage of n·H_n, the mean of Chang–Roberts',
            yTitle: 'percent saved',
            samples: rows,
            scale: (share) => 100 * share,
            curves: [
              { name: '1 − (ln n/√2 + 1.04) / H_n', dash: 'solid', series: [0], at: law },
              { name: 'claim: 30 %', dash: 'dashed', series: [0], at: () => 0.3 },
            ],
          }),
        };
      },
    }),
    study({
      id: 'randomized-chang-roberts/mean',
      origin: stated([KARNAPKE, 'line 744']),
      says: 'if all nodes initiate, 0.5·√2·n·ln n ≈ 0.71·n·ln n messages are sent on average',
      method: 'mean of runs',
      measure(experiment) {
        const rows = (experiment.quick ? [64, 256] : [64, 256, 1024]).map((n) => {
          const costs = electionCosts(experiment, randomizedChangRoberts, n, experiment.some(150, 500));
          return { n, sample: sampleOf(costs.map((cost) => cost / (n * Math.log(n)))) };
        });
        return {
          verdict: verdictOf(rows.every(({ sample }) => mayBe(sample, SQRT_HALF, 0.01))),
          measured: rows.map(({ n, sample }) => `${showMean(sample)} · n·ln n at n = ${n}`).join(', '),
          why: '0.71 is the slope, not the mean: another 1.04·n messages are sent, which the limit for large n leaves out',
          replay: 'hustings sweep randomized-chang-roberts --nodes 64,256 --runs 200 --measure election',
        };
      },
    }),
    probabilityStudy(randomizedChangRoberts, {
      id: 'randomized-chang-roberts/exact',
      origin: ours(),
      says: 'on small rings it saves little: the mean over all orders and directions is 8 at n = 4 (Chang–Roberts: 25/3) and 1037/96 at n = 5 (Chang–Roberts: 137/12)',
      options: [
        { nodes: 4, orders: 'all' },
        { nodes: 5, orders: 'all' },
      ],
      figure: ({ mean }) => mean?.election.fraction,
      expected: ['8', '1037/96'],
      name: 'mean election messages',
    }),
    study({
      id: 'randomized-chang-roberts/meeting',
      origin: stated([KARNAPKE, 'lines 750–751']),
      says: 'of two tokens, in half of the cases they approach each other, and the smaller one then travels n/4 hops on average instead of n/2',
      method: 'mean of runs',
      measure(experiment) {
        const n = 64;
        const hops: [same: number[], opposite: number[]] = [[], []];
        const runs = experiment.some(500, 4000);
        for (const options of randomOrders(experiment, [n], runs, { initiators: { random: 2 } })) {
          const ports: number[] = [];
          const run = experiment.run(randomizedChangRoberts, {
            ...options,
            observe: (event) => {
              if (event.type === 'send' && event.time === 0) ports.push(event.port);
            },
          });
          hops[ports[0] === ports[1] ? 0 : 1].push(run.outcome().messages.election - n);
        }
        const [same, opposite] = hops.map(sampleOf);
        const share = sampleOf([...hops[0].map(() => 0), ...hops[1].map(() => 1)]);
        return {
          verdict: verdictOf(mayBe(share, 0.5) && mayBe(opposite, n / 4, 1) && mayBe(same, n / 2, 1)),
          measured: `n = ${n}: opposite directions in ${percent(share.mean)} of ${formatFigure(runs)} elections; ${showMean(opposite, 1)} hops then, ${showMean(same, 1)} in the same direction`,
        };
      },
    }),
    study({
      id: 'randomized-chang-roberts/two',
      origin: stated([KARNAPKE, 'lines 749–752']),
      says: 'with two initiators the token of the smaller travels 3n/8 hops on average instead of n/2',
      method: 'mean of runs',
      measure(experiment) {
        const n = 64;
        const costs = electionCosts(experiment, randomizedChangRoberts, n, experiment.some(2000, 10_000), {
          initiators: { random: 2 },
        });
        const hops = sampleOf(costs.map((cost) => cost - n));
        return {
          verdict: verdictOf(mayBe(hops, (3 * n) / 8, 1)),
          measured: `${showMean(hops, 2)} at n = ${n}; 3n/8 = ${(3 * n) / 8}`,
        };
      },
    }),
    study({
      id: 'randomized-chang-roberts/pairs',
      origin: stated([KARNAPKE, 'lines 767–770']),
      says: 'without the round of the largest token, pairs of the largest and another initiator explain a saving of 25 %; with more than two initiators medium ones add another 5 %',
      method: 'mean of runs',
      measure(experiment) {
        const n = 64;
        const savings = [2, 8, n].map((k) => {
          const other = n * (harmonic(k) - 1);
          const costs = electionCosts(experiment, randomizedChangRoberts, n, experiment.some(600, 3000), {
            initiators: { random: k },
          });
          return { k, saving: sampleOf(costs.map((cost) => 1 - (cost - n) / other)) };
        });
        const [two, , all] = savings;
        return {
          verdict: verdictOf(mayBe(two.saving, 0.25, 0.02) && mayBe(all.saving, 0.3, 0.02)),
          measured: `n = ${n}: ${savings.map(({ k, saving }) => `${showMean(saving, 2)} saved with ${k} initiators`).join(', ')}`,
          why: 'the first part holds. More initiators do not add to it on such rings: medium initiators drop smaller tokens on the unidirectional ring too. 29 % is the limit for very large n',
          replay:
            'hustings sweep chang-roberts,randomized-chang-roberts --nodes 64,256 --runs 200 --measure election',
        };
      },
    }),
  ],
);
