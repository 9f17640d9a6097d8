/** The two ways to run an algorithm: one endless run, or a run for each epoch. What the runtime and a mode need of each other. */
import type { Decision, Setup } from '@hustings/study/driver';
import type { SuspicionChange } from '../detector/peer-detector.ts';
import type { TermIncrementLimiter } from '../gate/term-increment-limiter.ts';
import type { Frame } from '../transport.ts';
import type { Epoch } from '../view/clique.ts';
import type { MemberRecord } from './durable-outbox.ts';
import type { ElectionRun, HandlerEffects, SentMessage } from './election-run.ts';
import type { LeadProof } from './lead-proof.ts';
import type { MemberOptions } from './member-options.ts';
import type { MemberState } from './member-status.ts';

/** A message of the algorithm on its way to another member. */
export interface MessageFrame extends Frame {
  readonly type: 'message';
  /** The number and the proposer of the epoch; in an endless run those of the list, 0 if it cannot be changed. */
  readonly epoch: number;
  readonly proposer: number;
  /** The port of the receiver. */
  readonly port: unknown;
  readonly body: unknown;
}

/** A frame and the id of its receiver. */
export interface AddressedFrame {
  readonly to: number;
  readonly frame: Frame;
}

/** What a mode may do. */
export interface ModeHost {
  readonly options: MemberOptions;
  /** Ids ascending: the positions of an endless run. */
  readonly members: readonly number[];
  /** The name of the member list, where the leader can change it; otherwise null. */
  readonly list: Epoch | null;
  /** The term of the leader that last stored it; 0 if none has. */
  readonly stamp: number;
  /** One unit of the algorithm's timers. */
  readonly unitMs: number;
  /** How far others may raise the term or the epoch. */
  readonly limit: TermIncrementLimiter;
  suspects(peer: number): boolean;
  /** The members that this one hears. */
  hears(): number[];
  /** The clock by which this member leads. */
  leadMs(): number;
  /** A random number from 0 to less than 1, for waiting times. */
  jitter(): number;
  /** Frames for peers, after the record of the mode is on disk. */
  sendAll(frames: readonly AddressedFrame[]): void;
  /** A run of which `epoch` is the name; its effects leave through the host. `limit` is that of its terms. */
  createRun(setup: Setup, at: number, epoch: Epoch | null, limit?: TermIncrementLimiter): ElectionRun;
  /** Null: it is not refused. */
  refuse(from: number, reason: string | null): void;
  countStale(): void;
  /** A message of another list came from this member. */
  noteOtherList(from: number): void;
  noteEpoch(epoch: Epoch | null): void;
  /** The algorithm cannot run between the members of the epoch. */
  noteFailure(error: unknown): void;
  /** The algorithm starts again at this member with these durable fields. */
  noteRestart(durable: Readonly<Record<string, unknown>>): void;
  /** Whether the fields of a process before this one count no more. */
  readonly hasForgotten: boolean;
  /** Whom this member follows now: what the present run has decided, or where the algorithm says that it stands. */
  noteResult(decision: Decision | null): void;
  /** A proof may have lapsed. */
  noteTime(): void;
  setState(state: MemberState): void;
}

/** One way to run an algorithm. */
export interface ElectionMode {
  /** The present run. */
  readonly run: ElectionRun | null;
  readonly epoch: Epoch | null;
  /** The term of the algorithm, where it tells; otherwise null. */
  readonly term: number | null;
  /** What proves that this member leads; null if nothing does. */
  readonly proof: LeadProof | null;
  /** How long a member keeps the promises on which a proof rests; 0 if there is no proof. */
  readonly promiseMs: number;
  /** What must be on disk now. */
  record(): MemberRecord;
  /** That of a member that has never run, above the terms up to `term`; null if it begins without one. Throws if it cannot. */
  firstRecord(term: number): MemberRecord | null;
  /** That of a member that begins this term, and has done nothing in it but this vote. */
  recordIn(term: number, vote?: number): MemberRecord;
  open(saved: MemberRecord | null): void;
  onMessage(from: number, frame: MessageFrame, cause: string): void;
  onView(from: number, frame: Frame): void;
  onReset(peer: number, lost: readonly Frame[]): void;
  onSuspicion(change: SuspicionChange): void;
  /** A peer was heard for the first time. */
  onHears(): void;
  /** Called once in half a heartbeat. */
  poll(): void;
  /** Whether a handler of the run must have no effect; then the run restarts. */
  refuses(effects: HandlerEffects): boolean;
  /** A handler of the run has ended; its effects are not on disk yet. */
  onStep(effects: HandlerEffects): void;
  /** The effects of a handler of the run are on disk and sent. `local` are the messages for no other member. */
  afterHandler(effects: HandlerEffects, local: readonly SentMessage[]): void;
  /** This member stops leading, as if its process had stopped and started again. */
  restart(): void;
  close(): void;
}
