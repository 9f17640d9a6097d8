/** Chang–Roberts: which nodes take part, which tokens they drop, and what that saves. */

import { formatFigure } from '@hustings/base';
import { changRoberts } from '@hustings/study/algorithms';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending } from '../every-order.ts';
import { stated } from '../origin.ts';
import { allOneSome, elections, FIFO, randomOrders, sizesFor } from '../parameter-grid.ts';
import { everyRunStudy, refutedBy } from '../run-study.ts';
import { sampleOf, showMean } from '../sample.ts';
import { printedStudy } from '../search.ts';
import { KARNAPKE, KHARAGPUR, LECTURE_22 } from '../sources.ts';

const participants: Study[] = [
  everyRunStudy(changRoberts, {
    id: 'chang-roberts/largest',
    origin: stated([KHARAGPUR, 'lines 234, 289']),
    says: 'the process with the largest id is elected, in synchronous and in asynchronous rings',
    method: 'share of runs',
    grid: (experiment) =>
      elections(experiment, {
        sizes: sizesFor(experiment),
        schedules: ['lockstep', 'random', 'random:nofifo'],
      }),
    wrong: ({ n, leader }) => (leader?.id === n ? undefined : `${leader?.id} of ${n} leads`),
    confirmed: (runs) => `holds in ${formatFigure(runs)} elections`,
  }),
  everyRunStudy(changRoberts, {
    id: 'chang-roberts/only-initiators',
    origin: stated([KARNAPKE, 'slide 14, line 215'], [LECTURE_22, 'lines 109–115']),
    says: 'non-participants forward every token and lose, whatever their id: only an initiator can win',
    method: 'share of runs',
    grid: (experiment) =>
      elections(experiment, { sizes: sizesFor(experiment, [256]), initiators: allOneSome, schedules: FIFO }),
    wrong: ({ leader }, { run }) => {
      const { ids, initiators } = run.facts();
      const largest = Math.max(...Array.from(initiators, (at) => ids[at]));
      return leader?.id === largest ? undefined : `${leader?.id} leads, not the initiator ${largest}`;
    },
    confirmed: (runs) => `the largest initiator leads in ${formatFigure(runs)} elections`,
  }),
  everyRunStudy(changRoberts, {
    id: 'chang-roberts/late-initiator',
    origin: stated([LECTURE_22, 'lines 150–151']),
    says: 'in the worst case an election takes 2N−1 units, as LeLann’s: an initiator that wins starts at N−1',
    method: 'exact count',
    grid: (experiment) =>
      ascending(experiment.some(31, 63)).map((last) => ({
        nodes: last + 1,
        order: 'ascending',
        initiators: [0, { position: last, time: last }],
      })),
    wrong: ({ n, time: { electedAt } }) => (electedAt === 2 * n - 1 ? undefined : `${electedAt} at n = ${n}`),
    confirmed: (runs) => `holds for every n from 2 to ${runs + 1}`,
    why: 'position 0 starts at 0, and the largest id, at position N−1, just before the first token reaches it: hustings simulate chang-roberts --nodes 8 --order ascending --initiators 0,7@7',
  }),
];

const LOWEST_SEEN = 'chang-roberts/lowest-seen';
const SUM_SLIP = 'chang-roberts/sum-slip';

const MIN = { extremum: 'min' } as const;

