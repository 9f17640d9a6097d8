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
import { printedAlgorithm, printedStudy } from '../search.ts';
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
    wrong: ({ leader, valid: { agreement } }) =>
      leader?.id === 24 && agreement ? undefined : `${leader?.id} leads; agreement: ${agreement}`,
    confirmed: (runs) =>
      `the largest of 24 leads, and all nodes know it, in ${formatFigure(runs)} elections with 6 initiators each`,
    why: 'no process crashes during the election; otherwise two tokens may find different coordinators (ring-list/several)',
  }),
  study({
    id: 'ring-list/several',
    origin: stated([SHIRALI, 'section 3, line 93']),
    says: 'if several processes detect the crash and send tokens, there is additional overhead, and consistency may even be lost',
    method: 'one run',
    measure(experiment) {
      const options = { nodes: 5, order: 'ascending' } as const;
      const [one, two] = [[0], [0, 3]].map(
        (initiators) => experiment.outcome(ringList, { ...options, initiators, crash: 'none' }).messages.total,
      );
      // Process 5 crashes after the token of 4 has passed it and before that of 1 reaches it.
      const named = new Map<number, number>();
      const run = experiment.run(ringList, {
        ...options,
        initiators: [0, 3],
        crash: [{ position: 4, time: 2 }],
        observe: (event) => {
          if (event.type !== 'send' || event.message.type !== 'coordinator') return;
          const sender = Number(event.message.sender);
          if (!named.has(sender)) named.set(sender, Number(event.message.coordinator));
        },
      });
      return {
        verdict: verdictOf(two > one && new Set(named.values()).size > 1),
        measured: `n = 5: ${two} messages for two tokens, ${one} for one. If 5 crashes between the tokens, ${[...named].map(([sender, largest]) => `${sender} announces ${largest}`).join(' and ')}`,
        why: 'without a crash during the election the tokens agree (ring-list/agree). Here terms order the announcements, and all nodes agree in the end; the paper has none',
        replay: run.plan.replay,
      };
    },
  }),
  runStudy(ringList, {
    id: 'ring-list/two-rounds',
    origin: stated([SHIRALI, 'section 3, lines 86–89']),
    says: 'after the crash of the coordinator an election takes two rounds of the ring: 2n messages, latency 2n',
    method: 'exact count',
    options: () => ({
      nodes: 8,
      order: 'ascending',
      initiators: [0],
      crash: [{ position: 7, time: 0 }],
    }),
    finding: ({ n, messages: { total, election, announcement }, time: { announcementReturnedAt } }) => ({
      holds: total === 2 * n && announcementReturnedAt === 2 * n,
      measured: `${total} messages at n = 8, ${election} for the election and ${announcement} for the coordinator; latency ${announcementReturnedAt}`,
    }),
    why: 'the crashed coordinator receives an election message and forwards nothing: 2n−1 messages. The latency is 2n with a timeout of 2. Both are 2n if no process has crashed, as the next claim shows',
  }),
  everyRunStudy(ringList, {
    id: 'ring-list/all-live',
    origin: follows([SHIRALI, 'section 3, lines 86–89']),
    says: 'if no process has crashed, an election takes two rounds of the ring: 2n messages, latency 2n',
    method: 'exact count',
    grid: (experiment) =>
      [8, ...ascending(experiment.some(40, 100))].map((nodes) => ({ nodes, initiators: [0], crash: 'none' })),
    wrong: ({ n, messages: { total }, time: { announcementReturnedAt } }) =>
      total === 2 * n && announcementReturnedAt === 2 * n
        ? undefined
        : `${total} messages, latency ${announcementReturnedAt}`,
    confirmed: (_, experiment) => `holds for every n up to ${experiment.some(40, 100)}`,
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
      'election messages = that of Chang–Roberts': follows([SHIRALI, 'section 3, lines 94–96']),
    },
    grid: withAndWithout,
    means: (experiment) =>
      randomOrders(experiment, experiment.quick ? [16, 64] : [16, 64, 256], experiment.some(100, 300)),
  },
  [
    study({
      id: 'ring-max/only-largest',
      origin: stated([ROURKELA, 'line 367'], [SHIRALI, 'section 3, lines 94–96']),
      says: 'if many nodes notice the crash at the same time, only the message of the greatest of them circulates in the ring: a bigger detector kills the message of a smaller one',
      method: 'share of runs',
      measure(experiment) {
        let [runs, replay] = [0, ''];
        const grid = randomOrders(experiment, [16, 48], experiment.some(75, 500), { initiators: { random: 12 } });
        for (const options of grid) {
          const hops = new Map<number, number>();
          const run = experiment.run(ringMax, {
            ...options,
            observe: (event) => {
              if (event.type !== 'deliver' || event.message.type !== 'election') return;
              const initiator = Number(event.message.initiator);
              hops.set(initiator, (hops.get(initiator) ?? 0) + 1);
            },
          });
          const { ids, initiators, n } = run.facts();
          const largest = Math.max(...Array.from(initiators, (at) => ids[at]));
          const round = [...hops].filter(([, made]) => made === n).map(([id]) => id);
          if (round.length !== 1 || round[0] !== largest) {
            return refutedBy(run, `the messages of ${round.join(', ')} circulate, not that of ${largest}`);
          }
          runs++;
          replay ||= run.plan.replay;
        }
        return {
          verdict: 'confirmed',
          measured: `one message goes all the way round, that of the largest of 12 detectors, in ${formatFigure(runs)} elections`,
          why: 'interpreted as: each smaller one is sent, and ends at the next larger detector',
          replay,
        };
      },
    }),
    everyRunStudy(ringMax, {
      id: 'ring-max/as-chang-roberts',
      origin: follows([SHIRALI, 'section 3, lines 94–96']),
      says: 'as many election messages as Chang–Roberts with the same initiators',
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
    study({
      id: 'ring-max/product',
      origin: stated([ROURKELA, 'lines 369–371']),
      says: 'if m nodes detect the crash at once, m·n messages are sent in total',
      method: 'one run',
      measure(experiment) {
        const options = { nodes: 16, order: 'ascending' } as const;
        const live = { ...options, initiators: 'all', crash: 'none' } as const;
        const run = experiment.run(ringMax, live);
        const [own, literal, list] = [
          run.outcome().messages,
          experiment.outcome(printedAlgorithm('modified-ring-as-printed'), options).messages,
          experiment.outcome(ringList, live).messages,
        ];
        return {
          verdict: verdictOf([own, literal].some(({ total }) => total === 16 * 16)),
          measured: `m = n = 16: ${own.total} messages, ${own.election} of them for the election; ${literal.total} and ${literal.election} by the literal rule, “forwards whichever is the greatest”, which drops nothing; m·n is ${16 * 16}`,
          why: `it contradicts the sentence before, by which only the message of the greatest detector circulates. It counts a full round for each detector and no announcement; the list algorithm, in which each message does go round, sends ${list.election} election and ${list.announcement} coordinator messages`,
          replay: run.plan.replay,
        };
      },
    }),
    printedStudy({
      id: 'ring-max/printed',
      origin: stated([ROURKELA, 'lines 359–363']),
      says: 'every node forwards the larger of the received and its own id; the greatest id returns to the initial node, and the initial sender declares itself the leader if it receives its own id',
      printed: 'modified-ring-as-printed',
      search: { nodes: 3, order: 'ascending', initiators: [0] },
      why: 'taken literally: if the initial node does not have the greatest id, the id that returns to it is never its own, no node declares itself, and the message circulates without end. ring-max lets the initial node announce the greatest id',
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
