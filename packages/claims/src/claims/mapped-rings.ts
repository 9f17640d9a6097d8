/** Rings whose nodes know the map: ring-list and ring-max. */

import { formatFigure } from '@hustings/base';
import { changRoberts, ringList, ringMax } from '@hustings/study/algorithms';
import type { SimulateOptions } from '@hustings/study/simulator';
import { study, verdictOf } from '../claim.ts';
import { ascending } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { lawRow } from '../law-row.ts';
import { follows, stated } from '../origin.ts';
import { allOneSome, elections, FIFO, randomOrders, sizesFor } from '../parameter-grid.ts';
import { everyRunStudy, refutedBy, runStudy } from '../run-study.ts';
import { printedAlgorithm, printedStudy } from '../search.ts';
import { ROURKELA, SHIRALI } from '../sources.ts';

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
        (initiators) =>
          experiment.outcome(ringList, { ...options, initiators, crash: 'none' }).messages.total,
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
        const grid = randomOrders(experiment, [16, 48], experiment.some(75, 500), {
          initiators: { random: 12 },
        });
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
