/** Rings within rings: Sun, Divided, Sun with Divided. */

import { formatFigure } from '@hustings/base';
import { divided, sun, sunDivided } from '@hustings/study/algorithms';
import type { SimulateOptions } from '@hustings/study/simulator';
import { study } from '../claim.ts';
import { everyOrder } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { lawRow } from '../law-row.ts';
import { follows, ours, stated } from '../origin.ts';
import { everyRunStudy, refutedBy } from '../run-study.ts';
import { SHIRALI } from '../sources.ts';
import { dividedStudies } from '../studies/printed-divided.ts';
import { sunStudies } from '../studies/printed-sun.ts';

const ALL_LIVE = { crash: 'none' } as const;

interface Division extends SimulateOptions {
  readonly nodes: number;
  readonly initiators: readonly [detector: number];
  readonly set: Readonly<Record<'u' | 'depth' | 'successors', number>>;
}

/** Sizes, divisors and depths that divide evenly, with several detectors each. */
function* divisions(experiment: Experiment, most: number): Generator<Division> {
  let index = 0;
  for (let n = 2; n <= most; n++) {
    for (let u = 2; u <= n; u++) {
      for (let depth = 1; n % u ** depth === 0; depth++) {
        for (const detector of new Set([0, 1, n - 1])) {
          const seed = experiment.seedOf(index++);
          yield { nodes: n, seed, initiators: [detector], set: { u, depth, successors: 2 }, ...ALL_LIVE };
        }
      }
    }
  }
}

/** The smaller divisions that the node at position 0 detects. */
function detectedFirst(experiment: Experiment): Division[] {
  return [...divisions(experiment, experiment.some(24, 48))].filter(({ initiators: [first] }) => first === 0);
}

export const sunRow = lawRow(
  sun,
  {
    origins: {
      'announcement messages = ΣL_i': follows([SHIRALI, 'section 5, lines 154–160']),
      '⟨M-coordinator⟩ messages = L_r': follows([SHIRALI, 'section 5, lines 153–160']),
    },
    grid: (experiment) => divisions(experiment, experiment.some(32, 64)),
  },
  [
    study({
      id: 'sun/decides',
      origin: ours(),
      says: 'the informer, on ring r, decides at 2L_r + d(u−1)',
      method: 'exact count',
      measure(experiment) {
        let runs = 0;
        for (const options of detectedFirst(experiment)) {
          const {
            nodes: n,
            set: { u, depth },
          } = options;
          let first = -1;
          const observe: SimulateOptions['observe'] = ({ type, time }) => {
            if (type === 'decide' && first < 0) first = time;
          };
          const run = experiment.run(sun, { ...options, observe });
          runs++;
          const claimed = (2 * n) / u ** depth + depth * (u - 1);
          if (first !== claimed) return refutedBy(run, `${first}, not ${claimed}`);
        }
        return { verdict: 'confirmed', measured: `holds in ${formatFigure(runs)} elections` };
      },
    }),
    ...sunStudies,
  ],
);

export const dividedRow = lawRow(
  divided,
  {
    origins: {
      'announcement messages = n': follows([SHIRALI, 'section 6, line 220']),
      'announcement returned at = 2n': follows([SHIRALI, 'section 6, line 220']),
    },
    grid: function* (experiment) {
      for (const options of divisions(experiment, experiment.some(32, 64))) {
        yield options;
        yield { ...options, crash: [{ position: options.nodes, time: 0 }] };
      }
    },
  },
  [
    study({
      id: 'divided/from-divide',
      origin: stated([SHIRALI, 'section 6, lines 203–206, 231–233']),
      says: 'from `divide` on: 2n + 3u^d messages, and the result returns 3d + 2n/u^d later',
      method: 'exact count',
      measure(experiment) {
        let runs = 0;
        const sooner: string[] = [];
        for (const options of detectedFirst(experiment)) {
          const {
            nodes: n,
            set: { u, depth },
          } = options;
          if (n / u ** depth < 2 * depth) continue;
          let left = -1;
          const run = experiment.run(divided, {
            ...options,
            observe: (event) => {
              if (left < 0 && event.type === 'send' && event.message.type === 'divide') left = event.time;
            },
          });
          runs++;
          const { messages, time } = run.outcome();
          const { token, divide, information, coordinator } = messages.byType;
          const sent = token + divide + information + coordinator;
          const took = Number(time.announcementReturnedAt) - left;
          const claimed = 3 * depth + (2 * n) / u ** depth;
          if (sent !== 2 * n + 3 * u ** depth || (took !== claimed && took !== claimed - 1)) {
            const claim = `${2 * n + 3 * u ** depth} in ${claimed}`;
            return refutedBy(run, `${sent} messages in ${took}, not ${claim}`);
          }
          if (took < claimed) sooner.push(run.plan.replay);
        }
        return {
          verdict: 'confirmed',
          measured: `holds in ${formatFigure(runs)} elections, those with n/u^d ≥ 2d`,
          ...(sooner.length > 0 && {
            why: `in ${sooner.length} of them, all with u = 2 and d > 1, the result returns one unit earlier`,
            replay: sooner[0],
          }),
        };
      },
    }),
    ...dividedStudies,
  ],
);

export const sunDividedRow = lawRow(
  sunDivided,
  {
    grid: function* (experiment) {
      for (const { set, ...options } of divisions(experiment, experiment.some(32, 64))) {
        yield { ...options, crash: undefined, set: { u: set.u, depth: set.depth } };
      }
    },
  },
  [
    everyRunStudy(sunDivided, {
      id: 'sun-divided/works',
      origin: stated([SHIRALI, 'section 6, line 235']),
      says: 'Sun and Divided can be combined: the largest id wins on every order',
      method: 'every order',
      grid: function* (experiment) {
        for (const ids of everyOrder(experiment.some(6, 8))) {
          yield { ids, initiators: [ids.indexOf(1)], set: { u: 2, depth: 1 } };
        }
      },
      wrong: ({ n, leader }) => (leader?.id === n ? undefined : `${leader?.id} leads`),
      confirmed: (runs, experiment) =>
        `holds for all ${formatFigure(runs)} orders of ${experiment.some(6, 8)} ids`,
    }),
  ],
);
