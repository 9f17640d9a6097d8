/** Chang–Roberts token by token: how far each id travels, which tokens are dropped, and which nodes take part. */
import { asPrinted } from '../../algorithms/broken/twins.ts';
import { changRoberts } from '../../algorithms/ring/chang-roberts.ts';
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { harmonic } from '../../kernel/law.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import type { SimulateOptions } from '../../simulator/plan/options.ts';
import type { Run } from '../../simulator/simulate.ts';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending, everyOrder } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { follows, stated } from '../origin.ts';
import { allOneSome, elections, FIFO, randomOrders, sizesFor } from '../parameter-grid.ts';
import { everyRunStudy, runStudy } from '../run-study.ts';
import { sampleOf, showMean } from '../sample.ts';
import { KARNAPKE, KHARAGPUR, LECTURE_22 } from '../sources.ts';

/** Runs an election and counts the messages of each token, by id. */
export function tokenSteps(
  experiment: Experiment,
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
): { readonly run: Run; readonly steps: ReadonlyMap<number, number> } {
  const steps = new Map<number, number>();
  const run = experiment.run(algorithm, {
    ...options,
    observe: (event) => {
      if (event.type !== 'send' || event.message.type !== 'token') return;
      const id = Number(event.message.id);
      steps.set(id, (steps.get(id) ?? 0) + 1);
    },
  });
  return { run, steps };
}

/** The probability that id i makes k steps, if `smaller` of the other n−1 ids are smaller and `larger` are larger. */
function stepProbability(n: number, k: number, smaller: number, larger: number): number {
  let all = 1;
  for (let j = 0; j < k - 1; j++) all *= Math.max(0, smaller - j) / (n - 1 - j);
  return (all * larger) / (n - k);
}

/** How often each id below the largest makes k steps, over all orders. The ids are 1 to n. */
function stepCounts(experiment: Experiment, n: number): { orders: number; counts: number[][] } {
  const counts = Array.from({ length: n + 1 }, () => new Array<number>(n + 1).fill(0));
  let orders = 0;
  for (const ids of everyOrder(n)) {
    orders++;
    for (const [id, made] of tokenSteps(experiment, changRoberts, { ids }).steps) counts[id][made]++;
  }
  return { orders, counts };
}

/** The number of pairs of an id and a number of steps whose printed probability is the share of orders. */
function matches(experiment: Experiment, n: number, smallestId: 0 | 1): [equal: number, all: number] {
  const { orders, counts } = stepCounts(experiment, n);
  let [equal, all] = [0, 0];
  for (let rank = 1; rank < n; rank++) {
    const i = rank - 1 + smallestId;
    for (let k = 1; k < n; k++) {
      all++;
      if (Math.abs(counts[rank][k] / orders - stepProbability(n, k, i - 1, n - i)) < 1e-12) equal++;
    }
  }
  return [equal, all];
}

const largestToken: Study[] = [
  study({
    id: 'chang-roberts/steps-printed',
    origin: stated([KHARAGPUR, 'lines 279–283']),
    says: 'with ids 0 to n−1, id i makes exactly k steps with probability P(i, k) = C(i−1, k−1)/C(n−1, k−1) · (n−i)/(n−k), because i−1 ids are smaller than i',
    method: 'every order',
    measure(experiment) {
      const n = experiment.some(5, 6);
      const [equal, all] = matches(experiment, n, 0);
      const ids = [3, 1, 0, 2];
      const { run, steps } = tokenSteps(experiment, changRoberts, { ids });
      return {
        verdict: verdictOf(equal === all),
        measured: `n = ${n}: P(i, k) is the share of orders for ${equal} of ${all} pairs; at n = 4 it gives P(1, 1) = ${stepProbability(4, 1, 0, 3)}, but in the order ${ids.join(' ')} id 1 makes ${steps.get(1)} steps`,
        why: 'an index slip: of the ids 0 to n−1, i are smaller than i. With ids 1 to n the formula is correct, as the next claim shows',
        replay: run.plan.replay,
      };
    },
  }),
  study({
    id: 'chang-roberts/steps',
    origin: follows([KHARAGPUR, 'lines 279–283']),
    says: 'with ids 1 to n, id i < n makes exactly k steps with probability P(i, k) = C(i−1, k−1)/C(n−1, k−1) · (n−i)/(n−k)',
    method: 'every order',
    measure(experiment) {
      const n = experiment.some(6, 7);
      const [equal, all] = matches(experiment, n, 1);
      const measured = `n = ${n}: equal to the share of orders for ${equal} of ${all} pairs of an id and a number of steps`;
      return { verdict: verdictOf(equal === all), measured };
    },
  }),
  study({
    id: 'chang-roberts/expected-sum',
    origin: stated([KHARAGPUR, 'lines 284–285']),
    says: 'the mean number of messages, n + Σ Σ k·P(i, k) over i and k from 1 to n−1, is n(1 + 1/2 + … + 1/n)',
    method: 'formula',
    measure(experiment) {
      const most = experiment.some(64, 200);
      const wrong = ascending(most).filter((n) => {
        let sum = n;
        for (let i = 1; i < n; i++) {
          for (let k = 1; k < n; k++) sum += k * stepProbability(n, k, i - 1, n - i);
        }
        return Math.abs(sum - n * harmonic(n)) > 1e-9 * sum;
      });
      const measured = `equal for ${most - wrong.length} of the ${most} values of n up to ${most}`;
      return { verdict: verdictOf(wrong.length === 0), measured };
    },
  }),
  study({
    id: 'chang-roberts/ith-largest',
    origin: stated([KARNAPKE, 'slide 18, lines 296–303']),
    says: 'on average the token of the i-th largest initiator makes n/i steps',
    method: 'every order',
    measure(experiment) {
      const n = experiment.some(6, 7);
      const { orders, counts } = stepCounts(experiment, n);
      const rows = ascending(n).map((i) => {
        const sum = counts[n + 1 - i].reduce((all, count, k) => all + k * count, 0);
        return { i, sum, equal: sum * i === n * orders };
      });
      return {
        verdict: verdictOf(rows.every(({ equal }) => equal)),
        measured: `n = ${n}: exact for ${rows.filter(({ equal }) => equal).length} of ${n} ranks, over all ${formatFigure(orders)} orders`,
        table: {
          columns: ['i', 'n/i', 'mean over all orders'],
          rows: rows.map(({ i, sum }) => [String(i), (n / i).toFixed(4), (sum / orders).toFixed(4)]),
        },
      };
    },
  }),
];

