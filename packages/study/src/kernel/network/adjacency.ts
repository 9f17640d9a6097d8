/**
 * The stored form of a graph: all links in one array, ordered by position and then by port.
 *
 * Invariants: link `offsets[a] + p` is port p of position a; it leads to `neighbours[link]`, which sees it under
 * its own port `backPorts[link]`; that port leads back to a, and its back port is p. Built in linear time.
 */
import { InputError } from '../errors.ts';

export interface Adjacency {
  /** n + 1 entries: the links of position a are offsets[a] up to, but not including, offsets[a + 1]. */
  readonly offsets: Int32Array;
  readonly neighbours: Int32Array;
  readonly backPorts: Int32Array;
}

/** One port of a position, for networks that order and label their ports themselves. */
export interface PortLink {
  /** The position at the other end. */
  readonly to: number;
  readonly label?: string | undefined;
  /** The port of this link at the other end. Needed only if several links join the same two positions. */
  readonly back?: number | undefined;
}

export const NO_ADJACENCY: Adjacency = {
  offsets: new Int32Array(0),
  neighbours: new Int32Array(0),
  backPorts: new Int32Array(0),
};

/** From undirected edges, two entries each. Ports are ordered by the position of the neighbour. */
export function adjacencyOfEdges(n: number, pairs: Int32Array): Adjacency {
  checkPairs(n, pairs);
  const offsets = new Int32Array(n + 1);
  for (let i = 0; i < pairs.length; i++) offsets[pairs[i] + 1]++;
  for (let a = 0; a < n; a++) offsets[a + 1] += offsets[a];

  const unordered = new Int32Array(pairs.length);
  const free = offsets.slice(0, n);
  for (let i = 0; i < pairs.length; i += 2) {
    const a = pairs[i];
    const b = pairs[i + 1];
    unordered[free[a]++] = b;
    unordered[free[b]++] = a;
  }

  // A counting sort: entering the positions in ascending order sorts every row.
  const neighbours = new Int32Array(pairs.length);
  free.set(offsets.subarray(0, n));
  for (let a = 0; a < n; a++) {
    for (let link = offsets[a]; link < offsets[a + 1]; link++) {
      const b = unordered[link];
      const place = free[b]++;
      if (place > offsets[b] && neighbours[place - 1] === a) {
        throw new InputError(
          `edges must differ, and ${Math.min(a, b)} ${Math.max(a, b)} is listed twice: list it once`,
        );
      }
      neighbours[place] = a;
    }
  }

  // Read in this order, the neighbours of b occur in the order of b's ports.
  const backPorts = unordered;
  const seen = free.fill(0);
  for (let link = 0; link < neighbours.length; link++) {
    backPorts[link] = seen[neighbours[link]]++;
  }
  return { offsets, neighbours, backPorts };
}

function checkPairs(n: number, pairs: Int32Array): void {
  if (pairs.length % 2 !== 0) {
    throw new InputError(
      `an edge must have two positions, and ${pairs.length} positions are an odd number: add or drop one`,
    );
  }
  for (let i = 0; i < pairs.length; i += 2) {
    const a = pairs[i];
    const b = pairs[i + 1];
    if (a < 0 || a >= n || b < 0 || b >= n) {
      throw new InputError(
        `an edge must join positions from 0 to ${n - 1}, not ${a} ${b}: raise n or drop the edge`,
      );
    }
    if (a === b) {
      throw new InputError(`an edge must join two different positions, not ${a} ${b}: drop it`);
    }
  }
}

/**
 * From the ports of each position in their order. Without `back`, the k-th link from a to b is the k-th link from b to a,
 * and the loops at one position are paired in order, so a ring of one node has the ports [previous, next].
 */
export function adjacencyOfPorts(ports: readonly (readonly PortLink[])[]): Adjacency {
  const n = ports.length;
  const offsets = new Int32Array(n + 1);
  for (let a = 0; a < n; a++) offsets[a + 1] = offsets[a] + ports[a].length;
  const neighbours = new Int32Array(offsets[n]);
  const backPorts = new Int32Array(offsets[n]).fill(-1);

  eachPort(ports, (a, p, { to }) => {
    if (!Number.isInteger(to) || to < 0 || to >= n) {
      throw new InputError(
        `port ${p} of position ${a} must lead to a position from 0 to ${n - 1}, not ${to}`,
      );
    }
    neighbours[offsets[a] + p] = to;
  });
  eachPort(ports, (a, p, { to, back }) => {
    if (back === undefined) return;
    const there = ports[to]?.[back];
    const taken = backPorts[offsets[to] + back];
    if (
      there?.to !== a ||
      (there.back ?? p) !== p ||
      (taken !== -1 && taken !== p) ||
      (to === a && back === p)
    ) {
      throw new InputError(
        `port ${back} of position ${to} must lead back to port ${p} of position ${a}: correct one of the ports`,
      );
    }
    backPorts[offsets[a] + p] = back;
    backPorts[offsets[to] + back] = p;
  });
  pairInOrder(ports, offsets, backPorts);
  return { offsets, neighbours, backPorts };
}

function pairInOrder(
  ports: readonly (readonly PortLink[])[],
  offsets: Int32Array,
  backPorts: Int32Array,
): void {
  // The ports whose other end is not yet known, in order. At most one direction of a pair has such ports.
  const waiting = new Map<number, number[]>();
  const n = ports.length;
  eachPort(ports, (a, p, { to }) => {
    if (backPorts[offsets[a] + p] !== -1) return;
    const opposite = waiting.get(to * n + a);
    const back = opposite?.shift();
    if (back === undefined) {
      const line = waiting.get(a * n + to);
      if (line === undefined) waiting.set(a * n + to, [p]);
      else line.push(p);
      return;
    }
    if (opposite?.length === 0) waiting.delete(to * n + a);
    backPorts[offsets[a] + p] = back;
    backPorts[offsets[to] + back] = p;
  });
  const [unpaired] = waiting;
  if (unpaired === undefined) return;
  const [key, [port]] = unpaired;
  throw new InputError(
    `a link must have two ends, and port ${port} of position ${Math.floor(key / n)} leads to ${key % n}, which has no ` +
      'port for it: add one there',
  );
}

function eachPort(
  ports: readonly (readonly PortLink[])[],
  visit: (position: number, port: number, link: PortLink) => void,
): void {
  ports.forEach((row, position) => {
    row.forEach((link, port) => {
      visit(position, port, link);
    });
  });
}
