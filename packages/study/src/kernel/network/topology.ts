/**
 * The topology of a network: positions from 0 to n − 1, and the links between their ports.
 *
 * Guarantees, for every position i and port p below degree(i), with j = neighbour(i, p) and q = backPort(i, p):
 * neighbour(j, q) is i, backPort(j, q) is p, and link(i, p) numbers all such pairs from 0 to links − 1. On a ring port 0 is
 * previous and port 1 is next; in a graph the ports are ordered by the position of the neighbour, in a complete network by
 * its id.
 * Does not guarantee that a graph is connected (see topology-names.ts), or a valid result for a port that does not exist:
 * callers check degree() first, because these calls are in the innermost loop of the simulator.
 *
 * One class for all networks keeps those calls monomorphic. Rings, ring maps and complete networks are computed from n and
 * the order of the ids; only graphs store their links.
 */
import { InputError } from '../errors.ts';
import type { Adjacency, PortLink } from './adjacency.ts';
import { adjacencyOfEdges, adjacencyOfPorts, NO_ADJACENCY } from './adjacency.ts';

export type { PortLink } from './adjacency.ts';

/** How a topology is represented. */
export type TopologyKind = 'ring' | 'ring map' | 'complete' | 'graph';

/** The largest ring whose links have 31-bit numbers. */
export const MAX_TOPOLOGY_NODES = 2 ** 30 - 1;

/** A stored graph takes 16 bytes per edge, and twice that while it is built. */
export const MAX_STORED_EDGES = 100_000_000;

/** Throws unless n is a valid number of nodes. */
export function checkNodes(n: number, most = MAX_TOPOLOGY_NODES): void {
  if (!Number.isInteger(n) || n < 1 || n > most) {
    throw new InputError(`nodes must be a whole number from 1 to ${most}, not ${n}`);
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
  /** 'ring', 'grid:3x4', 'random:40', 'edges'. */
  readonly name: string;
  readonly kind: TopologyKind;
  readonly n: number;
  /** The number of undirected edges. A ring of n nodes has n; the ring of one node is a loop. */
  readonly edges: number;
  /** The number of directed links, that is, of (position, port) pairs: always twice the edges. */
  readonly links: number;
  /** True for a ring on which nodes send on port 1 and receive at port 0. */
  readonly oneWay: boolean;

  private readonly shape: number;
  private readonly offsets: Int32Array;
  private readonly neighbours: Int32Array;
  private readonly backPorts: Int32Array;
  private readonly labels: readonly string[];
  /** The positions in ascending order of id, and the inverse permutation. */
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

  /** Every node has two ports: for n = 1 they form a loop, and for n = 2 there are two links between the nodes. */
  static ring(n: number, options: { readonly oneWay?: boolean | undefined } = {}): Topology {
    checkNodes(n);
    return new Topology({ name: 'ring', kind: 'ring', n, links: 2 * n, oneWay: options.oneWay ?? false });
  }

  /**
   * A ring whose nodes can send to every position: port p leads p positions clockwise. Port n leads to the node itself,
   * and a message sent there arrives at port 0.
   */
  static ringMap(n: number): Topology {
    checkNodes(n);
    return new Topology({ name: 'ring', kind: 'ring map', n, links: n * (n + 1) });
  }

  /** A complete network; `ids` are the distinct ids by position. */
  static complete(ids: Int32Array): Topology {
    const n = ids.length;
    checkNodes(n);
    const sorted = ids.slice().sort();
    for (let rank = 1; rank < n; rank++) {
      if (sorted[rank] === sorted[rank - 1]) {
        throw new InputError(`ids must differ, and ${sorted[rank]} is given twice`);
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

  /** A simple graph from its undirected edges, two positions each. */
  static fromEdges(name: string, n: number, pairs: Int32Array): Topology {
    checkNodes(n, MAX_STORED_EDGES + 1);
    const adjacency = adjacencyOfEdges(n, pairs);
    return new Topology({ name, kind: 'graph', n, links: pairs.length, adjacency });
  }

  /**
   * A network whose ports have the given order and labels. Several links may join two positions, and a position may have
   * loops. The k-th link from a to b is the k-th link from b to a, unless `back` names the other port.
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

  /** The port of this link at the neighbour: a message sent on `port` arrives there. */
  backPort(position: number, port: number): number {
    switch (this.shape) {
      case RING:
        return 1 - port;
      case COMPLETE: {
        // A port below this node's rank leads to a smaller id, which skips itself before it counts this node.
        const rank = this.ranks[position];
        return port < rank ? rank - 1 : rank;
      }
      case MAP:
        return this.n - port;
      default:
        return this.backPorts[this.offsets[position] + port];
    }
  }

  /** Numbers the pairs (position, port) from 0 to links − 1, in order. */
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

  /** 'previous' or 'next' on a ring, the label of a port of an overlay, or ''. */
  label(position: number, port: number): string {
    if (this.shape === RING) return port === 0 ? 'previous' : 'next';
    return this.labels[this.link(position, port)] ?? '';
  }

  /** False for port 0 of a one-way ring, which only receives. */
  sends(port: number): boolean {
    return port !== 0 || !this.oneWay;
  }

  /** In a complete network, the number of ids that are smaller than the one at this position. */
  rank(position: number): number {
    if (this.shape !== COMPLETE) {
      throw new InputError(`rank() needs a complete network, not ${this.name}`);
    }
    return this.ranks[position];
  }
}

/** The index of a number that occurs in an ascending array. */
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
