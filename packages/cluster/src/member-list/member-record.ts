/**
 * The member list as a member keeps it on disk: the newest record that it has stored. Where the leader changes the list, a file is
 * read at the first start alone. Otherwise a file of a later version replaces the record; with a quorum, under conditions.
 */
import { firstLine, InputError, isWhole } from '@hustings/base';
import { FIRST_VERSION, successionProblem, type VersionedMembers } from '../gate/list-succession.ts';
import { DamagedRecordError } from '../host/durable-record.ts';
import type { RecordFile } from '../host/record-file.ts';
import type { ListRecord } from '../membership/list-record.ts';
import { checkMemberList, type MemberList, memberListDigest } from './member-list.ts';

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

const AFTER_STOP = [{ option: 'allStopped', value: 'true' }];

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
 * The record with which a member starts that was given a member file: the stored one, if there is one. Null for a member that
 * joins, and waits for a record that contains it. `isAfterStop`: all members were stopped, and are started with the given list.
 */
export async function startingRecord(
  file: RecordFile,
  given: MemberList,
  isJoining: boolean,
  isAfterStop = false,
): Promise<ListRecord | null> {
  const held = await readMemberRecord(file);
  if (held === undefined && isJoining) return null;
  if (held === undefined || (isAfterStop && given.version > held.version)) {
    await writeMemberRecord(file, given);
    return { stamp: 0, origin: 0, version: given.version, members: given.members };
  }
  if (held.isRemoved && !isJoining) {
    throw new InputError(
      `member ${file.owner.id} was removed from the cluster ${held.cluster} by version ${held.version} of its list; add it again, and let it join`,
    );
  }
  const why = isJoining ? null : notStored(held, given);
  if (why !== null) throw new InputError(`${file.path}: ${why}`, { remedies: AFTER_STOP });
  return held;
}

function notStored(held: MemberList, file: MemberList): string | null {
  const isStored = file.version === held.version && sameVersion(held, file) === null;
  if (file.version < held.version || isStored) return null;
  return `the member file must be that of version ${held.version}, which is stored: ask the leader to add or remove members, a file does not change them`;
}

/**
 * The list that a member with a quorum has stored after its start: the given one, or an earlier one while it must wait for others
 * (gate/list-succession.ts); null if there is none. `isAfterStop` as above.
 */
export async function storedAtStart(
  file: RecordFile,
  given: MemberList,
  isAfterStop: boolean,
): Promise<MemberList | null> {
  const held = (await readMemberRecord(file)) ?? null;
  const why = isAfterStop ? null : successionProblem(held && versionOf(held), versionOf(given));
  if (why !== null) {
    throw new InputError(`${file.path}: ${why}`, { remedies: AFTER_STOP });
  }
  const isNext = held === null ? given.version === FIRST_VERSION : given.version <= held.version;
  if (!isNext && !isAfterStop) return held;
  await writeMemberRecord(file, given);
  return given;
}

/** The list as the rules of succession see it. */
export function versionOf(list: MemberList): VersionedMembers {
  return {
    version: list.version,
    digest: memberListDigest(list),
    members: list.members.map(({ id }) => id),
  };
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
