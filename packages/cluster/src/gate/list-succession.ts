/**
 * When a member with a quorum may follow another version of the member list, as pure functions.
 *
 * L1 A member stores a version, on disk, before it supports anybody in it, and never stores an earlier one again.
 * L2 It supports no leader whose list is earlier than its own.
 * L3 It stores the version after the stored one if each majority of one list has a member in each majority of the other, and if a
 *    majority of the stored list has stored that version or a later one.
 * L4 It stores a later version that another member has stored. A first start stores version 1, and a later one only so.
 * L5 It supports nobody for a lease after it has stored a version, and its next token is above all that L3 and L4 counted.
 *
 * Guarantees: no two leaders find majorities that share no member, and tokens rise, whatever lists members are started with. By L3
 * majorities of two successive versions share a member. When a version is first stored, a majority of the version before has left
 * those before that (L2), so that no leader of them finds a majority any more; the lease of L5 is longer than what their leaders
 * were granted, and L3 has counted their tokens.
 * Requires that there is one list for each version, and that a version which was given as the first one, or after a stop of all
 * members, is that of all of them.
 */

/** A member list as the rules see it. */
export interface ListVersion {
  readonly version: number;
  /** Equal for equal lists. */
  readonly digest: string;
}

/** A version with its members. */
export interface VersionedMembers extends ListVersion {
  readonly members: readonly number[];
}

/** What another member has said that it has stored. */
export interface StoredVersion extends ListVersion {
  /** The largest token that it knows. */
  readonly token: number;
}

const majorityOf = (members: readonly number[]): number => Math.floor(members.length / 2) + 1;

/** L3: whether each majority of `a` shares a member with each majority of `b`. */
export function majoritiesIntersect(a: readonly number[], b: readonly number[]): boolean {
  const common = a.filter((id) => b.includes(id)).length;
  /** The fewest common members in a majority. */
  const fewestOf = (members: readonly number[]): number =>
    Math.max(0, majorityOf(members) - (members.length - common));
  return fewestOf(a) + fewestOf(b) > common;
}

/** L4: the version with which a cluster begins. */
export const FIRST_VERSION = 1;

/** Why no member ever stores `next` after `held`, which is stored; null if one may. */
export function successionProblem(held: VersionedMembers | null, next: VersionedMembers): string | null {
  if (held === null || next.version !== held.version + 1) return null;
  if (majoritiesIntersect(held.members, next.members)) return null;
  return `version ${next.version} of the member list (${next.members.join(', ')}) cannot follow version ${held.version} (${held.members.join(', ')}), which is stored: majorities of the two need not share a member, so that two leaders could be elected; change fewer members at once, or stop all members of both`;
}

/**
 * L3, L4: the members of `answers` because of which `self` stores `next`, which is later than `held`; null if it must wait. `answers` are
 * members of `next`.
 */
export function backersOf(
  self: number,
  held: VersionedMembers | null,
  next: VersionedMembers,
  answers: ReadonlyMap<number, StoredVersion>,
): readonly number[] | null {
  const has = (list: ListVersion, { digest, version }: ListVersion): boolean =>
    version === list.version && digest === list.digest;
  const followed = [...answers].find(([, stored]) => has(next, stored));
  if (followed !== undefined) return [followed[0]];
  if (held === null) return next.version === FIRST_VERSION ? [] : null;
  if (next.version !== held.version + 1 || successionProblem(held, next) !== null) return null;
  const backers = [...answers].flatMap(([id, stored]) =>
    held.members.includes(id) && (stored.version > next.version || has(held, stored)) ? [id] : [],
  );
  const own = held.members.includes(self) && !backers.includes(self) ? 1 : 0;
  return backers.length + own >= majorityOf(held.members) ? backers : null;
}