const dropped: Study[] = [
  study({
    id: 'chang-roberts/dropped-side',
    origin: stated([LECTURE_22, 'lines 74–76']),
    says: 'a node drops the tokens with smaller ids than its own, because they never win',
    method: 'one run',
    measure(experiment) {
      // A token that is delivered and neither sent on nor followed by a decision is dropped.
      let pending: { readonly node: number; readonly id: number } | null = null;
      const drops: { readonly node: number; readonly id: number }[] = [];
      const run = experiment.run(changRoberts, {
        nodes: 8,
        seed: experiment.seedOf(0),
        set: MIN,
        observe: (event) => {
          const { node, type } = event;
          if (pending !== null && (node !== pending.node || (type !== 'send' && type !== 'decide'))) {
            drops.push(pending);
          }
          pending =
            type === 'deliver' && event.message.type === 'token'
              ? { node, id: Number(event.message.id) }
              : null;
        },
      });
      const { ids } = run.facts();
      const larger = drops.filter(({ node, id }) => id > ids[node]).length;
      return {
        verdict: verdictOf(larger === 0),
        measured: `the smallest id wins; of ${drops.length} tokens that are dropped, ${larger} are larger than the id of the node that drops them`,
        why: 'the sentence is inverted: the program of the next slides forwards a token if its id is smaller than the node’s, and drops it if it is larger',
        replay: run.plan.replay,
      };
    },
  }),
  everyRunStudy(changRoberts, {
    id: 'chang-roberts/loser-hears',
    origin: stated([LECTURE_22, 'lines 80–84']),
    says: 'a node whose token was dropped receives a token with a lower id, and so learns that it has lost',
    method: 'share of runs',
    grid: (experiment) =>
      elections(experiment, {
        sizes: [2, 3, 5, 8, 16, 32],
        initiators: allOneSome,
        schedules: FIFO,
        sets: () => [MIN],
      }),
    wrong: (_, { experiment, options, run }) => {
      const lowest = new Map<number, number>();
      experiment.run(changRoberts, {
        ...options,
        observe: (event) => {
          if (event.type !== 'deliver' || event.message.type !== 'token') return;
          lowest.set(
            event.node,
            Math.min(lowest.get(event.node) ?? Number.POSITIVE_INFINITY, Number(event.message.id)),
          );
        },
      });
      const { ids, initiators } = run.facts();
      const winner = run.outcome().leader?.position;
      const deaf = [...initiators].find(
        (at) => at !== winner && (lowest.get(at) ?? Number.POSITIVE_INFINITY) >= ids[at],
      );
      return deaf === undefined ? undefined : `node ${deaf} receives no lower id`;
    },
    confirmed: (runs) => `holds for every initiator that loses, in ${formatFigure(runs)} elections`,
  }),
  study({
    id: LOWEST_SEEN,
    origin: stated([LECTURE_22, 'lines 184–188, 195–197']),
    says: 'on FIFO links, comparing with the lowest id seen, also at non-initiators, is an improvement: it saves messages',
    method: 'share of runs',
    measure(experiment) {
      const runs = experiment.some(100, 400);
      const savings = (schedule: 'random' | 'random:nofifo'): number[] =>
        [...randomOrders(experiment, [48], runs, { initiators: { random: 24 } })].map((options) => {
          const [plain, improved] = [false, true].map(
            (filter) =>
              experiment.outcome(changRoberts, { ...options, schedule, set: { ...MIN, filter } }).messages
                .election,
          );
          return plain - improved;
        });
      const [fifo, overtaking] = [sampleOf(savings('random')), sampleOf(savings('random:nofifo'))];
      return {
        verdict: verdictOf(fifo.mean > 0),
        measured: `n = 48, 24 initiators: ${fifo.mean} messages saved on FIFO links, in ${runs} elections; ${showMean(overtaking, 1)} if messages overtake each other`,
        why: 'the slides assume FIFO links (lines 15, 233), on which the lowest token that a node has seen is always ahead of the others. The smallest id wins, so the filter drops higher ids: the note at line 197, “filter lower ids”, is inverted, and is corrected here',
        replay: `hustings reproduce --quick --claim ${LOWEST_SEEN}`,
      };
    },
  }),
  printedStudy({
    id: 'chang-roberts/break',
    origin: stated([LECTURE_22, 'lines 179–180']),
    says: 'an initiator can leave the loop once it is no longer a candidate, so that it does not block in receive',
    printed: 'chang-roberts-breaking',
    search: { nodes: 3, order: 'ascending', starts: 'together', set: MIN },
    why: 'taken literally: an initiator that has lost receives nothing more, so it does not forward the next token, which may be that of the winner',
  }),
  everyRunStudy(changRoberts, {
    id: 'chang-roberts/overtaken-by-higher',
    origin: stated([KARNAPKE, 'slide 20, line 339']),
    says: 'a message can only be overtaken by a higher one, because a node forwards only ids above all that it has sent',
    method: 'share of runs',
    grid: (experiment) =>
      randomOrders(experiment, [4, 16, 64], experiment.some(60, 300), {
        schedule: 'random:nofifo',
        set: { filter: true },
      }),
    wrong: (_, { experiment, options }) => {
      const last = new Map<number, number>();
      let found: string | undefined;
      experiment.run(changRoberts, {
        ...options,
        observe: (event) => {
          if (event.type !== 'send' || event.message.type !== 'token') return;
          const id = Number(event.message.id);
          const before = last.get(event.node) ?? 0;
          if (id <= before) found ??= `node ${event.node} sends ${id} after ${before}`;
          last.set(event.node, id);
        },
      });
      return found;
    },
    confirmed: (runs) =>
      `on every link the ids sent increase, in ${formatFigure(runs)} elections with overtaking`,
  }),
  study({
    id: 'chang-roberts/overtaken-in-vain',
    origin: stated([KARNAPKE, 'slide 20, line 341']),
    says: 'an overtaking saves no message if the receiving node is a higher initiator: it would have dropped the message anyway',
    method: 'share of runs',
    measure(experiment) {
      let [runs, overtaken, replay] = [0, 0, ''];
      const grid = randomOrders(experiment, [16, 64], experiment.some(60, 300), {
        schedule: 'random:nofifo',
        initiators: { random: 12 },
      });
      for (const options of grid) {
        const { ids, initiators } = experiment.run(changRoberts, options).facts();
        /** When the latest token that a link has delivered was sent. */
        const latest = new Map<number, number>();
        /** The overtaken token that is being handled. */
        let handled: { readonly node: number; readonly id: number } | null = null;
        let forwarded: string | undefined;
        const run = experiment.run(changRoberts, {
          ...options,
          observe: (event) => {
            const { node, type } = event;
            if (type === 'send' && handled?.node === node && Number(event.message.id) === handled.id) {
              forwarded ??= `node ${node} forwards the overtaken token ${handled.id}`;
            }
            handled = null;
            if (type !== 'deliver' || event.message.type !== 'token') return;
            const id = Number(event.message.id);
            const last = latest.get(node) ?? -1;
            latest.set(node, Math.max(last, event.sent));
            if (event.sent >= last || ids[node] <= id || !initiators.includes(node)) return;
            overtaken++;
            handled = { node, id };
          },
        });
        runs++;
        replay ||= run.plan.replay;
        if (forwarded !== undefined) return refutedBy(run, forwarded);
      }
      return {
        verdict: overtaken > 0 ? 'confirmed' : 'undecided',
        measured: `${formatFigure(overtaken)} overtaken tokens reach a higher initiator in ${formatFigure(runs)} elections; none is forwarded, with no memory of the tokens that passed`,
        replay,
      };
    },
  }),
];

const sumSlip: Study = study({
  id: SUM_SLIP,
  origin: stated([LECTURE_22, 'line 155']),
  says: 'Σ (N−i) for i from 0 to N−1 is N − Σ i = N − (N−1)N/2 = (N+1)N/2',
  method: 'formula',
  measure(experiment) {
    const n = 8;
    const { election } = experiment.outcome(changRoberts, { nodes: n, order: 'descending' }).messages;
    const printed = n - ((n - 1) * n) / 2;
    return {
      verdict: verdictOf(printed === election),
      measured: `n = 8: the sum and the run give ${election}; N − (N−1)N/2 is −${formatFigure(-printed)}`,
      why: 'the middle of the chain must be N² − (N−1)N/2; the text may have lost the exponent of the slide. Both ends are correct',
      replay: `hustings reproduce --quick --claim ${SUM_SLIP}`,
    };
  },
});

export const dropStudies: readonly Study[] = [...participants, ...dropped, sumSlip];
