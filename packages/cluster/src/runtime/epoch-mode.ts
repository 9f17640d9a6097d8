/**
 * A run for each epoch, for algorithms that assume no crashes: a new machine over the overlay of the members of the epoch, all
 * of whom start. A new epoch discards everything of the old one; see view/epoch-view.ts.
 *
 * A message of an epoch that this member may enter later waits for it; all other messages of another epoch are stale, and
 * dropped.
 */

import type { Setup } from '@hustings/study/driver';
import { InputError } from '@hustings/study/kernel';
import type { SuspicionChange } from '../detector/peer-detector.ts';
import { checkFirst } from '../gate/term-increment-limiter.ts';
import type { Frame } from '../transport.ts';
import { type Epoch, isSameEpoch, type MemberView } from '../view/clique.ts';
import { EpochView } from '../view/epoch-view.ts';
import { overlaySetup } from '../view/overlay.ts';
import { LARGEST_EPOCH, parseView } from '../view/parse-view.ts';
import { SentViews } from '../view/sent-views.ts';
import type { MemberRecord } from './durable-outbox.ts';
import type { ElectionMode, MessageFrame, ModeHost } from './election-mode.ts';
import type { ElectionRun, HandlerEffects, SentMessage } from './election-run.ts';

/** Messages of one member that wait for their epoch. */
const MAX_WAITING = 1_000;
/** In JSON: what a member says is only checked when the epoch is there. */
const MAX_WAITING_BYTES = 1_000_000;
/** The time in heartbeats for which a change of the view waits for others, with which it is sent and judged together. */
const GATHERING = 1 / 10;

interface ReceivedMessage {
  readonly from: number;
  readonly frame: MessageFrame;
  readonly cause: string;
}

interface WaitingMessage extends ReceivedMessage {
  readonly bytes: number;
}

export class EpochMode implements ElectionMode {
  run: ElectionRun | null = null;
  epoch: Epoch | null = null;
  readonly term = null;
  readonly proof = null;
  readonly promiseMs = 0;
  private readonly host: ModeHost;
  private view: EpochView;
  private sentViews = new SentViews();
  private entered = 0;
  private waiting: WaitingMessage[] = [];
  private wake: { readonly atMs: number; readonly cancel: () => void } | null = null;

  constructor(host: ModeHost) {
    this.host = host;
    this.view = this.createView();
  }

  record(): MemberRecord {
    return { algorithm: this.host.options.algorithm.name, entered: this.entered, durable: {} };
  }

  firstRecord(term: number): MemberRecord | null {
    if (term === 0) return null;
    checkFirst(term, LARGEST_EPOCH, this.host.options.algorithm.name);
    return this.recordIn(term);
  }

  refuses(): boolean {
    return false;
  }

  recordIn(term: number): MemberRecord {
    return { ...this.record(), entered: term };
  }

  open(saved: MemberRecord | null): void {
    this.entered = saved?.entered ?? 0;
    this.view = this.createView();
    this.sentViews = new SentViews();
    this.host.setState('outside');
    this.poll();
  }

  onMessage(from: number, frame: MessageFrame, cause: string): void {
    const { epoch, proposer } = frame;
    const reason = this.host.limit.refusal(this.view.own.seen, epoch);
    const isNewer =
      epoch > this.entered ||
      (epoch === this.entered && this.epoch !== null && proposer > this.epoch.proposer);
    if (reason !== null) this.host.refuse(from, reason);
    else if (this.epoch !== null && this.epoch.number === epoch && this.epoch.proposer === proposer) {
      this.deliver(this.epoch, { from, frame, cause });
    } else if (!isNewer || !this.keeps({ from, frame, cause })) this.host.countStale();
  }

  onView(from: number, frame: Frame): void {
    const view = parseView(frame.view as MemberView, this.host.members);
    if (view === null) {
      this.host.refuse(from, 'its view is not valid');
      return;
    }
    const named = Math.max(view.seen, view.epoch?.number ?? 0);
    const reason = this.host.limit.refusal(this.view.own.seen, named);
    this.host.refuse(from, reason);
    if (reason !== null) return;
    this.view.receive(from, view);
    this.update();
  }

  onReset(peer: number): void {
    // What was lost may be part of the election.
    if (this.epoch?.members.includes(peer)) this.view.abandon();
    this.sentViews.forget(peer);
    this.tell();
  }

  onSuspicion(_change: SuspicionChange): void {
    this.onHears();
  }

