/** What a member needs, and the checks before it runs. */

import { resolveParams } from '@hustings/study/driver';
import {
  type AnyAlgorithm,
  AssumptionError,
  InputError,
  MAX_WORD,
  type Setting,
} from '@hustings/study/kernel';
import type { DetectorOptions } from '../detector/phi-accrual.ts';
import type { ClusterMember } from '../member-list/member-list.ts';
import type { ListRecord } from '../membership/list-record.ts';
import type { TraceWriter } from '../record/trace-line.ts';
import type { Frame, Transport } from '../transport.ts';
import { isEndless, type MemberEdge, overlaySetup } from '../view/overlay.ts';
import type { MemberStore } from './durable-outbox.ts';
import type { MemberClock } from './member-clock.ts';
import type { MemberEvent } from './member-status.ts';

/** One member of a cluster. */
export interface MemberOptions {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly self: number;
  /** The ids of all configured members. */
  readonly members: readonly number[];
  readonly algorithm: AnyAlgorithm;
  /** The parameters of the algorithm. */
  readonly set?: Readonly<Record<string, Setting>> | undefined;
  /** The links that the algorithm may use, for networks that are not complete. */
  readonly edges?: readonly MemberEdge[] | undefined;
  /** One unit of the algorithm's timers: at least half the longest round trip, if its timeout is two units. */
  readonly unitMs: number;
  readonly detector: DetectorOptions;
  /** How long a reason for a new epoch must last; by default 4 heartbeats, but one of them if it is longer than 400. */
  readonly epochPauseMs?: number | undefined;
  /** A member that has never run starts by itself within this time, unless a message comes first; 2 units by default. */
  readonly startWithinMs?: number | undefined;
  /** The largest term or epoch that was used before: a member that has never run begins above it. 0 unless given. */
  readonly firstTerm?: number | undefined;
  /** Only for algorithms whose leader can change the list: see `canChangeMembers`. */
  readonly lists?: ListKeeper | undefined;
  /**
   * Whether this member may support others among these members; always unless given. See folder/folder-record.ts, and
   * folder/recovery.ts.
   */
  readonly admits?: ((members: readonly number[]) => boolean) | undefined;
  /** The folders of the members do not last. A member begins when it is told by `recovered` what it has forgotten. */
  readonly isEphemeral?: boolean | undefined;
  readonly transport: Transport;
  readonly store: MemberStore;
  readonly clock: MemberClock;
  /** A random whole number from 1 to `sides`. */
  draw(sides: number): number;
  /** A number that no other process of this member has. */
  readonly incarnation: number;
  readonly trace?: TraceWriter | undefined;
  /** Called with each event of the member. */
  readonly onEvent?: ((event: MemberEvent) => void) | undefined;
  /** Takes the frames of the quorum gate, and returns why one is refused, or null. Without it they are refused. */
  readonly onSupport?: ((from: number, frame: Frame) => string | null) | undefined;
}

/** What keeps the member list of one member. */
export interface ListKeeper {
  /** From the disk; null for a member that waits to be added. */
  readonly record: ListRecord | null;
  /** A list without this member does not end it. */
  readonly isJoining: boolean;
  /** One unit of the algorithm's timers with these members: the same at all of them. */
  unitMs(members: readonly number[]): number;
  /** Resolves when the record is on disk. */
  save(record: ListRecord): Promise<void>;
  /** Whether a process outside the list has proved that it is this member, and listens at its address. */
  reaches(id: number): boolean;
  /** Another list is in use, or other members of earlier lists must still be told. */
  connect(record: ListRecord, former: readonly ClusterMember[]): void;
  /** A majority has stored the list that is in use. */
  onCommitted(record: ListRecord): void;
}

/** Whether a leader can change the members: the algorithm must have terms, and a majority of its own. */
export function canChangeMembers({ assumes, termField }: AnyAlgorithm): boolean {
  return termField !== undefined && (assumes.faults?.includes('partition') ?? false);
}

/** Each member sends heartbeats to all others. With this pause it sends about a hundred in a second, however many there are. */
export function defaultHeartbeatMs(members: number): number {
  return Math.max(100, 10 * members);
}

/**
 * A round trip fits into the timeout of an algorithm that assumes a longest delay, which is two units. In the others, the
 * timeout that the algorithm has by default for that many members is two heartbeats.
 */
export function defaultUnitMs(
  { algorithm, edges, members }: Pick<MemberOptions, 'algorithm' | 'edges' | 'members'>,
  heartbeatMs: number,
): number {
  if (algorithm.assumes.timing === 'bounded-delay') return heartbeatMs;
  const timeout = overlaySetup(algorithm, members, {}, edges ?? null)?.params.timeout;
  return (2 * heartbeatMs) / (typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT_UNITS);
}

const DEFAULT_TIMEOUT_UNITS = 10;

/** Throws if these options cannot run. */
export function checkMember({
  algorithm,
  edges,
  members,
  self,
  set,
  unitMs,
}: Pick<MemberOptions, 'algorithm' | 'edges' | 'members' | 'self' | 'set' | 'unitMs'>): void {
  const { assumes, name } = algorithm;
  if (assumes.timing === 'synchronous') {
    throw new AssumptionError(
      `${name} assumes synchronous rounds, which a network of processes does not have: choose another algorithm`,
      'timing',
    );
  }
  for (const id of members) {
    if (!Number.isInteger(id) || id < 0 || id > MAX_WORD)
      throw new InputError(`a member's id must be a whole number from 0 to ${MAX_WORD}, not ${id}`);
  }
  if (new Set(members).size < members.length) throw new InputError('the ids of members must differ');
  if (!members.includes(self))
    throw new InputError(`member ${self} is not in the member list: ${members.join(', ')}`);
  if (!(unitMs > 0 && Number.isFinite(unitMs)))
    throw new InputError(`unitMs must be a positive number, not ${unitMs}`);
  const setup = overlaySetup(algorithm, members, set ?? {}, edges ?? null);
  if (setup === null) throw new InputError('edges must connect all members');
  if (setup.topology.n > setup.nodes && !isEndless(algorithm)) {
    throw new AssumptionError(
      `${name} needs a helper process that is not a candidate, and a cluster has members only: choose another algorithm`,
      'network',
    );
  }
  if (!isEndless(algorithm)) checkSizes(algorithm, members.length, set ?? {});
}

/** An epoch may have any number of members, and the range of a parameter may depend on it. */
function checkSizes(
  { name, params }: AnyAlgorithm,
  members: number,
  set: NonNullable<MemberOptions['set']>,
): void {
  for (let size = 1; size < members; size++) {
    try {
      resolveParams(name, params, size, set);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(
        `while ${size} of ${members} members run, ${error.message}: leave it out, or give a value that is allowed for 1 to ${members} members`,
        { cause: error },
      );
    }
  }
}
