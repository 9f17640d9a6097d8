/** All orders of ids, and all sets of positions: for small networks. */
import { InputError } from '../../kernel/errors.ts';

const MOST_NODES = 10;

/**
 * Every order. On a ring those that are turned into one another are one: the largest id stands at position 0.
 */
export function idOrders(ids: Int32Array, ring: boolean): number[][] {
  if (ids.length > MOST_NODES) {
    throw new InputError(`all orders of ${ids.length} ids are too many: at most ${MOST_NODES}`);
  }
  const sorted = Array.from(ids).sort((a, b) => b - a);
  if (!ring) return arrangements(sorted);
  const [largest, ...others] = sorted;
  return arrangements(others).map((order) => [largest, ...order]);
}

function arrangements(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((first, k) => {
    const others = [...values.slice(0, k), ...values.slice(k + 1)];
    return arrangements(others).map((order) => [first, ...order]);
  });
}

/** Every non-empty set of the positions 0..n−1. */
export function positionSets(n: number): number[][] {
  if (n > MOST_NODES)
    throw new InputError(`all sets of ${n} initiators are too many: at most ${MOST_NODES} nodes`);
  return Array.from({ length: 2 ** n - 1 }, (_, k) =>
    Array.from({ length: n }, (_, at) => at).filter((at) => ((k + 1) >> at) & 1),
  );
}
