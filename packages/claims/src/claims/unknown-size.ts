/** Anonymous rings of unknown size. */

import { formatFigure } from '@hustings/base';
import { itaiRodehUnknown } from '@hustings/study/algorithms';
import { outOfScope, type Study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { lawRow } from '../law-row.ts';
import { percent } from '../law-study.ts';
import { ours, stated } from '../origin.ts';
import { ANY_SCHEDULE, elections, randomOrders } from '../parameter-grid.ts';
import { KARNAPKE } from '../sources.ts';

/** The share of runs whose last estimate is wrong, and of runs without exactly one leader. */
function errorsOf(
  experiment: Experiment,
  c: number,
  runs: number,
  schedule: 'lockstep' | 'random:nofifo',
): { estimate: number; leader: number; sound: boolean } {
  const n = 6;
  const wrong = { estimate: 0, leader: 0, sound: true };
  for (const options of randomOrders(experiment, [n], runs, { schedule, set: { c } })) {
    const run = experiment.run(itaiRodehUnknown, options);
    const estimates = Array.from({ length: n }, (_, at) =>
      Number(run.simulation.machine.fieldsOf(at).estimate),
    );
    if (estimates.some((each) => each !== estimates[0] || each > n)) wrong.sound = false;
    if (estimates[0] !== n) wrong.estimate++;
    if (run.outcome().leader === null) wrong.leader++;
  }
  return { estimate: wrong.estimate / runs, leader: wrong.leader / runs, sound: wrong.sound };
}

const unknownSize: Study = {
  claims: [
    {
      id: 'itai-rodeh-unknown/errors',
      origin: stated([KARNAPKE, 'lines 865–867']),
      says: 'with large c the size is estimated correctly with high probability; otherwise several nodes win, and no node notices',
      method: 'share of runs',
    },
    {
      id: 'itai-rodeh-unknown/estimate',
      origin: ours('Itai, Rodeh 1981'),
      says: 'the estimate never exceeds n, and all nodes agree on it',
      method: 'share of runs',
    },
  ],
  measure(experiment) {
    const runs = experiment.some(1000, 4000);
    const sides = [2, 3, 4, 6, 8];
    const rows = sides.map((c) => ({
      c,
      overtaking: errorsOf(experiment, c, runs, 'random:nofifo'),
      inOrder: errorsOf(experiment, c, runs, 'lockstep'),
    }));
    const falls = rows.every(
      ({ overtaking }, k) => k === 0 || overtaking.estimate <= rows[k - 1].overtaking.estimate + 0.01,
    );
    const [two, , four] = rows;
    const pointsOf = (error: 'estimate' | 'leader') =>
      rows.map(({ c, overtaking }) => ({ x: c, y: 100 * overtaking[error] }));
    return [
      {
        verdict: verdictOf(falls && two.overtaking.leader > 0),
        measured: `n = 6, the estimate is wrong in ${percent(two.overtaking.estimate)} of runs for c = 2, ${percent(four.overtaking.estimate)} for c = 4; not exactly one node leads in ${percent(two.overtaking.leader)} and ${percent(four.overtaking.leader)}`,
        why: 'an estimate above n/2 is sufficient for one leader, so elections fail less often than estimates',
        table: {
          columns: [
            'c',
            'estimate wrong, with overtaking',
            'not one leader, with overtaking',
            'estimate wrong, FIFO',
            'not one leader, FIFO',
          ],
          rows: rows.map(({ c, overtaking, inOrder }) => [
            String(c),
            ...[overtaking, inOrder].flatMap(({ estimate, leader }) => [percent(estimate), percent(leader)]),
          ]),
        },
        plot: {
          title: 'Itai–Rodeh, size unknown: share of wrong results',
          subtitle: 'one-way ring of 6; each node draws from 1 to c',
          xTitle: 'c',
          yTitle: 'percent of runs',
          series: [
            { name: 'estimate wrong', points: pointsOf('estimate') },
            { name: 'not one leader', points: pointsOf('leader') },
          ],
          curves: [],
          notes: ['random delays with overtaking'],
        },
      },
      {
        verdict: verdictOf(rows.every(({ overtaking, inOrder }) => overtaking.sound && inOrder.sound)),
        measured: `holds in all ${formatFigure(2 * runs * sides.length)} runs`,
        why: 'no node can know that its estimate is final',
      },
    ];
  },
};

export const itaiRodehUnknownRow = lawRow(
  itaiRodehUnknown,
  {
    grid: (experiment) =>
      elections(experiment, { sizes: [1, 2, 3, 4, 6, 8, 12], orders: ['random'], schedules: ANY_SCHEDULE }),
  },
  [
    unknownSize,
    outOfScope({
      id: 'itai-rodeh-unknown/none',
      origin: stated([KARNAPKE, 'line 872']),
      says: 'no deterministic and no Las Vegas algorithm elects on anonymous rings of unknown size',
      why: 'a statement about all possible algorithms; the errors of this one are shown above',
    }),
  ],
);
