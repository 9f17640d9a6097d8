/**
 * A graph from text: one edge a line, written as two positions; `#` starts a comment; blank lines are skipped.
 * What comes back is connected and simple; anything else is refused with the line, the edge or the position.
 */
import { InputError } from '../errors.ts';
import { MAX_STORED_EDGES, Topology } from './topology.ts';
import { checkConnected } from './topology-measures.ts';

const EDGE = /^(\d+)\s+(\d+)$/;

/** There are `n` positions or, where n is not given, one more than the largest in the text. */
export function edgeListGraph(text: string, n?: number | null): Topology {
  const listed: number[] = [];
  let largest = -1;
  text.split('\n').forEach((content, index) => {
    const edge = content.replace(/#.*/, '').trim();
    if (edge === '') return;
    const where = `line ${index + 1} of the edge list`;
    const match = EDGE.exec(edge);
    if (match === null) {
      throw new InputError(
        `expected two positions such as '0 1' in ${where}, got '${edge}': correct the line`,
      );
    }
    const a = Number(match[1]);
    const b = Number(match[2]);
    const most = (n ?? MAX_STORED_EDGES + 1) - 1;
    if (a > most || b > most) {
      throw new InputError(
        `expected positions from 0 to ${most} in ${where}, got '${edge}': raise the number of nodes or correct the line`,
      );
    }
    if (a === b)
      throw new InputError(`expected two different positions in ${where}, got '${edge}': drop the line`);
    largest = Math.max(largest, a, b);
    listed.push(a, b);
  });
  if (largest < 0 && n == null) {
    throw new InputError(
      "expected at least one edge such as '0 1' in the edge list, got none: add one a line",
    );
  }
  const topology = Topology.fromEdges('edges', n ?? largest + 1, Int32Array.from(listed));
  checkConnected(topology);
  return topology;
}
