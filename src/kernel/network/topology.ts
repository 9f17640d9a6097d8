/**
 * Who is linked to whom, and under which local port: the place of every node is a position from 0 to n − 1.
 *
 * Guaranteed, for every position i and port p below degree(i), with j = neighbour(i, p) and q = backPort(i, p):
 * neighbour(j, q) is i, backPort(j, q) is p, and link(i, p) numbers all such pairs from 0 to links − 1. Port order
 * is that of the catalogue: on a ring, 0 is previous and 1 is next; in a graph by the neighbour's position; in a
 * complete network by the neighbour's id.
 * Not guaranteed: that a graph is connected (see topologies.ts), or any answer for a port that does not exist:
 * callers compare with degree() first, since these calls are in the innermost loop of the simulator.
 *
 * One class for all networks, so that those calls stay monomorphic. Rings, their maps and complete networks are computed from
 * n and the order of the ids; only graphs store their links.
 */

import { InputError } from '../errors.ts';
import {
  type Adjacency,
  adjacencyOfEdges,
  adjacencyOfPorts,
  NO_ADJACENCY,
  type PortLink,
} from './adjacency.ts';

export type { PortLink } from './adjacency.ts';

/** How a topology is represented. */
export type TopologyKind = 'ring' | 'ring map' | 'complete' | 'graph';

/** The links of a ring of this size still have 31-bit numbers. */
export const MAX_NODES = 2 ** 30 - 1;

/** What is stored takes 16 bytes an edge, and twice that while it is built. */
export const MAX_STORED_EDGES = 100_000_000;

/** Refuses a number of nodes that no network can have. */
export function checkNodes(n: number, most = MAX_NODES): void {
  if (!Number.isInteger(n) || n < 1 || n > most) {
    throw new InputError(`expected from 1 to ${most} nodes, got ${n}: choose a number in that range`);
  }
}

const RING = 0;
const COMPLETE = 1;
const STORED = 2;
const MAP = 3;

const SHAPES: Readonly<Record<TopologyKind, number>> = {
  ring: RING,
  'ring map': MAP,
  complete: COMPLETE,
  graph: STORED,
};

const NOTHING = new Int32Array(0);

interface Parts {
  readonly name: string;
  readonly kind: TopologyKind;
  readonly n: number;
  readonly links: number;
  readonly oneWay?: boolean;
  readonly adjacency?: Adjacency;
  readonly labels?: readonly string[];
  readonly byRank?: Int32Array;
  readonly ranks?: Int32Array;
}

/** A network: positions, ports, and the links between them. */
export class Topology {
  /** As the command line writes it: 'ring', 'grid:3x4', 'random:40', 'edges'. */
  readonly name: string;
  readonly kind: TopologyKind;
  readonly n: number;
  /** Undirected. A ring of n has n; a ring of one is a loop and has 1. */
  readonly edges: number;
  /** Directed: the number of (position, port) pairs, always twice the edges. */
  readonly links: number;
  /** A ring on which nodes send on port 1 only; what arrives, arrives at port 0. */
  readonly oneWay: boolean;

  private readonly shape: number;
  private readonly offsets: Int32Array;
  private readonly neighbours: Int32Array;
  private readonly backPorts: Int32Array;
  private readonly labels: readonly string[];
  /** Positions in ascending order of id, and its inverse. */
  private readonly byRank: Int32Array;
  private readonly ranks: Int32Array;

  private constructor(parts: Parts) {
    const adjacency = parts.adjacency ?? NO_ADJACENCY;
    this.name = parts.name;
    this.kind = parts.kind;
    this.n = parts.n;
    this.edges = parts.links / 2;
    this.links = parts.links;
    this.oneWay = parts.oneWay ?? false;
    this.shape = SHAPES[parts.kind];
    this.offsets = adjacency.offsets;
    this.neighbours = adjacency.neighbours;
    this.backPorts = adjacency.backPorts;
    this.labels = parts.labels ?? [];
    this.byRank = parts.byRank ?? NOTHING;
    this.ranks = parts.ranks ?? NOTHING;
  }

  /** Every node has two ports even where n is 1, a loop from port 1 to port 0, or 2, with two links between the two. */
  static ring(n: number, options: { readonly oneWay?: boolean | undefined } = {}): Topology {
    checkNodes(n);
    return new Topology({ name: 'ring', kind: 'ring', n, links: 2 * n, oneWay: options.oneWay ?? false });
  }

