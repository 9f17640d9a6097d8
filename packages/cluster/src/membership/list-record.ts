/**
 * The member list as a record that each member keeps on disk, as pure functions. The leader of a term changes it by one
 * member at a time.
 *
 * M1 A member uses the newest record that it has stored, whether or not a majority has it. Records are ordered by the term
 *    of the leader that last stored it (`stamp`), then by the version.
 * M2 A newer record is stored, on disk, before anything depends on it. An older one is never stored again.
 * M3 A member votes, and takes part in the algorithm, only with members that use the same list. A list is named by its
 *    version and the term of the leader that proposed it (`origin`).
 * M4 A new leader stamps its list with its own term. A member confirms a record only while its own term is the stamp, with
 *    both on disk. A record is committed when a majority of its own members has confirmed it.
 * M5 Only the leader whose stamp is on a committed record may propose another list: one member more or less, one version
 *    later. It then uses the new list itself, so each term has one change at most.
 * M6 A member whose list changes starts the algorithm again with its durable fields, as after a crash.
 * M7 A stamp is a term that was seen, like one in a message. A member whose term stays below the stamp of its record begins the
 *    term of the stamp, in which it has not voted. Otherwise no leader could stamp a record whose stamp a faulty member has made up.
 * M8 A member that is not in its own list takes no part. One that has no record waits for a record that contains it.
 *
 * Guarantees, if at most one leader is elected among the members of one list in each term: at most one leader in each term
 * over all lists; every leader has the newest list that was committed before its term, or one proposed from it; no two
 * lists have majorities that use them at the same time.
 * Does not guarantee that a proposed list is kept: one that is not committed may be replaced by the next leader. Two members
 * at once (joint consensus) cannot be changed.
 *
 * The rules are those of Ongaro's thesis, chapter 4, for a record in place of a log. M4 is what single-server changes lack
 * there: without it two leaders of different terms can each propose a list, and find majorities that share no member.
 */
import type { ClusterMember } from '../member-list/member-list.ts';
import { LARGEST_EPOCH } from '../view/parse-view.ts';

/** Names a record: the order of M1, and with `origin` the list of M3. */
export interface RecordName {
  /** The term of the leader that last stored it; 0 for a list from a member file. */
  readonly stamp: number;
  readonly version: number;
  /** The term of the leader that proposed the list; 0 for a list from a member file. */
  readonly origin: number;
}

/** A member list as members store it. */
export interface ListRecord<Member = ClusterMember> extends RecordName {
  readonly members: readonly Member[];
  /** The member that the leader of `origin` has removed. Every later leader of the list tells it, because it may have been down. */
  readonly removed?: Member | undefined;
}

/** M1: positive if `a` is newer. */
export function compareRecords(a: RecordName, b: RecordName): number {
  return a.stamp - b.stamp || a.version - b.version;
}

/** M3. */
export function isSameList(a: RecordName, b: RecordName): boolean {
  return a.version === b.version && a.origin === b.origin;
}

/** M2: whether a member that has `held` stores `offered`. */
export function mayStore(held: RecordName | null, offered: RecordName): boolean {
  return held === null || compareRecords(offered, held) > 0;
}

/**
 * Why no leader can have made `offered`, as far as a member that has `held` can tell; null if one can. By M5 a version was
 * proposed in a term of its own, at the earliest in that of the stamp. Nothing is known of versions from member files.
 */
export function recordProblem(held: RecordName | null, offered: RecordName): string | null {
  const { origin, stamp, version } = offered;
  if (origin > stamp) return `its member list was proposed in term ${origin}, after its stamp ${stamp}`;
  if (held === null || held.stamp === 0) {
    return version <= LARGEST_EPOCH / 2
      ? null
      : `its member list has the version ${version}, which no file has`;
  }
  const most = held.version + stamp - held.stamp + 1;
  if (version <= most) return null;
  return `its member list has version ${version}, and leaders up to term ${stamp} made at most version ${most}: stop that member`;
}

/** M4: the record that a leader of this term stores first; null if there is nothing to stamp. */
export function stampedBy<R extends RecordName>(record: R, term: number): R | null {
  return term > record.stamp ? { ...record, stamp: term } : null;
}

/** M4: whether a member whose term is `term` confirms the record that it has stored. */
export function mayConfirm(stored: RecordName, term: number): boolean {
  return stored.stamp > 0 && stored.stamp === term;
}

/** M4: whether the members that satisfy `has` are a majority of these. */
export function isMajority(members: readonly number[], has: (id: number) => boolean): boolean {
  return 2 * members.filter(has).length > members.length;
}

/** M5: whether a leader of this term may propose another list than that of `record`. */
export function mayPropose(record: RecordName, term: number, isCommitted: boolean): boolean {
  return isCommitted && record.stamp === term;
}

/** M5: the record of the next list. */
export function proposedBy<Member>(
  record: ListRecord<Member>,
  term: number,
  members: readonly Member[],
): ListRecord<Member> {
  return { stamp: term, version: record.version + 1, origin: term, members };
}
