/** Rings whose nodes know the map, and rings within rings: ring-list, ring-max, Sun, Divided, Sun with Divided. */
import { changRoberts } from '../../algorithms/ring/chang-roberts.ts';
import { divided } from '../../algorithms/ring/divided.ts';
import { ringsAt } from '../../algorithms/ring/nested-rings.ts';
import { ringList } from '../../algorithms/ring/ring-list.ts';
import { ringMax } from '../../algorithms/ring/ring-max.ts';
import { sun } from '../../algorithms/ring/sun.ts';
import { sunDivided } from '../../algorithms/ring/sun-divided.ts';
import { idOrders } from '../../checker/network/id-orders.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import type { SimulateOptions } from '../../simulator/options.ts';
import { type Row, study, verdictOf } from '../claim.ts';
import type { Experiment } from '../experiment.ts';
import { lawStudy } from '../law-study.ts';
import { allOneSome, elections, randomOrders, sizesFor } from '../parameter-grid.ts';
import { ROURKELA, SHIRALI } from '../sources.ts';

const SCHEDULES = ['lockstep', 'random'] as const;

/** With all nodes live, and with the largest crashed from the start. */
function* withAndWithout(experiment: Experiment): Generator<SimulateOptions> {
  const axes = {
    sizes: sizesFor(experiment, [256]),
    initiators: allOneSome,
    schedules: SCHEDULES,
    all: { set: { timeout: 6 } },
  };
  yield* elections(experiment, axes);
  for (const nodes of sizesFor(experiment, [256]).filter((n) => n > 1)) {
    yield { nodes, order: 'ascending', initiators: [0], crash: [{ position: nodes - 1, time: 0 }] };
  }
}

export const ringListRow: Row = {
  name: 'ring-list',
  title: ringList.title,
  studies: [
    lawStudy(ringList, { source: SHIRALI, grid: withAndWithout }),
    study(
      {
        id: 'ring-list/agree',
        source: ROURKELA,
        says: 'concurrent elections agree: all tokens find the same coordinator',
        method: 'share of runs',
      },
      (experiment) => {
        const runs = experiment.some(200, 2000);
        for (const options of randomOrders(experiment, [24], runs, { initiators: { random: 6 } })) {
          const run = experiment.run(ringList, options);
          const { leader } = run.outcome();
          if (leader?.id === 24) continue;
          return { verdict: 'refuted', measured: `${leader?.id} leads`, replay: run.plan.replay };
        }
        return {
          verdict: 'confirmed',
          measured: `the largest of 24 leads, known to all nodes, in ${formatFigure(runs)} elections with 6 initiators each`,
        };
      },
    ),
  ],
};

export const ringMaxRow: Row = {
  name: 'ring-max',
  title: ringMax.title,
  studies: [
    lawStudy(ringMax, {
      source: SHIRALI,
      grid: withAndWithout,
      means: (experiment) =>
        randomOrders(experiment, experiment.quick ? [16, 64] : [16, 64, 256], experiment.some(100, 300)),
    }),
    study(
      {
        id: 'ring-max/as-chang-roberts',
        source: `${SHIRALI}; ${ROURKELA}`,
        says: 'of several tokens only that of the largest initiator travels around the ring: as many election messages as Chang–Roberts with the same initiators',
        method: 'exact count',
      },
      (experiment) => {
        const runs = experiment.some(150, 1000);
        for (const options of randomOrders(experiment, [48], runs, { initiators: { random: 12 } })) {
          const run = experiment.run(ringMax, options);
          const counted = run.outcome().messages.election;
          const other = experiment.outcome(changRoberts, options).messages.election;
          if (counted === other) continue;
          return { verdict: 'refuted', measured: `${counted}, not ${other}`, replay: run.plan.replay };
        }
        return {
          verdict: 'confirmed',
          measured: `equal in ${formatFigure(runs)} elections with 12 initiators among 48 nodes`,
          why: 'the winner is the largest live id, initiator or not: the token collects it on its way',
        };
      },
    ),
  ],
};

const ALL_LIVE = { crash: 'none' } as const;

