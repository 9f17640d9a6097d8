/** What a member process needs before it runs: its folder, its list and the unit of its timers. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { firstLine, InputError, show } from '@hustings/base';
import type { AnyAlgorithm, Setting } from '@hustings/study/kernel';
import { needsMajority, quorumIncompatibility } from '../gate/quorum-incompatibility.ts';
import { addressProblem, parseAddress } from '../member-list/address.ts';
import { type MemberList, memberOf } from '../member-list/member-list.ts';
import { startingRecord, storedAtStart, writeMemberRecord } from '../member-list/member-record.ts';
import { sizeProblem } from '../membership/list-change.ts';
import type { ListRecord } from '../membership/list-record.ts';
import {
  canChangeMembers,
  checkMember,
  defaultHeartbeatMs,
  defaultUnitMs,
} from '../runtime/member-options.ts';
import type { MemberEdge } from '../view/overlay.ts';
import type { ClusterSettings } from '../wire/cluster-settings.ts';
import { type ClusterSecurity, checkSecurity, secretKey } from '../wire/security.ts';
import { pulseOptions } from '../wire/wire-options.ts';
import { checkCertificateEnd } from './certificate-end.ts';
import type { RecordFile } from './record-file.ts';

interface NodeSetup extends ElectionSetup {
  readonly members: MemberList;
  readonly id: number;
  readonly join?: boolean | undefined;
  readonly allStopped?: boolean | undefined;
  readonly listen?: string | undefined;
  readonly security: ClusterSecurity;
}

/** What all members of a cluster have in common. */
export interface ElectionSetup {
  readonly algorithm: AnyAlgorithm;
  readonly edges?: readonly MemberEdge[] | undefined;
  readonly set?: Readonly<Record<string, Setting>> | undefined;
  readonly quorum?: boolean | undefined;
  readonly ephemeral?: boolean | undefined;
  readonly leaseMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
  readonly unitMs?: number | undefined;
}

/** What a member has stored of lists when it starts. @internal */
export interface StartingLists {
  /** Null for a member that joins, and where the list is not changed. */
  readonly record: ListRecord | null;
  /** With a quorum: see `storedAtStart`. Null without. */
  readonly stored: MemberList | null;
}

export async function readLists(
  { algorithm, allStopped = false, join: joins = false, members, quorum }: NodeSetup,
  file: RecordFile,
): Promise<StartingLists> {
  if (canChangeMembers(algorithm))
    return { record: await startingRecord(file, members, joins, allStopped), stored: null };
  if (quorum) return { record: null, stored: await storedAtStart(file, members, allStopped) };
  await writeMemberRecord(file, members);
  return { record: null, stored: null };
}

/** Throws unless the options of this member fit together: before it stores a list that may have to be corrected. */
export function checkNode(setup: NodeSetup): void {
  const { algorithm, allStopped, id, join: joins, listen, members, quorum, security } = setup;
  const { address } = memberOf(members, id);
  const why = listen === undefined ? null : addressProblem(listen);
  if (why !== null) throw new InputError(`listen ${why}, not ${show(listen)}`);
  checkSecurity(security, [parseAddress(listen ?? address).host]);
  secretKey(security);
  checkCertificateEnd(id, security);
  const size = canChangeMembers(algorithm) ? sizeProblem(members.members) : null;
  if (size !== null) throw new InputError(`${size}; use shorter addresses or fewer members`);
  if (joins && !canChangeMembers(algorithm)) {
    throw new InputError(
      `join must be left out: the members of ${algorithm.name} cannot be changed while it runs`,
    );
  }
  const incompatibility = quorum ? quorumIncompatibility(algorithm) : null;
  if (incompatibility !== null) throw new InputError(`quorum must be left out: ${incompatibility}`);
  if (allStopped && (joins || !countsMajority(setup))) {
    const why = joins
      ? 'the others run when a member joins'
      : 'without a majority a later member file counts';
    throw new InputError(`allStopped must be left out: ${why}`);
  }
  const ephemeral = ephemeralIncompatibility(setup, members.members.length);
  if (ephemeral !== null) throw new InputError(`ephemeral must be left out: ${ephemeral}`);
}

