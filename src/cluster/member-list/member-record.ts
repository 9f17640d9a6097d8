/**
 * The member list as a member keeps it on disk: the newest record that it has stored. A list from a member file has no stamp,
 * and a file of a later version replaces it. A record with a stamp is changed by the leader alone.
 */
import { InputError } from '../../errors/hustings-error.ts';
import { DamagedRecordError } from '../host/durable-record.ts';
import type { RecordFile } from '../host/record-file.ts';
import type { ListRecord } from '../membership/list-record.ts';
import { checkMemberList, firstLine, isWhole, type MemberList, memberListDigest } from './member-list.ts';

/** What is on disk. */
export interface StoredList extends MemberList, ListRecord {
  /** A majority has removed the member of this folder, and it knows. */
  readonly isRemoved?: true;
}

/** Undefined before the first write. Throws like `RecordFile.read`. */
export async function readMemberRecord(file: RecordFile): Promise<StoredList | undefined> {
  const record = await file.read();
  if (record === undefined) return undefined;
  const { isRemoved, origin = 0, removed, stamp = 0, ...rest } = record;
  const list = { ...rest, cluster: file.owner.cluster };
  if (!isWhole(stamp, 0) || !isWhole(origin, 0))
    throw new DamagedRecordError(file.path, 'its terms are no numbers');
  const check = (value: unknown): MemberList => checkMemberList(value, Number.MAX_SAFE_INTEGER);
  try {
    return {
      ...{ ...check(list), stamp, origin },
      removed: removed === undefined ? undefined : check({ ...list, members: [removed] }).members[0],
      ...(isRemoved === true && { isRemoved }),
    };
  } catch (error) {
    throw new DamagedRecordError(file.path, firstLine(error));
  }
}

/** On disk when it resolves. The caller has checked that it is newer. */
export async function saveListRecord(
  file: RecordFile,
  { members, origin, removed, stamp, version }: ListRecord,
  isRemoved = false,
): Promise<void> {
  const terms = stamp > 0 ? { stamp, origin } : {};
  await file.write({ version, members, removed, ...terms, ...(isRemoved && { isRemoved }) });
}

/** On disk when it resolves. Refuses the file of another member, an older version, and another list of the same version. */
export async function writeMemberRecord(file: RecordFile, list: MemberList): Promise<void> {
  const held = await readMemberRecord(file);
  if (held !== undefined) {
    const why = succession(held, list);
    if (why !== null) throw new InputError(`${file.path}: ${why}`);
    if (held.version === list.version) return;
  }
  await file.write({ version: list.version, members: list.members });
}

/**
 * The record with which a member starts that was given a member file: the newer of the two, on disk. Null for a member that
 * joins, and waits for a record that contains it.
 */
export async function startingRecord(
  file: RecordFile,
  given: MemberList,
  isJoining: boolean,
): Promise<ListRecord | null> {
  const held = await readMemberRecord(file);
  if (held === undefined && isJoining) return null;
  if (held === undefined || held.stamp === 0) {
    await writeMemberRecord(file, given);
    return { stamp: 0, origin: 0, version: given.version, members: given.members };
  }
  if (held.isRemoved && !isJoining) {
    throw new InputError(
      `member ${file.owner.id} was removed from the cluster ${held.cluster} by version ${held.version} of its list; add it again, and let it join`,
    );
  }
  const why = isJoining ? null : notStored(held, given);
  if (why !== null) throw new InputError(`${file.path}: ${why}`);
  return held;
}

function notStored(held: MemberList, file: MemberList): string | null {
  const isStored = file.version === held.version && sameVersion(held, file) === null;
  if (file.version < held.version || isStored) return null;
  return `the member file must be that of version ${held.version}, which is stored: ask the leader to add or remove members, a file does not change them`;
}

/** Why `next` must not follow `held`, or null. */
function succession(held: MemberList, next: MemberList): string | null {
  if (next.version < held.version) {
    return `version must be at least ${held.version}, which is stored already, not ${next.version}`;
  }
  return sameVersion(held, next);
}

function sameVersion(held: MemberList, next: MemberList): string | null {
  const isOther = memberListDigest(held) !== memberListDigest(next);
  if (next.version !== held.version || !isOther) return null;
  return `two different member lists have version ${held.version}; raise the version of the newer one`;
}
