/**
 * Reads a graph from text: one edge per line, as two positions. `#` starts a comment; blank lines are skipped.
 *
 * Guarantees: the graph is connected and simple. Any other input is refused with the line, the edge or the position.
 */
import { InputError } from '../errors.ts';
import { MAX_STORED_EDGES, Topology } from './topology.ts';
import { checkConnected } from './topology-measures.ts';

const EDGE = /^(\d+)\s+(\d+)$/;

/** The graph has `n` positions or, without n, one more than the largest in the text. */
export function edgeListGraph(text: string, n?: number | null): Topology {
  const listed: number[] = [];
  let largest = -1;
  text.split('\n').forEach((content, index) => {
    const edge = content.replace(/#.*/, '').trim();
    if (edge === '') return;
    const where = `line ${index + 1} of the edge list`;
    const match = EDGE.exec(edge);
    if (match === null) {
      throw new InputError(`${where} must have two positions such as '0 1', not '${edge}'`);
    }
    const a = Number(match[1]);
    const b = Number(match[2]);
    const most = (n ?? MAX_STORED_EDGES + 1) - 1;
    if (a > most || b > most) {
      throw new InputError(
        `${where} must have positions from 0 to ${most}, not '${edge}': raise the number of nodes or correct the line`,
      );
    }
    if (a === b)
      throw new InputError(`${where} must join two different positions, not '${edge}': drop the line`);
    largest = Math.max(largest, a, b);
    listed.push(a, b);
  });
  if (largest < 0 && n == null) {
    throw new InputError("the edge list must not be empty: write one edge per line, such as '0 1'");
  }
  const topology = Topology.fromEdges('edges', n ?? largest + 1, Int32Array.from(listed));
  checkConnected(topology);
  return topology;
}
