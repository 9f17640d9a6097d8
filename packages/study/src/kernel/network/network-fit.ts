/**
 * Compares a network with the one that an algorithm assumes.
 *
 * Guarantees: a network that passes has the assumed shape. Does not check ports, which a topology guarantees itself, nor
 * the network under an overlay, which is checked when the overlay is built.
 */
import type { AnyAlgorithm } from '../algorithm.ts';
import { AssumptionError, type Remedy } from '../errors.ts';
import type { Topology } from './topology.ts';
import { isTree } from './topology-names.ts';

export interface NetworkMismatch {
  readonly text: string;
  /** Names a network that fits. */
  readonly remedy: Remedy;
}

export function networkMismatch(algorithm: AnyAlgorithm, topology: Topology): NetworkMismatch | null {
  return algorithm.overlay === undefined ? underlayMismatch(algorithm, topology) : null;
}

/** Compares the network under an overlay if there is one. */
function underlayMismatch({ name, assumes }: AnyAlgorithm, topology: Topology): NetworkMismatch | null {
  const needed = shapeNeeded(assumes.network, topology);
  if (needed === null) return null;
  const assumed = assumes.network === 'complete' ? 'complete network' : assumes.network;
  return {
    text: `${name} assumes a ${assumed}, not ${topology.name}`,
    remedy: { option: 'topology', value: needed },
  };
}

function shapeNeeded(network: string, topology: Topology): string | null {
  switch (network) {
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

/** Throws unless the network is one that the algorithm assumes. */
export function checkNetwork(algorithm: AnyAlgorithm, topology: Topology): void {
  refuseMismatch(networkMismatch(algorithm, topology));
}

export function checkUnderlay(algorithm: AnyAlgorithm, underlay: Topology): void {
  refuseMismatch(underlayMismatch(algorithm, underlay));
}

function refuseMismatch(mismatch: NetworkMismatch | null): void {
  if (mismatch !== null) throw new AssumptionError(mismatch.text, 'network', [mismatch.remedy]);
}

/** The option `despite` does not allow this one: without ids such an algorithm has nothing to compare. */
export function refuseAnonymous({ name, assumes }: AnyAlgorithm): void {
  if (assumes.ids !== 'unique') return;
  throw new AssumptionError(
    `${name} needs unique ids: nodes without ids begin in the same state and, in lockstep, stay in the same state, ` +
      'so no deterministic algorithm can elect one of them (Angluin 1980); give ids, or choose an anonymous ' +
      'algorithm, which draws random numbers',
    'ids',
  );
}
