/** What members say to each other about the member list. Checked here, because a frame is only known to be JSON. */
import { checkMemberList, isWhole } from '../member-list/member-list.ts';
import type { ListRecord, RecordName } from './list-record.ts';

/** A frame about the member list. */
/** A frame about the member list. */
export type MembersFrame =
  | {
      readonly type: 'members';
      readonly about: 'record';
      readonly record: ListRecord;
      /** The sender knows that it is committed. */
      readonly isCommitted: boolean;
    }
  /** The sender has stored this record. */
  | {
      readonly type: 'members';
      readonly about: 'stored';
      readonly name: RecordName;
      /** Its term is the stamp: see M4. */
      readonly isConfirmed: boolean;
      readonly isCommitted: boolean;
    };

/** Null unless the frame is what a member of this cluster may say about the list. */
export function readMembersFrame(
  cluster: string,
  frame: Readonly<Record<string, unknown>>,
): MembersFrame | null {
  const { about, isCommitted, isConfirmed, type } = frame;
  if (type !== 'members' || typeof isCommitted !== 'boolean') return null;
  if (about === 'record') {
    const record = readListRecord(cluster, frame.record);
    return record && { type, about, record, isCommitted };
  }
  if (about !== 'stored' || typeof isConfirmed !== 'boolean') return null;
  const name = readName(frame.name);
  return name && { type, about, name, isConfirmed, isCommitted };
}

function readName(value: unknown): RecordName | null {
  const { origin, stamp, version } = (value ?? {}) as Record<string, unknown>;
  if (!isWhole(stamp, 0) || !isWhole(version, 1) || !isWhole(origin, 0, stamp)) return null;
  return { stamp, version, origin };
}

/** Null unless `value` is a record of this cluster. */
export function readListRecord(cluster: string, value: unknown): ListRecord | null {
  const name = readName(value);
  if (name === null) return null;
  try {
    const { members } = value as { readonly members: unknown };
    return { ...name, members: checkMemberList({ cluster, version: name.version, members }).members };
  } catch {
    return null;
  }
}
