/** Chang–Roberts token by token: how far each id travels. */

import { formatFigure } from '@hustings/base';
import { changRoberts } from '@hustings/study/algorithms';
import { type AnyAlgorithm, harmonic } from '@hustings/study/kernel';
import type { Run, SimulateOptions } from '@hustings/study/simulator';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending, everyOrder } from '../every-order.ts';
import type { Experiment } from '../experiment.ts';
import { follows, stated } from '../origin.ts';
import { printedAlgorithm } from '../search.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';

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
    const printed = printedAlgorithm('chang-roberts-as-printed');
    const sizes = [4, 8, 16];
    const rows = sizes.map((n) =>
      (['descending', 'ascending'] as const).map((order) => {
        const run = experiment.run(printed, { nodes: n, order });
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

export const tokenStudies: readonly Study[] = [
  ...largestToken,
  sortedTokens('descending', (n, rank) => n + 1 - rank),
  sortedTokens('ascending', (n, rank) => (rank === 1 ? n : 1)),
  literal,
];
