/** Anonymous rings whose size nobody knows. */
import { itaiRodehUnknown } from '../../algorithms/anonymous/itai-rodeh-unknown.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { outOfScope, type Row, type Study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { lawStudy, percent } from '../law-study.ts';
import { elections, randomOrders } from '../parameter-grid.ts';
import { KARNAPKE } from '../sources.ts';

const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

/** How often in so many runs the last estimate is wrong, and how often there is not one leader. */
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
      source: KARNAPKE,
      says: 'with large c the size is probably estimated right; if not, several win, and nobody notices',
      method: 'share of runs',
    },
    {
      id: 'itai-rodeh-unknown/estimate',
      source: 'Itai, Rodeh 1981',
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
    return [
      {
        verdict: verdictOf(falls && two.overtaking.leader > 0),
        measured: `n = 6, the estimate is wrong in ${percent(two.overtaking.estimate)} of runs for c = 2, ${percent(four.overtaking.estimate)} for c = 4; more or less than one leads in ${percent(two.overtaking.leader)} and ${percent(four.overtaking.leader)}`,
        why: 'more than half of n is enough for one leader, so that elections go wrong less often than estimates',
        table: {
          columns: [
            'c',
            'estimate wrong, messages overtake',
            'not one leader',
            'estimate wrong, in order',
            'not one leader, in order',
          ],
          rows: rows.map(({ c, overtaking, inOrder }) => [
            String(c),
            ...[overtaking, inOrder].flatMap(({ estimate, leader }) => [percent(estimate), percent(leader)]),
          ]),
        },
        plot: {
          title: 'Size unknown: how often it goes wrong',
          subtitle: 'n = 6, per cent of runs, by the number of sides of the die',
          xTitle: 'c',
          yTitle: 'per cent of runs',
          series: [
            {
              name: 'estimate wrong',
              points: rows.map(({ c, overtaking }) => ({ x: c, y: 100 * overtaking.estimate })),
            },
            {
              name: 'not one leader',
              points: rows.map(({ c, overtaking }) => ({ x: c, y: 100 * overtaking.leader })),
            },
          ],
          curves: [],
          notes: ['random delays, messages overtake'],
        },
      },
      {
        verdict: verdictOf(rows.every(({ overtaking, inOrder }) => overtaking.sound && inOrder.sound)),
        measured: `so in all of ${formatFigure(2 * runs * sides.length)} runs`,
        why: 'no node can know that its estimate is the last: none is ever final',
      },
    ];
  },
};

export const itaiRodehUnknownRow: Row = {
  name: 'itai-rodeh-unknown',
  title: itaiRodehUnknown.title,
  studies: [
    lawStudy(itaiRodehUnknown, {
      grid: (experiment) =>
        elections(experiment, { sizes: [1, 2, 3, 4, 6, 8, 12], orders: ['random'], schedules: SCHEDULES }),
    }),
    unknownSize,
    outOfScope(
      {
        id: 'itai-rodeh-unknown/none',
        source: KARNAPKE,
        says: 'no deterministic and no Las Vegas algorithm elects on anonymous rings of unknown size',
      },
      'a statement about every algorithm there can be; that this one errs is shown above',
    ),
  ],
};
