/**
 * Networks by name: `parseTopologyName` parses 'grid:3x4', and `buildTopology` builds the network.
 *
 * Guarantees: every network is connected. Does not read files: the caller passes the text of an edge list.
 */
import { InputError } from '../errors.ts';
import type { Random } from '../random.ts';
import { edgeListGraph } from './edge-list.ts';
import { randomGraph, randomTree } from './random-graphs.ts';
import { grid, hypercube, line, ringGraph, star, torus, tree } from './regular-graphs.ts';
import { MAX_STORED_EDGES, Topology } from './topology.ts';

export { edgeListGraph } from './edge-list.ts';
export { randomGraph, randomTree } from './random-graphs.ts';
export { grid, hypercube, line, ringGraph, star, torus, tree } from './regular-graphs.ts';
export { checkConnected, diameter, isConnected, isTree } from './topology-measures.ts';

const PLAIN = ['ring', 'complete', 'star', 'line', 'tree', 'random-tree', 'hypercube'] as const;

/** All forms of a name, for help texts. */
export const TOPOLOGY_FORMS: readonly string[] = [
  ...PLAIN,
  'grid:RxC',
  'torus:RxC',
  'random:EDGES',
  'edges:FILE',
];

/** The name of a topology, parsed. */
export type TopologySpec =
  | { readonly shape: (typeof PLAIN)[number] }
  | { readonly shape: 'grid' | 'torus'; readonly rows: number; readonly columns: number }
  | { readonly shape: 'random'; readonly edges: number }
  | { readonly shape: 'edges'; readonly path: string };

/** What a named topology needs beside its name. */
export interface TopologyOptions {
  /** The id at each position, which orders the ports of a complete network. The default is the position. */
  readonly ids?: Int32Array | undefined;
  /** The text of the file that an `edges` spec names. */
  readonly edgeText?: string | undefined;
  /** Builds a ring as a simple graph, with ports ordered by position and no loop. */
  readonly asGraph?: boolean | undefined;
  /** Builds a ring whose links carry messages in one direction only. */
  readonly oneWay?: boolean | undefined;
}

/** Parses a name such as `ring` or `grid:3x4`. */
export function parseTopologyName(text: string): TopologySpec {
  const colon = text.indexOf(':');
  const name = colon === -1 ? text : text.slice(0, colon);
  const argument = colon === -1 ? undefined : text.slice(colon + 1);

  const plain = PLAIN.find((known) => known === name);
  if (plain !== undefined) {
    if (argument === undefined) return { shape: plain };
    throw new InputError(`topology ${name} must have no argument, not '${text}'`);
  }
  if (name === 'grid' || name === 'torus') {
    const [, rows, columns] = /^([1-9]\d*)x([1-9]\d*)$/.exec(argument ?? '') ?? [];
    if (rows !== undefined && columns !== undefined && Number(rows) * Number(columns) <= MAX_STORED_EDGES) {
      return { shape: name, rows: Number(rows), columns: Number(columns) };
    }
    throw new InputError(
      `topology must be ${name}:RxC with at most ${MAX_STORED_EDGES} nodes, as in ${name}:3x4, not '${text}'`,
    );
  }
  if (name === 'random') {
    if (/^\d+$/.test(argument ?? '') && Number(argument) <= MAX_STORED_EDGES) {
      return { shape: 'random', edges: Number(argument) };
    }
    throw new InputError(
      `topology must be random:EDGES with at most ${MAX_STORED_EDGES} edges, as in random:40, not '${text}'`,
    );
  }
  if (name === 'edges') {
    if (argument) return { shape: 'edges', path: argument };
    throw new InputError(`topology must be edges:FILE, as in edges:graph.txt, not '${text}'`);
  }
  throw new InputError(`topology must be one of ${TOPOLOGY_FORMS.join(', ')}, not '${text}'`);
}

/** The number of nodes that the name determines, or null. An edge list determines it by its text. */
export function nodesOf(spec: TopologySpec): number | null {
  return spec.shape === 'grid' || spec.shape === 'torus' ? spec.rows * spec.columns : null;
}

/**
 * `n` may be null if the name or the edge list determines it, and must agree with them otherwise. Only 'random-tree' and
 * 'random' draw from `random`.
 */
export function buildTopology(
  spec: TopologySpec,
  n: number | null,
  random: Random,
  options: TopologyOptions = {},
): Topology {
  if (options.oneWay && (spec.shape !== 'ring' || options.asGraph)) {
    throw new InputError(`a network with one-way links must be a ring, not ${spec.shape}`);
  }
  if (spec.shape === 'edges') return fromText(spec.path, n, options.edgeText);
  const nodes = agreedNodes(spec, n);
  switch (spec.shape) {
    case 'ring':
      return options.asGraph ? ringGraph(nodes) : Topology.ring(nodes, { oneWay: options.oneWay });
    case 'complete':
      return Topology.complete(idsFor(nodes, options.ids));
    case 'star':
      return star(nodes);
    case 'line':
      return line(nodes);
    case 'tree':
      return tree(nodes);
    case 'random-tree':
      return randomTree(nodes, random);
    case 'hypercube':
      return hypercube(nodes);
    case 'grid':
      return grid(spec.rows, spec.columns);
    case 'torus':
      return torus(spec.rows, spec.columns);
    case 'random':
      return randomGraph(nodes, spec.edges, random);
  }
}

function agreedNodes(spec: TopologySpec, n: number | null): number {
  const fixed = nodesOf(spec);
  if (fixed === null) {
    if (n !== null) return n;
    throw new InputError(`nodes must be given for topology ${spec.shape}`);
  }
  if (n === null || n === fixed) return fixed;
  throw new InputError(
    `nodes must be ${fixed}, rows times columns of the ${spec.shape}, not ${n}: change one of them, or leave out nodes`,
  );
}

function idsFor(n: number, ids: Int32Array | undefined): Int32Array {
  if (ids === undefined) return Int32Array.from({ length: n }, (_, position) => position);
  if (ids.length === n) return ids;
  throw new InputError(`ids must be ${n} for ${n} nodes, not ${ids.length}`);
}

function fromText(path: string, n: number | null, text: string | undefined): Topology {
  if (text === undefined) {
    throw new InputError(`edgeText must be the text of ${path}: read the file and pass it`);
  }
  return edgeListGraph(text, n);
}
