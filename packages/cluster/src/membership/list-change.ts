/** One change of a member list, and why a list cannot be changed so. */

import { isWhole, show } from '@hustings/base';
import { MAX_WORD } from '@hustings/study/kernel';
import { addressProblem } from '../member-list/address.ts';
import { type ClusterMember, MAX_MEMBERS } from '../member-list/member-list.ts';
import { isMajority } from './list-record.ts';

/** One member more, or one less. */
export type MemberChange =
  | { readonly type: 'add'; readonly member: ClusterMember }
  | { readonly type: 'remove'; readonly id: number };

/** The bytes of a list that fit into a frame. */
const MAX_BYTES = 60_000;

/** Why a leader could not send this list to the others, or null. */
export function sizeProblem(members: readonly ClusterMember[]): string | null {
  const bytes = JSON.stringify(members).length;
  return bytes <= MAX_BYTES
    ? null
    : `members must have at most ${MAX_BYTES} bytes as JSON, not ${bytes}: a leader sends its list in one frame`;
}

/** Why these members cannot be changed so, or null. */
export function changeProblem(members: readonly ClusterMember[], change: MemberChange): string | null {
  const ids = members.map(({ id }) => id);
  if (change.type === 'remove') {
    if (!ids.includes(change.id)) return `id must be a member (${ids.join(', ')}), not ${show(change.id)}`;
    return ids.length === 1 ? `member ${change.id} is the last one; stop it instead` : null;
  }
  const { address, id } = change.member;
  if (!isWhole(id, 0, MAX_WORD)) return `id must be a whole number from 0 to ${MAX_WORD}, not ${show(id)}`;
  if (ids.includes(id)) return `member ${id} is in the list already; choose another id`;
  const why = addressProblem(address);
  if (why !== null) return `address ${why}, not ${show(address)}`;
  const owner = members.find((member) => member.address === address);
  if (owner !== undefined) return `${address} is the address of member ${owner.id}; choose another one`;
  const hasRoom = members.length < MAX_MEMBERS && sizeProblem([...members, change.member]) === null;
  return hasRoom ? null : `a cluster has at most ${MAX_MEMBERS} members and ${MAX_BYTES} bytes of addresses`;
}

/** Why a list must not be proposed while others are silent: no leader of it could change it again. Null if it may be. */
export function silenceProblem(
  members: readonly ClusterMember[],
  answers: (id: number) => boolean,
): string | null {
  const ids = members.map(({ id }) => id);
  if (isMajority(ids, answers)) return null;
  const found = ids.filter(answers).join(', ') || 'none';
  return `the members that answer (${found}) would be no majority of ${ids.join(', ')}; start the others, then repeat`;
}

/** The member that the change removes. */
export function removedMember(
  members: readonly ClusterMember[],
  change: MemberChange,
): ClusterMember | undefined {
  return change.type === 'remove' ? members.find(({ id }) => id === change.id) : undefined;
}

/** The members after the change, by id. */
export function changedMembers(members: readonly ClusterMember[], change: MemberChange): ClusterMember[] {
  if (change.type === 'remove') return members.filter(({ id }) => id !== change.id);
  const { address, id } = change.member;
  return [...members, { id, address }].sort((a, b) => a.id - b.id);
}
