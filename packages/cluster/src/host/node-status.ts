/** What a member process reports. */
import type { RecoveryProgress } from '../folder/recovery-guard.ts';
import type { MemberEvent, MemberStatus } from '../runtime/member-status.ts';
import type { Traffic } from '../transport.ts';
import type { WireEvent } from '../wire/refusal.ts';

/** The folder of a member, and which others know it. */
export interface FolderStatus {
  readonly id: string;
  readonly recordedBy: readonly number[];
  readonly isRecorded: boolean;
}

/** A snapshot of a member process. */
export interface ClusterNodeStatus extends Omit<MemberStatus, 'leader' | 'leadsUntilMs'> {
  readonly cluster: string;
  /** The version of the member list. */
  readonly version: number;
  /**
   * The version that this member has stored: with `quorum` it supports nobody while that is an earlier one, or null; see
   * gate/list-succession.ts.
   */
  readonly storedVersion: number | null;
  readonly pid: number;
  /** Whether a leader needs the support of a majority. */
  readonly quorum: boolean;
  /** The leader as this member knows it; with `quorum` only one that has a majority. */
  readonly leader: number | null;
  /** The member that the algorithm elected, with or without a majority. */
  readonly elected: number | null;
  readonly leads: boolean;
  /** Whether it knows the leader, or knows of an election of anonymous members that it is not the leader. */
  readonly isReady: boolean;
  /**
   * Until when this member leads, by `performance.now()` of its process, if nobody answers any more. Null if it does not lead,
   * or if nothing proves that no other member leads. It is only valid now: a clock that is set ahead and a machine that sleeps
   * end a lead earlier.
   */
  readonly leadsUntilMs: number | null;
  /** How long a lead is proved for, from the sending of what a majority has granted, less the margin; null without a proof. */
  readonly leaseMs: number | null;
  /**
   * Whether no two members lead at the same time, if clock rates differ by less than a tenth: by the gate of `quorum`, or by the
   * lease of the algorithm itself. Otherwise a split gives each side a leader.
   */
  readonly exclusive: boolean;
  /**
   * The token of the leader's majority, or without `quorum` the leader's epoch or term. Null without a leader. A leader that
   * lapses and leads again may have the same term, if no other member has led in between; after `resign` it is larger.
   */
  readonly token: number | null;
  /**
   * The folder of this member, where a majority is counted; otherwise null. A member supports nobody before a majority of the
   * others has recorded its folder, which `isRecorded` tells.
   */
  readonly folder: FolderStatus | null;
  /** What this member knows again of what it must not forget, where folders do not last; otherwise null. */
  readonly recovery: RecoveryProgress | null;
  /** The members to which there is a connection. */
  readonly connected: readonly number[];
  readonly traffic: Readonly<Traffic>;
  /** When the certificate of this member ends, by the wall clock; null without certificates. */
  readonly certificateUntilMs: number | null;
}

/** Something that happened at a member process. */
export type ClusterNodeEvent =
  /** The leader changed as this member knows it, or its token did. */
  | {
      readonly type: 'leader';
      readonly leader: number | null;
      readonly leads: boolean;
      readonly token: number | null;
      readonly term: number;
    }
  /** What the algorithm, its epochs and the failure detector did. */
  | {
      readonly type: 'member';
      readonly event: Exclude<MemberEvent, { type: 'stopped' }>;
      readonly repeats?: number;
    }
  /** `repeats` refusals like this one, of the same peer for the same reason, were left out before it. */
  | { readonly type: 'wire'; readonly event: WireEvent; readonly repeats?: number }
  /** A majority has removed this member: it ends. */
  | { readonly type: 'removed'; readonly version: number }
  | { readonly type: 'warning'; readonly text: string }
  /** It takes no part any more. */
  | { readonly type: 'stopped'; readonly error: Error };
