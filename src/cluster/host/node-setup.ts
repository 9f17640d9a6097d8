/** What a member process needs before it runs: its folder, its list and the unit of its timers. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors/hustings-error.ts';
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { firstLine, type MemberList } from '../member-list/member-list.ts';
import { startingRecord, writeMemberRecord } from '../member-list/member-record.ts';
import type { ListRecord } from '../membership/list-record.ts';
import { canChangeMembers, defaultHeartbeatMs, defaultUnitMs } from '../runtime/member-options.ts';
import type { MemberEdge } from '../view/overlay.ts';

interface NodeSetup {
  readonly members: MemberList;
  readonly id: number;
  readonly join?: boolean | undefined;
  readonly algorithm: AnyAlgorithm;
  readonly folder: string;
  readonly edges?: readonly MemberEdge[] | undefined;
  readonly heartbeatMs?: number | undefined;
  readonly unitMs?: number | undefined;
}

/** The record with which a member starts; null for one that joins, and where the list is not changed. */
export async function readList({
  algorithm,
  folder,
  id,
  join: joins = false,
  members,
}: NodeSetup): Promise<ListRecord | null> {
  const path = listPath(folder);
  if (canChangeMembers(algorithm)) return startingRecord(path, members, id, joins);
  if (joins) throw new InputError(`join must not be used: the members of ${algorithm.name} are not changed`);
  await writeMemberRecord(path, members);
  return null;
}

/** The file of the member list. */
export const listPath = (folder: string): string => join(folder, 'members');

/** The same at all members of a list. */
export function unitMsOf(options: NodeSetup, members: readonly number[]): number {
  const { algorithm, edges, heartbeatMs = defaultHeartbeatMs(members.length) } = options;
  return options.unitMs ?? defaultUnitMs({ algorithm, edges, members }, heartbeatMs);
}

/** The folder of a member, for its user alone. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new InputError(`the folder ${folder} cannot be used: ${firstLine(error)}; use another one`, {
      cause: error,
    });
  }
}