/** Throws unless members with these ids can run with these options. */
export function checkSetup(options: ElectionSetup, members: readonly number[]): void {
  pulseOptions(options);
  if (options.quorum) leaseMsOf(options, members.length);
  const why = ephemeralIncompatibility(options, members.length);
  if (why !== null) throw new InputError(why);
  checkMember({ ...options, members, self: members[0], unitMs: unitMsOf(options, members) });
}

/** Whether a member with a forgotten vote or token could break a promise: then folders are compared. */
export function countsMajority({ algorithm, quorum }: Pick<ElectionSetup, 'algorithm' | 'quorum'>): boolean {
  return quorum === true || needsMajority(algorithm);
}

/** Why members whose folders do not last cannot run so, or null: folder/recovery.ts. */
function ephemeralIncompatibility(options: ElectionSetup, members: number): string | null {
  const { algorithm, ephemeral = false, quorum = false } = options;
  if (!ephemeral) return null;
  if (!countsMajority(options))
    return 'it needs a quorum, or an algorithm with a majority of its own; others keep no promises';
  if (!quorum && (algorithm.termField === undefined || algorithm.voteField === undefined))
    return `${algorithm.name} does not declare its termField and its voteField`;
  return members < 3
    ? `members whose folders do not last must be three or more, not ${members}: a majority of them must remember`
    : null;
}

/**
 * The least default of the timeout T of an algorithm with a lease of its own, 2T. A disk or a scheduler that is shared with other work
 * often stops for longer than two short heartbeats.
 */
export const MIN_TIMEOUT_MS = 500;

/** The same at all members of a list. */
export function unitMsOf(options: ElectionSetup, members: readonly number[]): number {
  const { algorithm, edges, heartbeatMs = defaultHeartbeatMs(members.length) } = options;
  const minMs = needsMajority(algorithm) ? MIN_TIMEOUT_MS / 2 : 0;
  return options.unitMs ?? defaultUnitMs({ algorithm, edges, members }, Math.max(heartbeatMs, minMs));
}

/** The least default of `leaseMs`; also that of durations where nothing proves a lead. */
export const DEFAULT_LEASE_MS = 2_000;
/** There are four requests in a lease. */
const MIN_LEASE_HEARTBEATS = 4;

/** How long support lasts with a quorum. Throws if the lease that is given cannot be used. */
export function leaseMsOf(options: ElectionSetup, members: number): number {
  const { heartbeatMs = defaultHeartbeatMs(members) } = options;
  const least = MIN_LEASE_HEARTBEATS * heartbeatMs;
  const { leaseMs = Math.max(DEFAULT_LEASE_MS, least) } = options;
  if (leaseMs >= least && leaseMs <= 3_600_000) return leaseMs;
  throw new InputError(
    `leaseMs must be from ${least}, ${MIN_LEASE_HEARTBEATS} heartbeats, to 3600000, not ${leaseMs}`,
  );
}

/**
 * What must be the same at all members, so that promises last as long as leaders count on them. An algorithm with a majority of its
 * own promises by its unit. Its default depends on the list, which may differ for a moment while it is changed; messages of
 * another list are not delivered. So the option is compared and not its effect.
 */
export function settingsOf(options: ElectionSetup, members: number): ClusterSettings {
  const { algorithm, ephemeral = false, heartbeatMs, quorum = false, set = {}, unitMs } = options;
  const isByUnit = needsMajority(algorithm);
  return {
    algorithm: algorithm.name,
    quorum: quorum ? 'on' : 'off',
    'set of parameters': parametersText(set),
    ...(countsMajority(options) && { folder: ephemeral ? 'ephemeral' : 'kept' }),
    ...(quorum && { lease: `${leaseMsOf(options, members)} ms` }),
    ...(isByUnit && { unit: unitMs === undefined ? 'that of the heartbeat' : `${unitMs} ms` }),
    ...(isByUnit &&
      unitMs === undefined && { heartbeat: heartbeatMs === undefined ? 'the default' : `${heartbeatMs} ms` }),
  };
}

const MAX_TEXT = 200;

function parametersText(set: Readonly<Record<string, Setting>>): string {
  const names = Object.keys(set).sort();
  const text = names.map((name) => `${name}=${set[name]}`).join(', ');
  if (text.length <= MAX_TEXT) return text === '' ? 'empty' : text;
  return `sha256 ${createHash('sha256').update(text).digest('hex')}`;
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
