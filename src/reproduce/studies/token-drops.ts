/** Chang–Roberts: which nodes take part, which tokens they drop, and what that saves. */
import { changRoberts } from '../../algorithms/ring/chang-roberts.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending } from '../every-order.ts';
import { stated } from '../origin.ts';
import { allOneSome, elections, FIFO, randomOrders, sizesFor } from '../parameter-grid.ts';
import { everyRunStudy, runStudy } from '../run-study.ts';
import { sampleOf, showMean } from '../sample.ts';
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
    id: 'chang-roberts/lowest-seen',
    origin: stated([LECTURE_22, 'lines 184–188, 195–197']),
    says: 'comparing with the lowest id seen, also at non-initiators, is an improvement',
    method: 'mean of runs',
    measure(experiment) {
      const savings = (schedule: 'random' | 'random:nofifo'): number[] =>
        [...randomOrders(experiment, [48], experiment.some(100, 400), { initiators: { random: 24 } })].map(
          (options) => {
            const [plain, improved] = [false, true].map(
              (filter) =>
                experiment.outcome(changRoberts, { ...options, schedule, set: { ...MIN, filter } }).messages
                  .election,
            );
            return plain - improved;
          },
        );
      const [fifo, overtaking] = [sampleOf(savings('random')), sampleOf(savings('random:nofifo'))];
      return {
        verdict: verdictOf(overtaking.least >= 0 && overtaking.mean > 0 && fifo.least === 0),
        measured: `n = 48, 24 initiators: ${showMean(overtaking, 1)} messages saved if messages overtake each other, ${fifo.most} on FIFO links`,
        why: 'on FIFO links the improvement changes nothing: the token that a node has seen travels ahead of the weaker one',
      };
    },
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
];

const sumSlip: Study = runStudy(changRoberts, {
  id: 'chang-roberts/sum-slip',
  origin: stated([LECTURE_22, 'line 155']),
  says: 'Σ (N−i) for i from 0 to N−1 is N − Σ i = N − (N−1)N/2 = (N+1)N/2',
  method: 'formula',
  options: () => ({ nodes: 8, order: 'descending' }),
  finding: ({ n, messages: { election } }) => {
    const printed = n - ((n - 1) * n) / 2;
    return {
      holds: printed === election,
      measured: `n = 8: the sum and the run give ${election}; N − (N−1)N/2 is −${formatFigure(-printed)}`,
    };
  },
  why: 'the middle of the chain lacks a factor: the sum is N² − (N−1)N/2; both ends are correct',
});

export const dropStudies: readonly Study[] = [...participants, ...dropped, sumSlip];
