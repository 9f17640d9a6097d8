/**
 * The member list as a member keeps it on disk: the newest record that it has stored. A list from a member file has no stamp,
 * and a file of a later version replaces it. A record with a stamp is changed by the leader alone.
 */
import { InputError } from '../../errors/hustings-error.ts';
import { DamagedRecordError, readRecord, writeRecord } from '../host/durable-record.ts';
import type { ListRecord } from '../membership/list-record.ts';
import {
  checkMemberList,
  firstLine,
  isRecord,
  isWhole,
  type MemberList,
  memberListDigest,
} from './member-list.ts';

/** What is on disk. */
export interface StoredList extends MemberList, ListRecord {
  /** A majority has removed the member of this folder, and it knows. */
  readonly isRemoved?: true;
}

/** Undefined before the first write. Throws a `DamagedRecordError` on a torn, truncated or edited file. */
export async function readMemberRecord(path: string): Promise<StoredList | undefined> {
  const record = await readRecord(path);
  if (record === undefined) return undefined;
  const { isRemoved, origin = 0, removed, stamp = 0, ...list } = isRecord(record) ? record : {};
  if (!isWhole(stamp, 0) || !isWhole(origin, 0))
    throw new DamagedRecordError(path, 'its terms are no numbers');
  try {
    return {
      ...{ ...checkMemberList(list), stamp, origin },
      removed:
        removed === undefined ? undefined : checkMemberList({ ...list, members: [removed] }).members[0],
      ...(isRemoved === true && { isRemoved }),
    };
  } catch (error) {
    throw new DamagedRecordError(path, firstLine(error));
  }
}

/** On disk when it resolves. The caller has checked that it is newer. */
export async function saveListRecord(
  path: string,
  cluster: string,
  { members, origin, removed, stamp, version }: ListRecord,
  isRemoved = false,
): Promise<void> {
  const terms = stamp > 0 ? { stamp, origin } : {};
  await writeRecord(path, { cluster, version, members, removed, ...terms, ...(isRemoved && { isRemoved }) });
}

/** On disk when it resolves. Refuses another cluster, an older version, and another list of the same version. */
export async function writeMemberRecord(path: string, list: MemberList): Promise<void> {
  const held = await readMemberRecord(path);
  if (held !== undefined) {
    const why = succession(held, list);
    if (why !== null) throw new InputError(`${path}: ${why}`);
    if (held.version === list.version) return;
  }
  await writeRecord(path, list);
}

/**
 * The record with which a member starts that was given a member file: the newer of the two, on disk. Null for a member that
 * joins, and waits for a record that contains it.
 */
export async function startingRecord(
  path: string,
  file: MemberList,
  id: number,
  isJoining: boolean,
): Promise<ListRecord | null> {
  const held = await readMemberRecord(path);
  if (held === undefined && isJoining) return null;
  const given = { stamp: 0, origin: 0, version: file.version, members: file.members };
  if (held === undefined || held.stamp === 0) {
    await writeMemberRecord(path, file);
    return given;
  }
  if (held.isRemoved && !isJoining) {
    throw new InputError(
      `member ${id} was removed from the cluster ${held.cluster} by version ${held.version} of its list; add it again, and let it join`,
    );
  }
  const why = otherCluster(held, file) ?? (isJoining ? null : notStored(held, file));
  if (why !== null) throw new InputError(`${path}: ${why}`);
  return held;
}

function notStored(held: MemberList, file: MemberList): string | null {
  if (file.version <= held.version) return sameVersion(held, file);
  return `version must be at most ${held.version}, which is stored: the leader changes this list, and a file does not`;
}

/** Why `next` must not follow `held`, or null. */
function succession(held: MemberList, next: MemberList): string | null {
  if (next.version < held.version) {
    return `version must be at least ${held.version}, which is stored already, not ${next.version}`;
  }
  return otherCluster(held, next) ?? sameVersion(held, next);
}

function otherCluster(held: MemberList, next: MemberList): string | null {
  return held.cluster === next.cluster ? null : `cluster must be ${held.cluster}, not ${next.cluster}`;
}

function sameVersion(held: MemberList, next: MemberList): string | null {
  const isOther = memberListDigest(held) !== memberListDigest(next);
  if (next.version !== held.version || !isOther) return null;
  return `two different member lists have version ${held.version}; raise the version of the newer one`;
}
