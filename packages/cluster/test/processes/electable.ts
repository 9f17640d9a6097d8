/** The algorithms that go through faults between real processes. */
import { registry } from '../../../study/src/algorithms/registry.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import { needsMajority } from '../../src/gate/quorum-incompatibility.ts';
import { isEndless } from '../../src/view/overlay.ts';
import { FAULT_KINDS, type FaultKind, MAJORITY_FAULT_KINDS } from './fault.ts';

/** Every algorithm that tolerates crashes, and a sample of those that begin again in each epoch. LeLann's has an exact law. */
export const FAULTED: readonly AnyAlgorithm[] = [
  ...registry.filter(isEndless),
  ...registry.filter(({ name }) => ['lelann', 'chang-roberts', 'itai-rodeh'].includes(name)),
];

/** The faults that an algorithm goes through. */
export function faultsOf(algorithm: AnyAlgorithm): readonly FaultKind[] {
  return takesGate(algorithm) || needsMajority(algorithm) ? MAJORITY_FAULT_KINDS : FAULT_KINDS;
}

/** A gate needs ids, and is of no use to an algorithm that needs a majority itself. */
export function takesGate({ assumes }: AnyAlgorithm): boolean {
  return assumes.ids === 'unique' && !assumes.faults?.includes('partition');
}
