/** All orders of ids, and all sets of positions, of small networks. */
import { InputError } from '../../kernel/errors.ts';

const MAX_NODES = 10;

/** All orders of ids, one after the other: there may be millions. */
export class IdOrders implements Iterable<number[]> {
  readonly count: number;
  /** By position: the number of orders in which the largest id is there. */
  readonly withLargestAt: readonly number[];
  private readonly sorted: readonly number[];

  /** On a ring, symmetry reduction keeps one of each class of rotations: the largest id is at position 0. */
  constructor(
    ids: Int32Array,
    private readonly isRing: boolean,
  ) {
    if (ids.length > MAX_NODES) {
      throw new InputError(`nodes must be at most ${MAX_NODES} for all orders of the ids, not ${ids.length}`);
    }
    this.sorted = Array.from(ids).sort((a, b) => b - a);
    const each = this.sorted.slice(1).reduce((product, _, k) => product * (k + 1), 1);
    this.withLargestAt = this.sorted.map((_, at) => (isRing && at > 0 ? 0 : each));
    this.count = this.withLargestAt.reduce((sum, orders) => sum + orders, 0);
  }

  *[Symbol.iterator](): Generator<number[]> {
    const [largest, ...others] = this.sorted;
    if (!this.isRing) yield* arrangements(this.sorted);
    else for (const order of arrangements(others)) yield [largest, ...order];
  }
}

function* arrangements(values: readonly number[]): Generator<number[]> {
  if (values.length === 0) yield [];
  for (const [k, first] of values.entries()) {
    for (const order of arrangements(values.toSpliced(k, 1))) yield [first, ...order];
  }
}

/** All non-empty sets of the positions 0 to n − 1. */
export function positionSets(n: number): number[][] {
  if (n > MAX_NODES)
    throw new InputError(`nodes must be at most ${MAX_NODES} for all sets of initiators, not ${n}`);
  return Array.from({ length: 2 ** n - 1 }, (_, k) =>
    Array.from({ length: n }, (_, at) => at).filter((at) => ((k + 1) >> at) & 1),
  );
}
