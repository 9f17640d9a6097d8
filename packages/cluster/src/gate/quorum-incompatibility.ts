/** With which algorithms the quorum gate cannot be used. */
import type { AnyAlgorithm } from '@hustings/study/kernel';

/** Whether an algorithm elects only with a majority, with or without the gate. */
export function needsMajority({ assumes }: AnyAlgorithm): boolean {
  return assumes.faults?.includes('partition') ?? false;
}

/** Why an algorithm cannot be used with the quorum gate; null if it can. */
export function quorumIncompatibility(algorithm: AnyAlgorithm): string | null {
  const { assumes, name } = algorithm;
  if (needsMajority(algorithm)) return `${name} needs a majority itself`;
  if (assumes.ids === 'anonymous') return `members of ${name} have no ids, so nobody knows whom to support`;
  return null;
}
