/** The most and the least expensive order of ids, found by running every order. */

import { formatFigure } from '@hustings/base';
import { IdOrders } from '@hustings/study/internal/checker/network/id-orders';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { SimulateOptions } from '@hustings/study/simulator';
import { type Statement, type Study, study, verdictOf } from './claim.ts';
import type { Experiment } from './experiment.ts';

interface Extreme {
  readonly election: number;
  readonly ids: readonly number[];
  readonly replay: string;
}

/** The ids 1 to n. */
export function ascending(n: number): number[] {
  return Array.from({ length: n }, (_, at) => at + 1);
}

/** Every order of the ids 1 to n, rotations counted once. */
export function everyOrder(n: number): Iterable<readonly number[]> {
  return new IdOrders(Int32Array.from(ascending(n)), true);
}

/** In lockstep; all nodes initiate unless the options say otherwise. */
export function extremesOf(
  experiment: Experiment,
  algorithm: AnyAlgorithm,
  n: number,
  options: SimulateOptions = {},
): { readonly worst: Extreme; readonly best: Extreme; readonly orders: number; readonly mean: number } {
  let worst: Extreme | null = null;
  let best: Extreme | null = null;
  let orders = 0;
  let sum = 0;
  for (const ids of everyOrder(n)) {
    const run = experiment.run(algorithm, { ...options, ids });
    const { election } = run.outcome().messages;
    const found = { election, ids, replay: run.plan.replay };
    orders++;
    sum += election;
    if (worst === null || election > worst.election) worst = found;
    if (best === null || election < best.election) best = found;
  }
  if (worst === null || best === null) throw new RangeError(`n must be at least 1, not ${n}`);
  return { worst, best, orders, mean: sum / orders };
}

/** A claim about an extreme over all orders. */
export interface ExtremeClaim extends Statement {
  readonly extreme: 'worst' | 'best';
  /** The claimed cost for n nodes: exact if `isReached`, otherwise a bound. */
  readonly figure: (n: number) => number;
  readonly isReached: boolean;
  readonly sizes: (experiment: Experiment) => readonly number[];
  readonly options?: SimulateOptions;
}

/** A claim about the most or the least expensive order of each small size. */
export function extremeStudy(algorithm: AnyAlgorithm, claim: ExtremeClaim): Study {
  const { extreme, figure, isReached, sizes, options, ...statement } = claim;
  return study({
    ...statement,
    method: 'every order',
    measure(experiment) {
      const found = sizes(experiment).map((n) => ({ n, ...extremesOf(experiment, algorithm, n, options) }));
      const isRight = ({ n, [extreme]: { election } }: (typeof found)[number]): boolean =>
        isReached
          ? election === figure(n)
          : extreme === 'worst'
            ? election <= figure(n)
            : election >= figure(n);
      const wrong = found.find((each) => !isRight(each));
      const shown = wrong ?? found[found.length - 1];
      return {
        verdict: verdictOf(wrong === undefined),
        measured: `${formatFigure(shown[extreme].election)} at n = ${shown.n}, the ${extreme} of ${formatFigure(shown.orders)} orders: ${shown[extreme].ids.join(' ')}`,
        replay: shown[extreme].replay,
        table: {
          columns: ['n', 'orders', 'claimed', `${extreme} found`, 'order'],
          rows: found.map((each) => [
            String(each.n),
            formatFigure(each.orders),
            formatFigure(figure(each.n)),
            formatFigure(each[extreme].election),
            each[extreme].ids.join(' '),
          ]),
        },
      };
    },
  });
}
