/**
 * Networks by name, as the command line writes them: `parseTopologyName` reads 'grid:3x4', `buildTopology` makes
 * the network. Every network that comes out is connected. Files are not read here: the caller hands over the text.
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

/** Every form of a name, for help texts. */
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
  /** The id at each position: the order of the ports in a complete network. Without them, the positions serve. */
  readonly ids?: Int32Array | undefined;
  /** The content of the file that an `edges` spec names. */
  readonly edgeText?: string | undefined;
  /** For algorithms on graphs: a ring becomes a simple graph, with ports by position and no loop. */
  readonly asGraph?: boolean | undefined;
  /** For algorithms on unidirectional rings. */
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
    throw new InputError(`expected '${name}' alone, got '${text}': drop what follows the name`);
  }
  if (name === 'grid' || name === 'torus') {
    const [, rows, columns] = /^([1-9]\d*)x([1-9]\d*)$/.exec(argument ?? '') ?? [];
    if (rows !== undefined && columns !== undefined && Number(rows) * Number(columns) <= MAX_STORED_EDGES) {
      return { shape: name, rows: Number(rows), columns: Number(columns) };
    }
    throw new InputError(
      `expected ${name}:RxC with at most ${MAX_STORED_EDGES} nodes, got '${text}': write rows and columns, as in ${name}:3x4`,
    );
  }
  if (name === 'random') {
    if (/^\d+$/.test(argument ?? '') && Number(argument) <= MAX_STORED_EDGES) {
      return { shape: 'random', edges: Number(argument) };
    }
    throw new InputError(
      `expected random:EDGES with at most ${MAX_STORED_EDGES} edges, got '${text}': write the number of edges, as in random:40`,
    );
  }
  if (name === 'edges') {
    if (argument) return { shape: 'edges', path: argument };
    throw new InputError(
      `expected edges:FILE, got '${text}': write the path of an edge list, as in edges:graph.txt`,
    );
  }
  throw new InputError(`expected a network, got '${text}': choose one of ${TOPOLOGY_FORMS.join(', ')}`);
}

/** The number of nodes that the name itself fixes, or null. An edge list fixes it too, but by its text. */
export function nodesOf(spec: TopologySpec): number | null {
  return spec.shape === 'grid' || spec.shape === 'torus' ? spec.rows * spec.columns : null;
}

/**
 * `n` may be null where the name or the edge list fixes it, and must agree with them where it is given. Only
 * 'random-tree' and 'random' draw from `random`.
 */
export function buildTopology(
  spec: TopologySpec,
  n: number | null,
  random: Random,
  options: TopologyOptions = {},
): Topology {
  if (options.oneWay && (spec.shape !== 'ring' || options.asGraph)) {
    throw new InputError(
      `expected a ring for one-way links, got ${spec.shape}: use ring, or links both ways`,
    );
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
    throw new InputError(`expected a number of nodes for ${spec.shape}, got none: say how many`);
  }
  if (n === null || n === fixed) return fixed;
  throw new InputError(
    `expected ${fixed} nodes, rows times columns of the ${spec.shape}, got ${n}: change either, or leave the number out`,
  );
}

function idsFor(n: number, ids: Int32Array | undefined): Int32Array {
  if (ids === undefined) return Int32Array.from({ length: n }, (_, position) => position);
  if (ids.length === n) return ids;
  throw new InputError(`expected ${n} ids for ${n} nodes, got ${ids.length}: give one for each node`);
}

function fromText(path: string, n: number | null, text: string | undefined): Topology {
  if (text === undefined) {
    throw new InputError(`expected the text of ${path}, got none: read the file and pass it as edgeText`);
  }
  return edgeListGraph(text, n);
}
