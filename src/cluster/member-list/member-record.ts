/** The member list as a member keeps it on disk: the version that it last accepted, which never decreases. */
import { InputError } from '../../errors/hustings-error.ts';
import { DamagedRecordError, readRecord, writeRecord } from '../host/durable-record.ts';
import { checkMemberList, firstLine, type MemberList, memberListDigest } from './member-list.ts';

/** Undefined before the first write. Throws a `DamagedRecordError` on a torn, truncated or edited file. */
export async function readMemberRecord(path: string): Promise<MemberList | undefined> {
  const record = await readRecord(path);
  if (record === undefined) return undefined;
  try {
    return checkMemberList(record);
  } catch (error) {
    throw new DamagedRecordError(path, firstLine(error));
  }
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

/** Why `next` must not follow `held`, or null. */
export function succession(held: MemberList, next: MemberList): string | null {
  if (held.cluster !== next.cluster) return `cluster must be ${held.cluster}, not ${next.cluster}`;
  if (next.version < held.version) {
    return `version must be at least ${held.version}, which is stored already, not ${next.version}`;
  }
  const isSame = memberListDigest(held) === memberListDigest(next);
  if (next.version === held.version && !isSame) {
    return `two different member lists have version ${held.version}; raise the version of the newer one`;
  }
  return null;
}
