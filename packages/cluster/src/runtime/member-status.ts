/** What a member reports: events as they happen, and a snapshot of its state. */
import type { Role } from '@hustings/study/kernel';
import type { Epoch } from '../view/clique.ts';

/** Something that happened at a member. */
export type MemberEvent =
  | {
      /** The leader changed, as this member knows it. `leader` is null if none is known, or if nodes are anonymous. */
      readonly type: 'leader';
      readonly role: Role | null;
      readonly leader: number | null;
      /** The epoch number; in a run without epochs the term of the algorithm. */
      readonly term: number;
    }
  /** Null: the member is in no epoch. */
  | { readonly type: 'epoch'; readonly epoch: Epoch | null }
  /** It uses another member list. */
  | { readonly type: 'members'; readonly version: number; readonly members: readonly number[] }
  /** It is not in the list, which a majority has stored. */
  | { readonly type: 'removed'; readonly version: number }
  | { readonly type: 'suspicion'; readonly peer: number; readonly suspected: boolean }
  /** A frame that this member does not accept. */
  | { readonly type: 'refused'; readonly from: number; readonly reason: string }
  /** The link to a peer was reset, and these messages may be lost. */
  | { readonly type: 'reset'; readonly peer: number; readonly messages: number }
  /** A handler of the algorithm threw, and its event had no effect; or it cannot run between the members of the epoch. */
  | { readonly type: 'handler-failed'; readonly error: unknown }
  /** The member has stopped by itself and sends nothing any more. */
  | { readonly type: 'stopped'; readonly reason: string; readonly error: unknown };

/**
 * starting: not open yet; running: it takes part; outside: it waits for an epoch that contains it; no overlay: the given edges
 * do not connect the members of its epoch, or the algorithm cannot run between them; unrecorded: it waits until a majority of the
 * others has recorded its folder; recovering: it waits until the others have told it what it has forgotten; joining: it waits to be
 * added to the list;
 * removed: it is not in the list any more, and waits until a majority has stored it; stopped: it takes no part any more.
 */
export type MemberState =
  | 'starting'
  | 'running'
  | 'outside'
  | 'no overlay'
  | 'unrecorded'
  | 'recovering'
  | 'joining'
  | 'removed'
  | 'stopped';

/** Counts since the member was opened. */
export interface MemberCounts {
  /** Messages of the algorithm by type, without those to the member itself. */
  readonly sent: Readonly<Record<string, number>>;
  readonly received: number;
  /** Messages of an epoch that this member is not in. */
  readonly stale: number;
  /** Frames that are not valid. */
  readonly refused: number;
  /** Notices that a message was not delivered. */
  readonly undelivered: number;
  readonly resets: number;
  readonly suspicions: number;
  /** Times that the proof of its lead ran out, because a majority did not answer in time, or this process did not run. */
  readonly lapses: number;
}

/** A snapshot of a member. */
export interface MemberStatus {
  readonly id: number;
  readonly state: MemberState;
  /** Why it stopped. */
  readonly reason: string | null;
  readonly algorithm: string;
  readonly members: readonly number[];
  readonly role: Role | null;
  readonly leader: number | null;
  /** The epoch number; in a run without epochs the term of the algorithm. */
  readonly term: number;
  /**
   * Until when this member leads, by its monotonic clock, if nobody answers any more; null if it does not lead, or if nothing
   * proves it.
   */
  readonly leadsUntilMs: number | null;
  /** How long a leader leads after the sending of what a majority has granted; null if nothing proves that it leads alone. */
  readonly leaseMs: number | null;
  readonly epoch: Epoch | null;
  /** The members that it hears. */
  readonly hears: readonly number[];
  readonly counts: MemberCounts;
}
