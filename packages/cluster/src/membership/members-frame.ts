/** What members say to each other about the member list. */
import { checkMemberList } from '../member-list/member-list.ts';
import { LARGEST_EPOCH } from '../view/parse-view.ts';
import type { ListRecord, RecordName } from './list-record.ts';

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

/** The record without other fields; null if its members are no list of this cluster. */
export function readListRecord(
  cluster: string,
  { members, origin, removed, stamp, version }: ListRecord,
): ListRecord | null {
  try {
    const listOf = (each: unknown) =>
      checkMemberList({ cluster, version, members: each }, LARGEST_EPOCH).members;
    return {
      ...{ stamp, version, origin, members: listOf(members) },
      removed: removed === undefined ? undefined : listOf([removed])[0],
    };
  } catch {
    return null;
  }
}
