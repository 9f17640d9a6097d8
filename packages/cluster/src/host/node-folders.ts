/** The folders of a member process: the guard between its runtime and its transport, and what the status says of them. */
import { FolderGuard } from '../folder/folder-guard.ts';
import { type FolderRecord, neededRecorders } from '../folder/folder-record.ts';
import type { FolderCheck } from '../wire/session.ts';
import type { TcpTransport } from '../wire/tcp-transport.ts';
import type { MemberFolder } from './member-folder.ts';
import type { ClusterNodeStatus, FolderStatus } from './node-status.ts';

/** Long enough for members that start together. */
const NOTICE_MS = 5_000;

/** Null where folders are not compared. */
export function guardOf(
  transport: TcpTransport,
  { folders }: MemberFolder,
  self: number,
  save: (record: FolderRecord) => Promise<void>,
): FolderGuard | null {
  const isConnected = (peer: number): boolean => transport.connected.includes(peer);
  return folders && new FolderGuard(transport, { self, record: folders, isConnected, save });
}

/** What the wire compares. The guard is made with the transport, so it is asked for later. */
export function folderCheckOf(
  { folders }: MemberFolder,
  guard: () => FolderGuard | null,
): FolderCheck | undefined {
  if (folders === null) return undefined;
  return { id: folders.id, refusal: (peer, folder) => guard()?.refusal(peer, folder) ?? null };
}

/** `members` are those of the list that is in use. */
export function folderStatusOf(guard: FolderGuard | null, members: readonly number[]): FolderStatus | null {
  if (guard === null) return null;
  const { id, recordedBy } = guard.record;
  return { id, recordedBy, isRecorded: guard.isRecorded(members) };
}

/** A member that waits for the others says so: there may be no leader without it. */
export function warnOfFolder(status: () => ClusterNodeStatus, warn: (text: string) => void): void {
  setTimeout(() => {
    const why = waitingText(status());
    if (why !== null) warn(why);
  }, NOTICE_MS).unref();
}

function waitingText({ folder, id, members, recovery, state }: ClusterNodeStatus): string | null {
  if (!members.includes(id) || state === 'stopped') return null;
  if (recovery !== null && !recovery.isRecovered) {
    const { answeredBy, needed } = recovery;
    return `member ${id} supports no leader yet: its folder does not last, and ${answeredBy.length} of ${needed} other members have told it what it must not forget; start the others: if all of them answer, that is enough`;
  }
  if (folder === null || folder.isRecorded) return null;
  const recorders = members.filter((member) => folder.recordedBy.includes(member)).length;
  const needed = neededRecorders(members.length);
  return `member ${id} supports no leader yet: ${recorders} of the ${needed} other members that its first start needs have recorded its folder; start the others`;
}
