/** What a member finds on its disk when it starts. */
import { HustingsError } from '@hustings/study/kernel';
import type { MemberRecord } from './durable-outbox.ts';
import type { MemberOptions } from './member-options.ts';

export interface LoadedRecord {
  /** Null if this member has never run, and nothing says where its numbers begin. */
  readonly record: MemberRecord | null;
  /** The causes of steps that the process before it may not have recorded. */
  readonly unrecorded: readonly string[] | undefined;
}

/** `first` gives the record of a member that has never run. Rejects if the record is of another algorithm. */
export async function loadRecord(
  { algorithm, self, store }: MemberOptions,
  first: () => MemberRecord | null,
): Promise<LoadedRecord> {
  const found = await store.load();
  const { unrecorded, ...rest } = found ?? {};
  const record = found === null ? first() : (rest as MemberRecord);
  if (record === null || record.algorithm === algorithm.name) return { record, unrecorded };
  throw new HustingsError(
    `the saved state of member ${self} is that of algorithm ${record.algorithm}, not ${algorithm.name}: stop all members, and start them with new folders whose tokens begin above the old ones`,
    { code: 'HUSTINGS_CLUSTER_STATE' },
  );
}