  onHears(): void {
    this.view.setHears(this.host.hears());
    this.update();
  }

  poll(): void {
    const { clock } = this.host.options;
    const dueMs = this.view.poll(clock.now());
    this.tell();
    if (dueMs !== null) this.pollWithin(dueMs - clock.now());
  }

  onStep(): void {}

  afterHandler({ decision }: HandlerEffects, local: readonly SentMessage[]): void {
    const { run } = this;
    for (const { message, port } of local)
      this.host.options.clock.after(0, () => run?.deliver(run.at, port, message));
    if (decision !== null) this.host.noteResult(decision);
  }

  /** The members of the epoch elect again in a new one. */
  restart(): void {
    this.view.abandon();
    this.tell();
  }

  close(): void {
    this.wake?.cancel();
    this.run?.close();
  }

  private createView(): EpochView {
    const { detector, epochPauseMs, self } = this.host.options;
    const { heartbeatMs } = detector;
    const pauseMs = epochPauseMs ?? Math.min(4 * heartbeatMs, Math.max(400, heartbeatMs));
    return new EpochView({
      self,
      members: this.host.members,
      entered: this.entered,
      pauseMs,
      maxPauseMs: 16 * pauseMs,
    });
  }

  /**
   * A new epoch is told at once. While many members start, the views of all change with each of them, so other changes are
   * gathered for a moment.
   */
  private update(): void {
    if (isSameEpoch(this.view.current, this.epoch)) {
      this.pollWithin(GATHERING * this.host.options.detector.heartbeatMs);
    } else this.tell();
  }

  private pollWithin(delayMs: number): void {
    const { clock } = this.host.options;
    // At least one, because of what a clock rounds.
    const waitMs = Math.max(1, delayMs);
    const atMs = clock.now() + waitMs;
    if (this.wake !== null && this.wake.atMs <= atMs) return;
    this.wake?.cancel();
    const cancel = clock.after(waitMs, () => {
      this.wake = null;
      this.poll();
    });
    this.wake = { atMs, cancel };
  }

  /** Tells the view to the peers that it concerns, then begins the run of an epoch that is new. */
  private tell(): void {
    const { current, own } = this.view;
    const { members, options } = this.host;
    const isNew = !isSameEpoch(current, this.epoch);
    if (current !== null) this.entered = current.number;
    const peers = this.sentViews.peersToSend(
      members.filter((id) => id !== options.self),
      own,
    );
    const frame: Frame = { type: 'epoch', view: own };
    if (isNew || peers.length > 0) this.host.sendAll(peers.map((to) => ({ to, frame })));
    if (isNew) this.enter(current);
  }

  private enter(epoch: Epoch | null): void {
    this.run?.close();
    this.run = null;
    // The status must never show the leader of the old epoch in the new one.
    this.host.noteResult(null);
    this.epoch = epoch;
    this.host.noteEpoch(epoch);
    if (epoch === null) {
      this.host.setState('outside');
      return;
    }
    const setup = this.setupOf(epoch);
    if (setup === null) {
      this.host.setState('no overlay');
      return;
    }
    this.host.setState('running');
    this.run = this.host.createRun(setup, epoch.members.indexOf(this.host.options.self), epoch);
    this.run.start();
    const waiting = this.waiting;
    this.waiting = [];
    for (const one of waiting) this.onMessage(one.from, one.frame, one.cause);
  }

  /** Null if the algorithm cannot run between these members. One that cannot is no reason to end: the next epoch may have others. */
  private setupOf({ members }: Epoch): Setup | null {
    const { algorithm, edges, set } = this.host.options;
    try {
      return overlaySetup(algorithm, members, set ?? {}, edges ?? null);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.host.noteFailure(error);
      return null;
    }
  }

  /** False if there is no room. */
  private keeps(message: ReceivedMessage): boolean {
    const bytes = JSON.stringify(message.frame.body).length;
    const others = this.waiting.filter(({ from }) => from === message.from);
    const sum = others.reduce((total, one) => total + one.bytes, bytes);
    if (others.length >= MAX_WAITING || sum > MAX_WAITING_BYTES) return false;
    this.waiting.push({ ...message, bytes });
    return true;
  }

  private deliver({ members }: Epoch, { cause, frame, from }: ReceivedMessage): void {
    this.host.refuse(from, this.run?.deliver(members.indexOf(from), frame.port, frame.body, cause) ?? null);
  }
}
