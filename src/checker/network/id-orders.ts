/** All orders of ids, and all sets of positions, of small networks. */
import { InputError } from '../../kernel/errors.ts';

const MOST_NODES = 10;

/** All orders. On a ring, symmetry reduction keeps one of each class of rotations: the largest id is at position 0. */
export function idOrders(ids: Int32Array, ring: boolean): number[][] {
  if (ids.length > MOST_NODES) {
    throw new InputError(`nodes must be at most ${MOST_NODES} for all orders of the ids, not ${ids.length}`);
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

/** All non-empty sets of the positions 0 to n − 1. */
export function positionSets(n: number): number[][] {
  if (n > MOST_NODES)
    throw new InputError(`nodes must be at most ${MOST_NODES} for all sets of initiators, not ${n}`);
  return Array.from({ length: 2 ** n - 1 }, (_, k) =>
    Array.from({ length: n }, (_, at) => at).filter((at) => ((k + 1) >> at) & 1),
  );
}