/** Sizes, divisors and depths that divide evenly, with several detectors each. */
function* divisions(experiment: Experiment, most: number): Generator<SimulateOptions> {
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

/** Whether a node's part of the first ring is reported if only ring r is traversed. */
function isRead(place: number, n: number, u: number, depth: number): boolean {
  if (ringsAt(place, u, depth + 1) > 1) return true;
  const end = (Math.ceil(place / u) * u) % n;
  return ringsAt(end, u, depth + 1) === depth + 1;
}

export const sunRow: Row = {
  name: 'sun',
  title: sun.title,
  studies: [
    lawStudy(sun, {
      source: `${SHIRALI}; with the gather step that it lacks`,
      grid: (experiment) => divisions(experiment, experiment.some(32, 64)),
    }),
    study(
      {
        id: 'sun/decides',
        source: `${SHIRALI}; without one hop per level, which it counts and which is not needed`,
        says: 'the informer, on ring r, decides at 2L_r + d(u−1)',
        method: 'exact count',
      },
      (experiment) => {
        let runs = 0;
        for (const options of divisions(experiment, experiment.some(24, 48))) {
          const { u, depth } = options.set as { u: number; depth: number };
          const [detector] = options.initiators as number[];
          if (detector !== 0) continue;
          let first = -1;
          const observe: SimulateOptions['observe'] = ({ type, time }) => {
            if (type === 'decide' && first < 0) first = time;
          };
          const run = experiment.run(sun, { ...options, observe });
          runs++;
          const claimed = (2 * (options.nodes ?? 0)) / u ** depth + depth * (u - 1);
          if (first !== claimed) {
            return { verdict: 'refuted', measured: `${first}, not ${claimed}`, replay: run.plan.replay };
          }
        }
        return { verdict: 'confirmed', measured: `holds in ${formatFigure(runs)} elections` };
      },
    ),
    study(
      {
        id: 'sun/paper-count',
        source: SHIRALI,
        says: 'Sun(d) costs 2·ΣL_i + L_r messages for every d',
        method: 'one run',
      },
      (experiment) => {
        const [n, u, depth] = [64, 4, 2];
        const run = experiment.run(sun, {
          nodes: n,
          initiators: [0],
          seed: experiment.seedOf(0),
          set: { u, depth },
          ...ALL_LIVE,
        });
        const { total, byType } = run.outcome().messages;
        const claimed = 2 * (64 + 16 + 4) + 4;
        const unread = Array.from({ length: n }, (_, place) => place).filter(
          (place) => !isRead(place, n, u, depth),
        );
        const orders = 300;
        const missed = [
          ...randomOrders(experiment, [n], orders, { initiators: [0], set: { u, depth }, ...ALL_LIVE }),
        ].filter((options) => unread.includes(experiment.run(sun, options).outcome().leader?.position ?? -1));
        return {
          verdict: verdictOf(total === claimed),
          measured: `S(2), n = 64, u = 4: ${total} messages; the source gives ${claimed}`,
          why: `correct for d = 1. For d = 2 the ${byType.gather} missing messages leave ${unread.length} of 64 nodes unread, because their parts of the ring end at nodes that are not on ring r; in ${missed.length} of ${orders} random orders the largest id is among them`,
          replay: run.plan.replay,
        };
      },
    ),
  ],
};

export const dividedRow: Row = {
  name: 'divided',
  title: divided.title,
  studies: [
    lawStudy(divided, {
      source: `${SHIRALI}; with crash, election and reply, which its count omits`,
      grid: function* (experiment) {
        for (const options of divisions(experiment, experiment.some(32, 64))) {
          yield options;
          yield { ...options, crash: [{ position: options.nodes ?? 0, time: 0 }] };
        }
      },
    }),
    study(
      {
        id: 'divided/from-divide',
        source: SHIRALI,
        says: 'from `divide` on: 2n + 3u^d messages, and the result returns 3d + 2n/u^d later',
        method: 'exact count',
      },
      (experiment) => {
        let runs = 0;
        const sooner: string[] = [];
        for (const options of divisions(experiment, experiment.some(24, 48))) {
          const n = options.nodes ?? 0;
          const { u, depth } = options.set as { u: number; depth: number };
          if ((options.initiators as number[])[0] !== 0 || n / u ** depth < 2 * depth) continue;
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
            const measured = `${sent} messages in ${took}, not ${2 * n + 3 * u ** depth} in ${claimed}`;
            return { verdict: 'refuted', measured, replay: run.plan.replay };
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
    ),
  ],
};

export const sunDividedRow: Row = {
  name: 'sun-divided',
  title: sunDivided.title,
  studies: [
    lawStudy(sunDivided, {
      source: 'counted here: the paper outlines it and gives no formula',
      grid: function* (experiment) {
        for (const { set, ...options } of divisions(experiment, experiment.some(32, 64))) {
          const { u, depth } = set as { u: number; depth: number };
          yield { ...options, crash: undefined, set: { u, depth } };
        }
      },
    }),
    study(
      {
        id: 'sun-divided/works',
        source: SHIRALI,
        says: 'Sun and Divided can be combined: the largest id wins on every order',
        method: 'every order',
      },
      (experiment) => {
        const n = experiment.some(6, 8);
        let orders = 0;
        for (const ids of idOrders(
          Int32Array.from({ length: n }, (_, at) => at + 1),
          true,
        )) {
          orders++;
          const run = experiment.run(sunDivided, {
            ids,
            initiators: [ids.indexOf(1)],
            set: { u: 2, depth: 1 },
          });
          const { leader } = run.outcome();
          if (leader?.id !== n)
            return { verdict: 'refuted', measured: `${leader?.id} leads`, replay: run.plan.replay };
        }
        return { verdict: 'confirmed', measured: `holds for all ${formatFigure(orders)} orders of ${n} ids` };
      },
    ),
  ],
};
