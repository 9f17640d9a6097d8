/** Hirschberg–Sinclair: probes that travel twice as far in each phase. */
import { hirschbergSinclair } from '@hustings/study/algorithms';
import { study, verdictOf } from '../claim.ts';
import { extremeStudy } from '../every-order.ts';
import { lawRow } from '../law-row.ts';
import { follows, stated } from '../origin.ts';
import { allOneSome, elections, FIFO, sizesFor } from '../parameter-grid.ts';
import { runStudy } from '../run-study.ts';
import { costStudy } from '../search.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';
import { phaseStudies } from '../studies/doubling-phases.ts';

const bound = (n: number): number => 8 * n + 8 * n * Math.ceil(Math.log2(n));

export const hirschbergSinclairRow = lawRow(
  hirschbergSinclair,
  {
    origins: {
      'election messages ≤ 8n + 8n⌈log2 n⌉': stated(
        [KARNAPKE, 'slide 24, lines 393–394'],
        [KHARAGPUR, 'lines 385, 400–401'],
      ),
      'announcement messages = n': stated([KARNAPKE, 'slide 24, line 395']),
    },
    grid: (experiment) =>
      elections(experiment, {
        sizes: sizesFor(experiment, [129, 1000, 1024]),
        initiators: allOneSome,
        schedules: FIFO,
        sets: () => [{}, { veto: true }, { compare: 'phase' }],
      }),
  },
  [
    extremeStudy(hirschbergSinclair, {
      id: 'hirschberg-sinclair/worst-order',
      origin: follows([KARNAPKE, 'slide 24, line 393']),
      says: 'no order costs more than 8n + 8n⌈log2 n⌉ messages, with a veto that travels back',
      extreme: 'worst',
      figure: bound,
      isReached: false,
      sizes: (experiment) => (experiment.quick ? [4, 5, 6] : [4, 5, 6, 7, 8]),
      options: { set: { veto: true } },
    }),
    costStudy(hirschbergSinclair, {
      id: 'hirschberg-sinclair/worst-schedule',
      origin: follows([KARNAPKE, 'slide 24, line 393']),
      says: 'no schedule of any order costs more than 8n + 8n⌈log2 n⌉ messages, with veto',
      nodes: [4, 5],
      figure: bound,
      isReached: false,
      search: { orders: 'all', worst: 'election', set: { veto: true } },
    }),
    study({
      id: 'hirschberg-sinclair/time',
      origin: stated([KARNAPKE, 'slide 24, line 396']),
      says: 'an election takes 4n−2 units in the best case, for n = 2^j, and 6n−6 in the worst case, for n = 2^j + 1',
      method: 'exact count',
      measure(experiment) {
        const home = (n: number): number =>
          experiment.outcome(hirschbergSinclair, { nodes: n, seed: experiment.seedOf(n) }).time
            .announcementReturnedAt ?? -1;
        const powers = Array.from({ length: experiment.some(6, 9) }, (_, j) => 2 ** (j + 1));
        const [n] = powers.slice(-1);
        const right = powers.filter(
          (each) => home(each) === 4 * each - 2 && home(each + 1) === 6 * (each + 1) - 6,
        ).length;
        return {
          verdict: verdictOf(right === powers.length),
          measured: `the announcement returns at ${home(n)} for n = ${n} and at ${home(n + 1)} for n = ${n + 1}; holds for ${right} of the ${powers.length} values of j up to ${powers.length}`,
        };
      },
    }),
    ...phaseStudies,
    runStudy(hirschbergSinclair, {
      id: 'hirschberg-sinclair/late-larger',
      origin: stated([KARNAPKE, 'slide 25, lines 404–405']),
      says: 'phases are not synchronous: an initiator in a high phase can still be stopped by a larger one that starts later',
      method: 'one run',
      options: () => ({
        ids: [7, 1, 2, 3, 8, 4, 5, 6],
        initiators: [0, { position: 4, time: 6 }],
      }),
      finding: ({ leader }) => ({
        holds: leader?.id === 8,
        measured: `7 starts at 0 and 8 at 6: ${leader?.id} leads`,
      }),
      why: 'at 6 the probes of 7 are in phase 2',
    }),
    runStudy(hirschbergSinclair, {
      id: 'hirschberg-sinclair/not-max',
      origin: stated([KARNAPKE, 'slide 25, lines 406–410']),
      says: 'with comparison by (phase, id) the largest initiator need not win',
      method: 'one run',
      options: () => ({ ids: [1, 3, 2, 4], schedule: 'random', seed: 70, set: { compare: 'phase' } }),
      finding: ({ leader }) => ({
        holds: leader?.id === 3,
        measured: `${leader?.id} wins against 4, although all nodes start at time 0`,
      }),
      why: 'random delays are sufficient; late starts are not needed',
    }),
  ],
);
