/**
 * How members notice that one of them has lost its folder, as pure functions. Where a majority is counted, a member that has
 * forgotten its vote, its promise or its token could give them again.
 *
 * F1 A folder has a random id, which is made with it.
 * F2 A member that meets a process with the id of a member and of a folder records both, on disk, before anything else that
 *    this process sends counts. It refuses a process whose member has another folder.
 * F3 It then answers that it has recorded the folder, and so that it knows no other one of that member.
 * F4 A member supports nobody before a majority of the other members of its list has answered. The answers are kept on disk.
 *
 * Guarantees: of the folders of one member that has a list, at most one is ever used to support others in that list. Two majorities
 * of the others share a member, which has recorded the first folder and refuses the second.
 * Does not guarantee it if a majority of the others has lost the folders too, for a member that is alone in its list, nor for a
 * copy of a folder.
 */

/** What a member knows of folders. */
export interface FolderRecord {
  /** The id of its own folder. */
  readonly id: string;
  /** The members that have recorded it. */
  readonly recordedBy: readonly number[];
  /** The folder of each other member, by the id of the member. */
  readonly peers: Readonly<Record<string, string>>;
}

/** F2: why a process that runs as `peer` with this folder is refused; null if it is not. */
export function folderProblem(
  { peers }: Pick<FolderRecord, 'peers'>,
  peer: number,
  folder: string,
): string | null {
  const known = peers[peer];
  if (known === undefined || known === folder) return null;
  return `member ${peer} has another folder than before: start it with that one; if it is lost, remove member ${peer}, and add a member with a new id`;
}

/** F2. */
export function withPeer(record: FolderRecord, peer: number, folder: string): FolderRecord {
  return record.peers[peer] === folder ? record : { ...record, peers: { ...record.peers, [peer]: folder } };
}

/** F3: `peer` has answered. */
export function withRecorder(record: FolderRecord, peer: number): FolderRecord {
  if (record.recordedBy.includes(peer)) return record;
  return { ...record, recordedBy: [...record.recordedBy, peer].sort((a, b) => a - b) };
}

/** F4: how many of the others of a list must have recorded a folder. */
export function neededRecorders(members: number): number {
  const others = members - 1;
  return others === 0 ? 0 : Math.floor(others / 2) + 1;
}

/** F4: whether `self` may support others among these members. */
export function isRecorded(
  { recordedBy }: Pick<FolderRecord, 'recordedBy'>,
  self: number,
  members: readonly number[],
): boolean {
  const recorders = members.filter((id) => id !== self && recordedBy.includes(id));
  return recorders.length >= neededRecorders(members.length);
}
