/** Rings on which tokens travel until a node drops them: LeLann, Chang–Roberts, all-circulate. */

import { formatFigure } from '@hustings/base';
import { allCirculate, changRoberts, leLann } from '@hustings/study/algorithms';
import { harmonic } from '@hustings/study/kernel';
import { outOfScope, study, verdictOf } from '../claim.ts';
import { ascending, extremeStudy } from '../every-order.ts';
import { lawRow } from '../law-row.ts';
import { percent } from '../law-study.ts';
import { follows, stated } from '../origin.ts';
import { allOneSome, electionCosts, elections, FIFO, randomOrders, sizesFor } from '../parameter-grid.ts';
import { everyRunStudy, refutedBy, runStudy } from '../run-study.ts';
import { sampleOf, showMean } from '../sample.ts';
import { costStudy, printedStudy } from '../search.ts';
import { KARNAPKE, KHARAGPUR, LECTURE_22 } from '../sources.ts';
import { initiatorStudies } from '../studies/initiator-sets.ts';
import { dropStudies } from '../studies/token-drops.ts';
import { tokenStudies } from '../studies/token-steps.ts';

export const leLannRow = lawRow(
  leLann,
  {
    origins: {
      'election messages = k·n': stated([LECTURE_22, 'line 55']),
      'announcement messages = n': follows([LECTURE_22, 'line 21']),
      'elected at ≤ 2n−1': stated([LECTURE_22, 'lines 58–66']),
    },
  },
  [
    everyRunStudy(leLann, {
      id: 'lelann/late',
      origin: stated([LECTURE_22, 'lines 58–66']),
      says: 'the leader is elected at 2n−1 at the latest: position 0 initiates at time 0, and the largest id, at position n−1, at time n−1',
      method: 'exact count',
      grid: (experiment) =>
        ascending(experiment.some(31, 63)).map((last) => ({
          ids: ascending(last + 1),
          initiators: [0, { position: last, time: last }],
        })),
      wrong: ({ n, time: { electedAt } }) =>
        electedAt === 2 * n - 1 ? undefined : `${electedAt} at n = ${n}`,
      confirmed: (runs) => `holds for every n from 2 to ${runs + 1}`,
    }),
    costStudy(leLann, {
      id: 'lelann/longest',
      origin: follows([LECTURE_22, 'lines 21, 58–66']),
      says: 'its announcement returns at 3n−1 at the latest: no schedule has a longer causal chain of messages',
      nodes: [4, 4],
      figure: (n) => 3 * n - 1,
      isReached: true,
      search: { orders: 'all', initiators: 'subsets', worst: 'time' },
    }),
    study({
      id: 'lelann/seen-all',
      origin: stated([LECTURE_22, 'lines 14–15']),
      says: 'on FIFO links a node that receives its own id back has seen the id of every other initiator',
      method: 'share of runs',
      measure(experiment) {
        let runs = 0;
        const axes = { sizes: [2, 3, 5, 8, 16, 32], initiators: allOneSome, schedules: FIFO };
        for (const options of elections(experiment, axes)) {
          const seen = new Map<number, number[]>();
          const run = experiment.run(leLann, {
            ...options,
            observe: (event) => {
              if (event.type !== 'deliver' || event.message.type !== 'token') return;
              seen.set(event.node, [...(seen.get(event.node) ?? []), Number(event.message.id)]);
            },
          });
          runs++;
          const { ids, initiators, k } = run.facts();
          for (const at of initiators) {
            const list = seen.get(at) ?? [];
            const size = new Set(list.slice(0, list.indexOf(ids[at]) + 1)).size;
            if (size !== k) return refutedBy(run, `node ${at} has seen ${size} of ${k} ids`);
          }
        }
        return { verdict: 'confirmed', measured: `holds in ${formatFigure(runs)} elections` };
      },
    }),
    runStudy(leLann, {
      id: 'lelann/all',
      origin: stated([LECTURE_22, 'lines 53–56']),
      says: 'in the worst case every node initiates, and N² messages are sent',
      method: 'exact count',
      options: (experiment) => ({ nodes: experiment.some(100, 1000), seed: experiment.seedOf(0) }),
      finding: ({ n, messages: { election } }) => ({
        holds: election === n * n,
        measured: `${formatFigure(election)} at n = ${formatFigure(n)}`,
      }),
    }),
  ],
);

const smallRings = (experiment: { readonly quick: boolean }): number[] =>
  experiment.quick ? [3, 4, 5, 6] : [3, 4, 5, 6, 7, 8];

