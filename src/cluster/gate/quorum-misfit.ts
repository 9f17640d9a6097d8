/** With which algorithms the quorum gate cannot be used. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';

/** Why an algorithm cannot be used with the quorum gate; null if it can. */
export function quorumMisfit({ assumes, name }: AnyAlgorithm): string | null {
  if (assumes.faults?.includes('partition')) return `${name} needs a majority itself`;
  if (assumes.ids === 'anonymous') return `members of ${name} have no ids, so nobody knows whom to support`;
  return null;
}