/** Sorted ids: the steps of each rank, for every size. */
function sortedTokens(order: 'ascending' | 'descending', wanted: (n: number, rank: number) => number): Study {
  return study({
    id: `chang-roberts/${order}-tokens`,
    origin: stated([KHARAGPUR, order === 'descending' ? 'lines 256–260' : 'lines 270–271']),
    says:
      order === 'descending'
        ? 'with ids descending clockwise the 2nd largest id causes n−1 messages, the 3rd n−2, and so on'
        : 'with ids ascending clockwise the largest id causes n messages, and every other id exactly one',
    method: 'exact count',
    measure(experiment) {
      const most = experiment.some(32, 64);
      for (let n = 1; n <= most; n++) {
        const { run, steps } = tokenSteps(experiment, changRoberts, { nodes: n, order });
        for (const [id, made] of steps) {
          const claimed = wanted(n, n + 1 - id);
          if (made !== claimed) {
            return { verdict: 'refuted', measured: `${made}, not ${claimed}`, replay: run.plan.replay };
          }
        }
      }
      return { verdict: 'confirmed', measured: `holds for every id and every n up to ${most}` };
    },
  });
}

const literal: Study = study({
  id: 'chang-roberts/literal',
  origin: stated([KHARAGPUR, 'lines 176, 261, 273']),
  says: 'every process sends the larger of its own and the received id to the next; descending ids then cost n(n+1)/2 messages and ascending ids 2n−1',
  method: 'exact count',
  measure(experiment) {
    const printed = asPrinted.find(({ name }) => name === 'chang-roberts-as-printed');
    if (printed === undefined) throw new RangeError('chang-roberts-as-printed is missing');
    const sizes = [4, 8, 16];
    const rows = sizes.map((n) =>
      (['descending', 'ascending'] as const).map((order) => {
        const run = experiment.run(printed.algorithm, { nodes: n, order });
        return { replay: run.plan.replay, election: run.outcome().messages.election };
      }),
    );
    const isRight = rows.every(
      ([down, up], at) =>
        down.election === (sizes[at] * (sizes[at] + 1)) / 2 && up.election === 2 * sizes[at] - 1,
    );
    return {
      verdict: verdictOf(isRight),
      measured: `${rows.map(([down, up]) => (down.election === up.election ? down.election : `${down.election} and ${up.election}`)).join(', ')} messages for n = ${sizes.join(', ')}, in either order`,
      why: 'if every received id is answered by a message, nothing is dropped: n² + n(n−1)/2 messages. The counts on the later slides need that a process drops smaller ids',
      replay: rows[2][1].replay,
    };
  },
});

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
      measured: `n = 8: the sum and the run give ${election}; N − (N−1)N/2 is ${printed}`,
    };
  },
  why: 'the middle of the chain lacks a factor: the sum is N² − (N−1)N/2; both ends are correct',
});

export const tokenStudies: readonly Study[] = [
  ...largestToken,
  sortedTokens('descending', (n, rank) => n + 1 - rank),
  sortedTokens('ascending', (n, rank) => (rank === 1 ? n : 1)),
  literal,
  ...participants,
  ...dropped,
  sumSlip,
];
