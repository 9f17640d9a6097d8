/** Does a network have the shape that an algorithm assumes, and a run the ids? */
import type { AnyAlgorithm } from '../algorithm.ts';
import { AssumptionError } from '../errors.ts';
import type { Topology } from './topology.ts';
import { isTree } from './topology-names.ts';

/** The network to use instead, as the command line names it; null if this one will do. */
export function networkNeeded(algorithm: AnyAlgorithm, topology: Topology): string | null {
  // What an overlay is laid on was looked at when it was laid.
  return algorithm.overlay === undefined ? shapeNeeded(algorithm, topology) : null;
}

/** The same, of the network under an overlay if there is one. */
export function shapeNeeded({ assumes }: AnyAlgorithm, topology: Topology): string | null {
  switch (assumes.network) {
    case 'one-way ring':
    case 'ring':
      return topology.kind === 'ring' ? null : 'ring';
    case 'tree':
      return isTree(topology) ? null : 'tree';
    case 'complete':
      return topology.edges === (topology.n * (topology.n - 1)) / 2 ? null : 'complete';
    default:
      return null;
  }
}

/** The sentence that says which network an algorithm needs. */
export function networkProblem({ name, assumes }: AnyAlgorithm, topology: Topology, needed: string): string {
  return `${name} assumes a ${assumes.network}${needed === 'complete' ? ' network' : ''}, not ${topology.name}: use --topology ${needed}`;
}

/** Not to be had even on purpose: there would be nothing to compare. */
export function refuseAnonymous({ name, assumes }: AnyAlgorithm): void {
  if (assumes.ids !== 'unique') return;
  throw new AssumptionError(
    `${name} needs unique ids: without them all nodes begin alike and, in lockstep, stay alike for ` +
      'ever, so that no deterministic algorithm can elect one of them (Angluin 1980); give --ids, or take an ' +
      'anonymous algorithm that draws lots',
    'ids',
  );
}