  /**
   * A ring whose nodes can send to every place of it: port p leads p places on, clockwise. Port n leads once round to
   * the node itself, and what is sent there arrives at port 0.
   */
  static ringMap(n: number): Topology {
    checkNodes(n);
    return new Topology({ name: 'ring', kind: 'ring map', n, links: n * (n + 1) });
  }

  /** Everyone is linked to everyone; `ids` gives the distinct id at each position. */
  static complete(ids: Int32Array): Topology {
    const n = ids.length;
    checkNodes(n);
    const sorted = ids.slice().sort();
    for (let rank = 1; rank < n; rank++) {
      if (sorted[rank] === sorted[rank - 1]) {
        throw new InputError(
          `expected distinct ids, got ${sorted[rank]} more than once: give every node its own`,
        );
      }
    }
    const byRank = new Int32Array(n);
    const ranks = new Int32Array(n);
    for (let position = 0; position < n; position++) {
      const rank = placeOf(sorted, ids[position]);
      ranks[position] = rank;
      byRank[rank] = position;
    }
    return new Topology({ name: 'complete', kind: 'complete', n, links: n * (n - 1), byRank, ranks });
  }

  /** A graph from its undirected edges, two positions each; no self-loops, no edge twice. */
  static fromEdges(name: string, n: number, pairs: Int32Array): Topology {
    checkNodes(n, MAX_STORED_EDGES + 1);
    const adjacency = adjacencyOfEdges(n, pairs);
    return new Topology({ name, kind: 'graph', n, links: pairs.length, adjacency });
  }

  /**
   * A network whose ports have the given order and labels; several links may join two positions, and a position
   * may have loops. The k-th link from a to b is the k-th from b to a, unless `back` names the other port.
   */
  static fromPorts(name: string, ports: readonly (readonly PortLink[])[]): Topology {
    checkNodes(ports.length, MAX_STORED_EDGES + 1);
    const adjacency = adjacencyOfPorts(ports);
    const labels = ports.flatMap((row) => row.map((link) => link.label ?? ''));
    return new Topology({ name, kind: 'graph', n: ports.length, links: labels.length, adjacency, labels });
  }

  /** The number of ports at a position. */
  degree(position: number): number {
    switch (this.shape) {
      case RING:
        return 2;
      case COMPLETE:
        return this.n - 1;
      case MAP:
        return this.n + 1;
      default:
        return this.offsets[position + 1] - this.offsets[position];
    }
  }

  /** The position at the other end. */
  neighbour(position: number, port: number): number {
    switch (this.shape) {
      case RING:
        if (port === 0) return position === 0 ? this.n - 1 : position - 1;
        return position + 1 === this.n ? 0 : position + 1;
      case COMPLETE:
        return this.byRank[port < this.ranks[position] ? port : port + 1];
      case MAP:
        return (position + port) % this.n;
      default:
        return this.neighbours[this.offsets[position] + port];
    }
  }

  /** The port under which the neighbour sees this link: what is sent on `port` arrives there. */
  backPort(position: number, port: number): number {
    switch (this.shape) {
      case RING:
        return 1 - port;
      case COMPLETE: {
        // A port below the own rank leads to a smaller id, which leaves itself out before it comes to us.
        const rank = this.ranks[position];
        return port < rank ? rank - 1 : rank;
      }
      case MAP:
        return this.n - port;
      default:
        return this.backPorts[this.offsets[position] + port];
    }
  }

  /** A number for each (position, port), 0..links − 1, in that order. */
  link(position: number, port: number): number {
    switch (this.shape) {
      case RING:
        return 2 * position + port;
      case COMPLETE:
        return position * (this.n - 1) + port;
      case MAP:
        return position * (this.n + 1) + port;
      default:
        return this.offsets[position] + port;
    }
  }

  /** 'previous' and 'next' on a ring, the given labels of an overlay, '' elsewhere. */
  label(position: number, port: number): string {
    if (this.shape === RING) return port === 0 ? 'previous' : 'next';
    return this.labels[this.link(position, port)] ?? '';
  }

  /** Whether a node may send on this port: not on port 0 of a one-way ring. */
  sends(port: number): boolean {
    return port !== 0 || !this.oneWay;
  }

  /** How many ids of a complete network are smaller than the one at this position. */
  rank(position: number): number {
    if (this.shape !== COMPLETE) {
      throw new InputError(`expected a complete network to rank its ids, got ${this.name}: use complete`);
    }
    return this.ranks[position];
  }
}

/** Where a number that occurs in an ascending array stands. */
function placeOf(sorted: Int32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
