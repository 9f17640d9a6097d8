/** The order of the rows: ring order; in a complete network by id, the highest on top. */
import type { Topology } from '../../kernel/network/topology.ts';
import { isRing } from '../trace/flights.ts';

/** Positions from top to bottom. */
export function rowOrder(topology: Topology, ids: Int32Array | null): readonly number[] {
  const order = Array.from({ length: topology.n }, (_, at) => at);
  if (topology.kind === 'complete' && ids !== null) {
    const rank = (at: number): number => ids[at] ?? Number.NEGATIVE_INFINITY;
    return order.sort((a, b) => rank(b) - rank(a) || a - b);
  }
  const hasOrder = isRing(topology) || topology.kind !== 'graph' || topology.name.startsWith('ring');
  if (hasOrder) return order;
  const known = shortOrders.get(topology) ?? withShortLinks(topology, order);
  shortOrders.set(topology, known);
  return known;
}

/** A page that scrolls asks for the rows of the same network again and again. */
const shortOrders = new WeakMap<Topology, number[]>();

/** Swaps rows while the links become shorter: arrows then cross fewer rows. */
function withShortLinks(topology: Topology, order: number[]): number[] {
  const row = [...order];
  order.forEach((at, k) => {
    row[at] = k;
  });
  const lengthAt = (at: number): number => {
    let length = 0;
    for (let port = 0; port < topology.degree(at); port++) {
      length += Math.abs(row[at] - row[topology.neighbour(at, port)]);
    }
    return length;
  };
  const swap = (a: number, b: number): void => {
    [row[a], row[b]] = [row[b], row[a]];
  };
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (const a of order) {
      for (const b of order) {
        if (a >= b) continue;
        const before = lengthAt(a) + lengthAt(b);
        swap(a, b);
        if (lengthAt(a) + lengthAt(b) < before) isBetter = true;
        else swap(a, b);
      }
    }
  }
  return order.sort((a, b) => row[a] - row[b]);
}