export const changRobertsRow = lawRow(
  changRoberts,
  {
    origins: {
      'election messages = n(n+1)/2': stated([KHARAGPUR, 'lines 251–261'], [LECTURE_22, 'lines 153–155']),
      'election messages = 2n−1': stated([KHARAGPUR, 'lines 269–273'], [LECTURE_22, 'lines 163–164']),
      'election messages ≈ n·H_k on average': stated(
        [KARNAPKE, 'slides 18–19, lines 292, 323–325'],
        [KHARAGPUR, 'lines 284–285'],
      ),
      'election messages ≤ nk − k(k−1)/2': stated([KARNAPKE, 'slides 15–16, lines 239–264']),
      'announcement messages = n': stated([KARNAPKE, 'slides 16–17, lines 269, 282']),
    },
    means: (experiment) =>
      randomOrders(
        experiment,
        experiment.quick ? [16, 64, 256] : [16, 64, 256, 1024, 4096],
        experiment.some(200, 800),
      ),
  },
  [
    extremeStudy(changRoberts, {
      id: 'chang-roberts/worst-order',
      origin: stated([KHARAGPUR, 'lines 251–261']),
      says: 'the worst order costs n + (n−1) + … + 1 = n(n+1)/2 messages',
      extreme: 'worst',
      figure: (n) => (n * (n + 1)) / 2,
      isReached: true,
      sizes: smallRings,
    }),
    extremeStudy(changRoberts, {
      id: 'chang-roberts/best-order',
      origin: stated([KHARAGPUR, 'lines 269–273'], [LECTURE_22, 'lines 163–164']),
      says: 'the best order costs 2n−1 messages',
      extreme: 'best',
      figure: (n) => 2 * n - 1,
      isReached: true,
      sizes: smallRings,
    }),
    costStudy(changRoberts, {
      id: 'chang-roberts/worst-schedule',
      origin: follows([KHARAGPUR, 'lines 251–261']),
      says: 'no schedule of any order costs more than n(n+1)/2 messages, and one reaches it',
      nodes: [5, 6],
      figure: (n) => (n * (n + 1)) / 2,
      isReached: true,
      search: { orders: 'all', worst: 'election' },
    }),
    costStudy(changRoberts, {
      id: 'chang-roberts/best-schedule',
      origin: follows([KHARAGPUR, 'lines 269–273']),
      says: 'if all nodes start together, no schedule of any order costs less than 2n−1 messages, and one reaches it',
      nodes: [5, 6],
      figure: (n) => 2 * n - 1,
      isReached: true,
      search: { orders: 'all', starts: 'together', best: 'election' },
    }),
    runStudy(changRoberts, {
      id: 'chang-roberts/slip',
      origin: stated([LECTURE_22, 'line 168']),
      says: 'the worst case is (n−1)/2 messages',
      method: 'one run',
      options: () => ({ nodes: 8, order: 'descending' }),
      finding: ({ messages: { election } }) => ({
        holds: election <= 3.5,
        measured: `${election} at n = 8; the text gives 3.5`,
      }),
      why: 'the text may have lost a character of the slide: there is a mark before the bracket. n(n−1)/2, 28 here, is too small as well; the sum that the slides compute is n(n+1)/2',
    }),
    ...initiatorStudies,
    study({
      id: 'chang-roberts/logarithm',
      origin: stated([KARNAPKE, 'slide 19, line 324']),
      says: 'n·H_k ≈ n·ln k',
      method: 'formula',
      measure(experiment) {
        const n = 16;
        const run = experiment.run(changRoberts, { nodes: n, order: 'ascending', initiators: [0] });
        const low = (k: number): number => 1 - Math.log(k) / harmonic(k);
        const shares = [16, 256, 4096].map((k) => `${percent(low(k))} at k = ${formatFigure(k)}`).join(', ');
        return {
          verdict: verdictOf([1, 16, 256].every((k) => low(k) <= 0.05)),
          measured: `k = 1: n·ln k is 0, and the run has ${run.outcome().messages.election} messages at n = ${n}; n·ln k is too small by ${shares}`,
          why: 'only the ratio of the two tends to 1. Their difference tends to 0.577·n, and a difference of 5 % is allowed here',
          replay: run.plan.replay,
        };
      },
    }),
    study({
      id: 'chang-roberts/as-lelann',
      origin: stated([LECTURE_22, 'lines 150, 152']),
      says: 'the worst-case message complexity is the same as LeLann’s, O(N²)',
      method: 'exact count',
      measure(experiment) {
        const rows = [8, 16, 64, 256].map((nodes) => {
          const options = { nodes, order: 'descending' } as const;
          const run = experiment.run(changRoberts, options);
          const other = experiment.outcome(leLann, options).messages.election;
          return { n: nodes, run, own: run.outcome().messages.election, other };
        });
        return {
          verdict: verdictOf(rows.every(({ n, own, other }) => own >= (n * n) / 2 && own <= other)),
          measured: rows
            .map(({ n, own, other }) => `n = ${n}: ${formatFigure(own)} against ${formatFigure(other)}`)
            .join('; '),
          why: 'interpreted as: of the same order. The number is N(N+1)/2 against N², little more than half',
          replay: rows[0].run.plan.replay,
        };
      },
    }),
    study({
      id: 'chang-roberts/concentration',
      origin: stated([KARNAPKE, 'slide 19, line 328']),
      says: 'the larger the ring, the rarer are runs that need more messages than the mean',
      method: 'share of runs',
      measure(experiment) {
        const sizes = experiment.quick ? [16, 128, 1024] : [16, 128, 1024, 8192];
        const runs = experiment.some(150, 400);
        const rows = sizes.map((n) => {
          const costs = electionCosts(experiment, changRoberts, n, runs);
          const mean = n * harmonic(n);
          return { n, over: costs.filter((cost) => cost > 1.2 * mean).length / runs };
        });
        const last = rows[rows.length - 1];
        return {
          verdict: verdictOf(last.over < 0.05 && last.over <= rows[0].over),
          measured: `${percent(last.over)} of ${runs} orders cost more than 1.2 times the mean at n = ${formatFigure(last.n)}, ${percent(rows[0].over)} at n = ${rows[0].n}`,
          why: 'interpreted as: the share of orders that cost 20 % more than the mean tends to 0',
          table: {
            columns: ['n', 'orders above 1.2·n·H_n'],
            rows: rows.map(({ n, over }) => [formatFigure(n), percent(over)]),
          },
        };
      },
    }),
    study({
      id: 'chang-roberts/overtaking',
      origin: stated([KARNAPKE, 'slide 20, line 340']),
      says: 'if messages overtake each other, overtaken messages may be dropped earlier, which saves messages',
      method: 'mean of runs',
      measure(experiment) {
        const savings = (schedule: 'random' | 'random:nofifo'): number[] =>
          [...randomOrders(experiment, [64], experiment.some(150, 600))].map(({ seed }) => {
            const counted = [false, true].map(
              (filter) =>
                experiment.outcome(changRoberts, { nodes: 64, seed, schedule, set: { filter } }).messages
                  .election,
            );
            return counted[0] - counted[1];
          });
        const inOrder = sampleOf(savings('random'));
        const overtaking = sampleOf(savings('random:nofifo'));
        return {
          verdict: verdictOf(
            inOrder.most === 0 && inOrder.least === 0 && overtaking.least >= 0 && overtaking.mean > 0,
          ),
          measured: `n = 64, random delays: ${showMean(overtaking, 1)} messages saved with overtaking, ${inOrder.most} on FIFO links`,
          why: 'only if all nodes remember the best id that they have forwarded (--set filter=true); otherwise nothing is saved',
        };
      },
    }),
    ...tokenStudies,
    ...dropStudies,
    outOfScope({
      id: 'chang-roberts/optimal',
      origin: stated([KARNAPKE, 'slide 19, line 326']),
      says: 'n·H_k is optimal for unidirectional rings',
      why: 'a statement about all possible algorithms, which runs of some cannot decide',
    }),
    outOfScope({
      id: 'chang-roberts/lower-bound',
      origin: stated([KHARAGPUR, 'lines 446–447']),
      says: 'every asynchronous election on a ring needs Ω(n·log n) messages',
      why: 'a statement about all possible algorithms, which runs of some cannot decide',
    }),
  ],
);

