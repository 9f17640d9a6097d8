/** The quorum gate of a member process, and the list that it must have stored: its files and its transport. */
import { ListFollower } from '../gate/list-follower.ts';
import { raisedTo } from '../gate/supporter.ts';
import type { MemberList } from '../member-list/member-list.ts';
import { versionOf } from '../member-list/member-record.ts';
import type { TcpTransport } from '../wire/tcp-transport.ts';
import { GatedLead } from './gated-lead.ts';
import type { MemberFolder } from './member-folder.ts';
import { type ElectionSetup, leaseMsOf } from './node-setup.ts';
import type { ClusterNodeStatus } from './node-status.ts';
import { PROCESS_CLOCK } from './process-clock.ts';

interface GateSetup extends ElectionSetup {
  readonly id: number;
  readonly members: MemberList;
}

/** Rejects as the save does, and stops the member then. */
type Saved = (what: string, saving: Promise<void>) => Promise<void>;

function followerOf(
  { id, members }: GateSetup,
  stored: MemberList | null,
  files: MemberFolder,
  saved: Saved,
): ListFollower {
  const save = async (token: number): Promise<void> => {
    await files.saveSupport(raisedTo(files.support, token));
    await files.saveFileList(members);
  };
  return new ListFollower({
    ...{ self: id, list: versionOf(members), stored: stored && versionOf(stored) },
    save: (token) => saved('its member list', save(token)),
  });
}

export interface GatedLeadHost {
  readonly transport: TcpTransport;
  readonly saved: Saved;
  admits(): boolean;
  onChange(): void;
}

export function gatedLeadOf(
  setup: GateSetup,
  stored: MemberList | null,
  files: MemberFolder,
  { admits, onChange, saved, transport }: GatedLeadHost,
): GatedLead {
  const follower = followerOf(setup, stored, files, saved);
  const members = setup.members.members.map(({ id }) => id);
  return new GatedLead({
    ...{ id: setup.id, members, follower, admits, onChange },
    leaseMs: leaseMsOf(setup, members.length),
    support: () => files.support,
    clock: PROCESS_CLOCK,
    // A request that waits for a connection would be answered too late to count.
    send: (to, frame) => {
      if (transport.connected.includes(to)) transport.send(to, frame);
    },
    save: (next) => saved('its support', files.saveSupport(next)),
    random: Math.random,
  });
}

/** Long enough for members that start together. */
const NOTICE_MS = 5_000;

/** A member that waits for others says so: there may be no leader without it. */
export function warnOfWaiting(
  follower: ListFollower,
  { version }: MemberList,
  status: () => ClusterNodeStatus,
  warn: (text: string) => void,
): void {
  if (follower.isStored) return;
  setTimeout(() => {
    const { id, state } = status();
    const { stored } = follower;
    if (follower.isStored || state === 'stopped') return;
    const has = stored === null ? 'no member list' : `version ${stored.version} of the member list`;
    const isNext = stored !== null && version === stored.version + 1;
    const majority = isNext
      ? `a majority of version ${stored.version} (${stored.members.join(', ')}) is reached that has stored it, or `
      : '';
    warn(
      `member ${id} supports no leader yet: it has stored ${has}, and stores version ${version} when ${majority}another member is reached that has stored version ${version}; start those members, or stop all members and start each with all-stopped`,
    );
  }, NOTICE_MS).unref();
}
