/** One change of a member list, and why a list cannot be changed so. */

import { MAX_WORD } from '../../kernel/field.ts';
import { addressProblem } from '../member-list/address.ts';
import { type ClusterMember, isWhole, MOST_MEMBERS, show } from '../member-list/member-list.ts';

/** One member more, or one less. */
export type MemberChange =
  | { readonly type: 'add'; readonly member: ClusterMember }
  | { readonly type: 'remove'; readonly id: number };

/** The bytes of a list that fit into a frame. */
const MOST_BYTES = 60_000;

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
  const hasRoom =
    members.length < MOST_MEMBERS && JSON.stringify([...members, change.member]).length <= MOST_BYTES;
  return hasRoom
    ? null
    : `a cluster has at most ${MOST_MEMBERS} members and ${MOST_BYTES} bytes of addresses`;
}

/** The members after the change, by id. */
export function changedMembers(members: readonly ClusterMember[], change: MemberChange): ClusterMember[] {
  if (change.type === 'remove') return members.filter(({ id }) => id !== change.id);
  const { address, id } = change.member;
  return [...members, { id, address }].sort((a, b) => a.id - b.id);
}
