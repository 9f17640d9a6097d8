/**
 * Regular graphs: star, line, tree, grid, torus, hypercube, and the ring as a simple graph.
 *
 * Guarantees: each graph is connected and simple, and is built in time linear in its edges.
 */
import { InputError } from '../errors.ts';
import { checkNodes, MAX_STORED_EDGES, Topology } from './topology.ts';

const MOST = MAX_STORED_EDGES + 1;

/** The edges of a graph in which every position except 0 has one edge to an earlier position. */
function pairsToEarlier(n: number, earlier: (position: number) => number): Int32Array {
  const pairs = new Int32Array(2 * (n - 1));
  for (let position = 1; position < n; position++) {
    pairs[2 * position - 2] = earlier(position);
    pairs[2 * position - 1] = position;
  }
  return pairs;
}

/** Position 0 is the centre. */
export function star(n: number): Topology {
  checkNodes(n, MOST);
  return Topology.fromEdges(
    'star',
    n,
    pairsToEarlier(n, () => 0),
  );
}

export function line(n: number): Topology {
  checkNodes(n, MOST);
  return Topology.fromEdges(
    'line',
    n,
    pairsToEarlier(n, (position) => position - 1),
  );
}

/** Balanced and binary: the parent of position i is (i − 1) >> 1. */
export function tree(n: number): Topology {
  checkNodes(n, MOST);
  return Topology.fromEdges(
    'tree',
    n,
    pairsToEarlier(n, (position) => (position - 1) >> 1),
  );
}

/** The ring as a simple graph, for algorithms on graphs: no edge where n is 1, one where n is 2. */
export function ringGraph(n: number): Topology {
  checkNodes(n, MAX_STORED_EDGES);
  const pairs = new Int32Array(2 * closedEdges(n));
  for (let position = 0; 2 * position < pairs.length; position++) {
    pairs[2 * position] = position;
    pairs[2 * position + 1] = position + 1 === n ? 0 : position + 1;
  }
  return Topology.fromEdges('ring', n, pairs);
}

/** The edges of a simple cycle of this length. Below length 3 the closing edge would be a loop or a double edge. */
function closedEdges(length: number): number {
  return length > 2 ? length : length - 1;
}

/** Position r · columns + c is in row r and column c. */
export function grid(rows: number, columns: number): Topology {
  return lattice('grid', rows, columns, rows - 1, columns - 1);
}

/** A grid whose rows and columns are closed to cycles, except where that would add a loop or a double edge. */
export function torus(rows: number, columns: number): Topology {
  return lattice('torus', rows, columns, closedEdges(rows), closedEdges(columns));
}

/** `down` edges in each column and `across` edges in each row; the last one may close a cycle. */
function lattice(name: string, rows: number, columns: number, down: number, across: number): Topology {
  const title = `${name}:${rows}x${columns}`;
  if (!Number.isInteger(rows) || !Number.isInteger(columns) || rows < 1 || columns < 1) {
    throw new InputError(
      `rows and columns of a ${name} must be whole numbers from 1, not ${rows}x${columns}`,
    );
  }
  const edges = down * columns + across * rows;
  checkEdges(title, edges);
  const pairs = new Int32Array(2 * edges);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const below = row + 1 === rows ? 0 : row + 1;
    for (let column = 0; column < columns; column++) {
      const position = row * columns + column;
      if (column < across) {
        pairs[at++] = position;
        pairs[at++] = row * columns + (column + 1 === columns ? 0 : column + 1);
      }
      if (row < down) {
        pairs[at++] = position;
        pairs[at++] = below * columns + column;
      }
    }
  }
  return Topology.fromEdges(title, rows * columns, pairs);
}

/** Two positions are linked if they differ in one bit. Port p flips one bit, but not always bit p. */
export function hypercube(n: number): Topology {
  checkNodes(n);
  const dimension = 31 - Math.clz32(n);
  if (n !== 1 << dimension) {
    const less = 2 ** dimension;
    throw new InputError(`nodes of a hypercube must be a power of two, not ${n}: use ${less} or ${2 * less}`);
  }
  checkEdges('hypercube', (n / 2) * dimension);
  const pairs = new Int32Array(n * dimension);
  let at = 0;
  for (let position = 0; position < n; position++) {
    for (let bit = 1; bit < n; bit *= 2) {
      if ((position & bit) !== 0) continue;
      pairs[at++] = position;
      pairs[at++] = position | bit;
    }
  }
  return Topology.fromEdges('hypercube', n, pairs);
}

function checkEdges(name: string, edges: number): void {
  if (edges > MAX_STORED_EDGES) {
    throw new InputError(
      `a network must have at most ${MAX_STORED_EDGES} edges, and ${name} has ${edges}: take fewer nodes`,
    );
  }
}
