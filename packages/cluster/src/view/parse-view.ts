/** A view of another member. Its fields were checked by frame-fields.ts; here against the member list. */
import type { Epoch, MemberView } from './clique.ts';

/** Far beyond what any cluster reaches, and far below where numbers lose their last digit. */
export const LARGEST_EPOCH = 2 ** 48;

/** The view without other fields, or null if no member of this list can have it. */
export function parseView(
  { chooses, epoch, hears, seen }: MemberView,
  members: readonly number[],
): MemberView | null {
  if (!areMembers(hears, members) || !members.includes(chooses)) return null;
  if (epoch === null) return { hears, chooses, seen, epoch };
  const { members: ids, number, proposer } = epoch;
  if (!isEpoch(epoch, members)) return null;
  return { hears, chooses, seen, epoch: { number, proposer, members: ids } };
}

function isEpoch({ members: ids, proposer }: Epoch, members: readonly number[]): boolean {
  const isAscending = ids.every((id, at) => at === 0 || ids[at - 1] < id);
  return isAscending && ids.includes(proposer) && areMembers(ids, members);
}

function areMembers(ids: readonly number[], members: readonly number[]): boolean {
  return ids.every((id) => members.includes(id)) && new Set(ids).size === ids.length;
}
