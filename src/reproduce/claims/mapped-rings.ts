/** Rings whose nodes know the map, and rings within rings: ring-list, ring-max, Sun, Divided, Sun with Divided. */
import { changRoberts } from '../../algorithms/ring/chang-roberts.ts';
import { divided } from '../../algorithms/ring/divided.ts';
import { ringList } from '../../algorithms/ring/ring-list.ts';
import { ringMax } from '../../algorithms/ring/ring-max.ts';
import { sun } from '../../algorithms/ring/sun.ts';
import { sunDivided } from '../../algorithms/ring/sun-divided.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import type { SimulateOptions } from '../../simulator/plan/options.ts';
import { study, verdictOf } from '../claim.ts';
import { ascending, everyOrder } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { lawRow } from '../law-row.ts';
import { follows, ours, stated } from '../origin.ts';
import { allOneSome, elections, FIFO, randomOrders, sizesFor } from '../parameter-grid.ts';
import { everyRunStudy, refutedBy, runStudy } from '../run-study.ts';
import { ROURKELA, SHIRALI } from '../sources.ts';
import { dividedStudies } from '../studies/printed-divided.ts';
import { sunStudies } from '../studies/printed-sun.ts';

/** With all nodes live, and with the largest crashed from the start. */
function* withAndWithout(experiment: Experiment): Generator<SimulateOptions> {
  const axes = {
    sizes: sizesFor(experiment, [256]),
    initiators: allOneSome,
    schedules: FIFO,
    all: { set: { timeout: 6 } },
  };
  yield* elections(experiment, axes);
  for (const nodes of sizesFor(experiment, [256]).filter((n) => n > 1)) {
    yield { nodes, order: 'ascending', initiators: [0], crash: [{ position: nodes - 1, time: 0 }] };
  }
}

export const ringListRow = lawRow(ringList, { grid: withAndWithout }, [
  everyRunStudy(ringList, {
    id: 'ring-list/agree',
    origin: stated([ROURKELA, 'line 335']),
    says: 'concurrent elections agree: all tokens find the same coordinator',
    method: 'share of runs',
    grid: (experiment) =>
      randomOrders(experiment, [24], experiment.some(200, 2000), { initiators: { random: 6 } }),
    wrong: ({ leader }) => (leader?.id === 24 ? undefined : `${leader?.id} leads`),
    confirmed: (runs) =>
      `the largest of 24 leads, known to all nodes, in ${formatFigure(runs)} elections with 6 initiators each`,
  }),
  everyRunStudy(ringList, {
    id: 'ring-list/two-rounds',
    origin: stated([SHIRALI, 'section 3, lines 86–89']),
    says: 'an election takes two rounds of the ring: 2n messages, latency 2n',
    method: 'exact count',
    grid: (experiment) => ascending(experiment.some(40, 100)).map((nodes) => ({ nodes, initiators: [0] })),
    wrong: ({ n, messages: { total }, time: { announcementReturnedAt } }) =>
      total === 2 * n && announcementReturnedAt === 2 * n
        ? undefined
        : `${total} messages, latency ${announcementReturnedAt}`,
    confirmed: (runs) => `holds for every n up to ${runs}`,
  }),
  study({
    id: 'ring-list/example',
    origin: stated([ROURKELA, 'lines 327–353']),
    says: 'processes 0 to 7, of which 7 has crashed; 2 and 5 start elections: their lists are [2, 3, 4, 5, 6, 0, 1] and [5, 6, 0, 1, 2, 3, 4], and both elect 6',
    method: 'one run',
    measure(experiment) {
      const lists = new Map<number, string>();
      const run = experiment.run(ringList, {
        ids: [0, 1, 2, 3, 4, 5, 6, 7],
        initiators: [2, 5],
        crash: [{ position: 7, time: 0 }],
        observe: (event) => {
          if (event.type !== 'deliver' || event.message.type !== 'election') return;
          const [first] = event.message.ids as readonly number[];
          if (first === event.node) lists.set(first, String(event.message.ids));
        },
      });
      const { leader } = run.outcome();
      const isRight =
        lists.get(2) === '2,3,4,5,6,0,1' && lists.get(5) === '5,6,0,1,2,3,4' && leader?.id === 6;
      return {
        verdict: verdictOf(isRight),
        measured: `${[...lists].map(([id, list]) => `${id}: [${list.replaceAll(',', ', ')}]`).join('; ')}; ${leader?.id} leads`,
        replay: run.plan.replay,
      };
    },
  }),
]);

export const ringMaxRow = lawRow(
  ringMax,
  {
    origins: {
      'election messages = that of Chang–Roberts': follows([SHIRALI, 'section 3, lines 93–96']),
    },
    grid: withAndWithout,
    means: (experiment) =>
      randomOrders(experiment, experiment.quick ? [16, 64] : [16, 64, 256], experiment.some(100, 300)),
  },
  [
    everyRunStudy(ringMax, {
      id: 'ring-max/as-chang-roberts',
      origin: stated([SHIRALI, 'section 3, lines 93–96'], [ROURKELA, 'lines 359, 367']),
      says: 'of several tokens only that of the largest initiator travels around the ring: as many election messages as Chang–Roberts with the same initiators',
      method: 'exact count',
      grid: (experiment) =>
        randomOrders(experiment, [48], experiment.some(150, 1000), { initiators: { random: 12 } }),
      wrong({ messages: { election } }, { experiment, options }) {
        const other = experiment.outcome(changRoberts, options).messages.election;
        return election === other ? undefined : `${election}, not ${other}`;
      },
      confirmed: (runs) => `equal in ${formatFigure(runs)} elections with 12 initiators among 48 nodes`,
      why: 'the winner is the largest live id, initiator or not: the token collects it on its way',
    }),
    runStudy(ringMax, {
      id: 'ring-max/product',
      origin: stated([ROURKELA, 'lines 369–371']),
      says: 'if m nodes detect the crash at once, m·n messages are sent in total',
      method: 'one run',
      options: () => ({ nodes: 16, order: 'ascending', initiators: 'all', crash: 'none' }),
      finding: ({ n, initiators: { count: m }, messages: { total, election } }) => ({
        holds: total === m * n,
        measured: `${total} messages, ${election} of them for the election, at m = n = 16; m·n is ${m * n}`,
      }),
      why: 'it contradicts the sentence before, by which only the message of the largest detector goes round; m·n is the cost of the list algorithm',
    }),
    study({
      id: 'ring-max/overhead',
      origin: stated([ROURKELA, 'line 365'], [SHIRALI, 'section 3, line 91']),
      says: 'a token that carries only the largest id has less overhead than one that collects all ids',
      method: 'exact count',
      measure(experiment) {
        const rows = (experiment.quick ? [8, 32, 128] : [8, 32, 128, 512]).map((n) => {
          const options = { nodes: n, initiators: [0], crash: 'none' as const };
          return { n, bits: [ringList, ringMax].map((each) => experiment.outcome(each, options).bits) };
        });
        return {
          verdict: verdictOf(rows.every(({ bits: [list, largest] }) => largest < list)),
          measured: rows
            .map(
              ({ n, bits: [list, largest] }) =>
                `n = ${n}: ${formatFigure(largest)} bits instead of ${formatFigure(list)}`,
            )
            .join('; '),
        };
      },
    }),
  ],
);

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