export const allCirculateRow = lawRow(
  allCirculate,
  {
    origins: {
      'election messages = n²': stated([KARNAPKE, 'slide 10, lines 150–151']),
      'announcement messages = 0': follows([KARNAPKE, 'slide 10, lines 147–148']),
      'election messages = k·n': follows([KARNAPKE, 'slide 12, lines 189–191']),
      'announcement messages = n': follows([KARNAPKE, 'slide 12, lines 192–193']),
    },
    grid: (experiment) =>
      elections(experiment, {
        sizes: sizesFor(experiment, [256]),
        initiators: allOneSome,
        schedules: FIFO,
        sets: () => [{ compete: 'all' }, { compete: 'initiators' }],
      }),
  },
  [
    everyRunStudy(allCirculate, {
      id: 'all-circulate/highest',
      origin: stated([KARNAPKE, 'slide 10, lines 145–149']),
      says: 'every node wakes up and sends a message round the ring, which brings back the largest id: the highest of all nodes wins, initiator or not',
      method: 'share of runs',
      grid: (experiment) =>
        elections(experiment, { sizes: sizesFor(experiment, []), initiators: allOneSome, schedules: FIFO }),
      wrong: ({ n, leader }) => (leader?.id === n ? undefined : `${leader?.id} of ${n} leads`),
      confirmed: (runs) => `holds in ${formatFigure(runs)} elections`,
    }),
    printedStudy({
      id: 'all-circulate/printed',
      origin: stated([KARNAPKE, 'slide 11, lines 164–173']),
      says: 'a node that receives its own message ⟨i, j⟩, and is not the largest, reports that i is the master',
      printed: 'all-circulate-as-printed',
      search: { nodes: 3, order: 'ascending' },
      why: 'in this branch i is the node’s own id, so each loser names itself; the largest id is j',
    }),
  ],
);
