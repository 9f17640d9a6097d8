/**
 * One member of a cluster: drives one position of an algorithm between real processes.
 *
 * Guarantees: durable fields that have changed are on disk before any message, decision or record that depends on them
 * leaves. Messages leave in the order in which they were sent. A message from another member reaches a handler only if the
 * declarations of the algorithm allow it; others are dropped, counted and reported. A member whose state cannot be saved
 * stops, and sends nothing any more.
 * Does not guarantee one leader in a network that is cut, unless the algorithm does: see the quorum gate.
 */

import { oneLine } from '@hustings/base';
import type { Decision, Setup } from '@hustings/study/driver';
import { PeerDetector } from '../detector/peer-detector.ts';
import { detectorLimits } from '../detector/phi-accrual.ts';
import { frameProblem } from '../frame-fields.ts';
import type { TermIncrementLimiter } from '../gate/term-increment-limiter.ts';
import type { MemberChange } from '../membership/list-change.ts';
import type { ListRecord } from '../membership/list-record.ts';
import type { Frame, TransportEvents } from '../transport.ts';
import type { Epoch } from '../view/clique.ts';
import { isEndless } from '../view/overlay.ts';
import { beginLine } from './begin-line.ts';
import type { MemberRecord } from './durable-outbox.ts';
import type { ElectionMode, MessageFrame, ModeHost } from './election-mode.ts';
import { ElectionRun, type HandlerEffects } from './election-run.ts';
import { EndlessMode } from './endless-mode.ts';
import { EpochMode } from './epoch-mode.ts';
import { leadClock } from './lead-clock.ts';
import { loadRecord } from './load-record.ts';
import { MemberLists, type NextRun } from './member-lists.ts';
import { checkMember, type MemberOptions } from './member-options.ts';
import { MemberOutput } from './member-output.ts';
import type { MemberEvent, MemberState, MemberStatus } from './member-status.ts';
import { statusOf } from './status-of.ts';

const RANDOM_PARTS = 1 << 20;

/** One member of a cluster. */
export class MemberRuntime {
  private readonly options: MemberOptions;
  /** The list of this member, and its term and vote. */
  readonly lists: MemberLists;
  private readonly detector: PeerDetector;
  private readonly output: MemberOutput;
  private mode: ElectionMode;
  private readonly counts = {
    ...{ received: 0, stale: 0, refused: 0, undelivered: 0, resets: 0, suspicions: 0 },
    lapses: 0,
  };
  private state: MemberState = 'starting';
  private reason: string | null = null;
  private reported = '';
  private readonly early: (() => void)[] = [];
  /** What the present run has decided, as far as it is on disk. */
  private result: Decision | null = null;
  private cancelPoll: () => void = () => undefined;
  /** The clock by which this member leads. */
  private readonly leadMs: () => number;

  constructor(options: MemberOptions) {
    checkMember(options);
    const { clock, detector } = options;
    this.leadMs = leadClock(
      () => clock.now(),
      () => clock.wallMs(),
    );
    this.options = options;
    this.lists = this.createLists();
    this.detector = new PeerDetector(detectorLimits(detector), this.lists.peers, clock.now());
    this.output = new MemberOutput(options, {
      record: () => this.lists.saved,
      canReach: (id) => this.lists.canReach(id),
      onFailure: (error) => this.stop('its state could not be saved', error),
    });
    this.mode = this.createMode();
  }

  /** Loads the state, opens the transport and takes part. Rejects if either fails. */
  async open(): Promise<void> {
    const { firstTerm = 0, trace, transport } = this.options;
    const first = (): MemberRecord | null => this.mode.firstRecord(firstTerm);
    const { record: before, unrecorded } = await loadRecord(this.options, first);
    if (before !== null) this.output.noteSaved(before);
    const saved = this.lists.raised(before);
    const { isOutside, isRecovering } = this.lists;
    if (!isOutside && !isRecovering) {
      trace?.write(beginLine(this.host(), saved?.durable ?? null, unrecorded));
      this.lists.hasForgotten = false;
    }
    await transport.open(this.transportEvents());
    // Closed while it opened.
    if (this.state !== 'starting') return;
    if (isOutside) this.lists.wait(saved);
    else this.lists.begin(saved, this.nextRun(saved));
    for (const event of this.early.splice(0)) event();
    this.poll();
  }

  /** Stops leading, as if the process had stopped and started again. The others may elect. */
  restart(): void {
    if (this.state !== 'starting' && this.state !== 'stopped') this.mode.restart();
  }

  /** Proposes another member list; throws if this member cannot. */
  changeMembers(change: MemberChange): ListRecord {
    return this.lists.change(change);
  }

  /** The member list that this member uses, where the leader can change it. */
  get list(): ListRecord | null {
    return this.lists.record;
  }

  /** Leaves: no handler runs and nothing is sent any more. */
  async close(): Promise<void> {
    if (this.state !== 'stopped') this.halt(null);
    await this.options.transport.close();
  }

  /** A snapshot of this member. */
  get status(): MemberStatus {
    const { counts, detector, leadMs, lists, mode, options, output, reason, result, state } = this;
    const { sent } = output;
    return statusOf({
      counts: { ...counts, sent },
      detector,
      leadMs,
      lists,
      mode,
      options,
      reason,
      result,
      state,
    });
  }

  /** The state of the algorithm at this member, for inspection. */
  get fields(): Readonly<Record<string, unknown>> | null {
    return this.mode.run?.fields ?? null;
  }

  private transportEvents(): TransportEvents {
    return {
      onFrame: (from, frame) => this.whenOpen(() => this.receive(from, frame)),
      onSignOfLife: (from) => {
        if (this.state === 'stopped') return;
        const wasKnown = this.detector.hasReceivedFrom(from);
        const change = this.detector.hear(from, this.options.clock.now());
        if (change !== null) this.noteSuspicion(change);
        else if (!wasKnown) this.whenOpen(() => this.mode.onHears());
      },
      onReset: (peer, lost) => this.whenOpen(() => this.noteReset(peer, lost)),
    };
  }

  /** A transport may deliver before its `open` has resolved. It delivers once, so nothing may be dropped. */
  private whenOpen(event: () => void): void {
    if (this.state === 'starting') this.early.push(event);
    else if (this.state !== 'stopped') event();
  }

  private noteReset(peer: number, lost: readonly Frame[]): void {
    const messages = lost.filter(({ type }) => type === 'message').length;
    this.counts.resets++;
    this.counts.undelivered += messages;
    this.report({ type: 'reset', peer, messages });
    this.mode.onReset(peer, lost);
    this.lists.noteReset(peer);
  }

  private receive(from: number, frame: Frame): void {
    const { onSupport, self } = this.options;
    const problem = frameProblem(frame);
    if (problem !== null) this.refuse(from, problem);
    else if (frame.type === 'members') this.refuse(from, this.lists.receive(from, frame));
    else if (!this.lists.peers.includes(from) || from === self) {
      if (this.lists.noteOther(from)) this.counts.stale++;
      else this.refuse(from, 'it is not a member');
    } else if (frame.type === 'epoch') this.mode.onView(from, frame);
    else if (frame.type === 'message') this.receiveMessage(from, frame);
    else if (frame.type === 'support' && onSupport !== undefined) this.refuse(from, onSupport(from, frame));
    else this.refuse(from, `frames of type '${frame.type}' are not expected`);
  }

  private receiveMessage(from: number, frame: Frame): void {
    this.counts.received++;
    if (this.lists.isWaiting) {
      this.counts.stale++;
      this.lists.noteOther(from);
      return;
    }
    this.output.mergeClock(frame.clock, this.lists.ids);
    this.mode.onMessage(from, frame as MessageFrame, frame.key as string);
  }

  private poll(): void {
    if (this.status.state === 'stopped') return;
    this.cancelPoll = this.options.clock.after(this.detector.pollMs, () => {
      for (const change of this.detector.poll(this.options.clock.now())) this.noteSuspicion(change);
      this.mode.poll();
      this.lists.tick();
      this.poll();
    });
  }

  private noteSuspicion(change: { readonly peer: number; readonly suspected: boolean }): void {
    if (change.suspected) this.counts.suspicions++;
    this.report({ type: 'suspicion', ...change });
    this.mode.onSuspicion(change);
  }

  private host(): ModeHost {
    return {
      options: this.options,
      members: this.lists.ids,
      list: this.lists.name,
      stamp: this.lists.stamp,
      unitMs: this.lists.unitMs,
      limit: this.lists.limit,
      hasForgotten: this.lists.hasForgotten,
      suspects: (peer) => this.detector.suspects(peer),
      hears: () => this.detector.hears(),
      leadMs: this.leadMs,
      jitter: () => (this.options.draw(RANDOM_PARTS) - 1) / RANDOM_PARTS,
      sendAll: (frames) => this.output.send(frames),
      createRun: (setup, at, epoch, limit) => this.createRun(setup, at, epoch, limit),
      refuse: (from, reason) => this.refuse(from, reason),
      countStale: () => {
        this.counts.stale++;
      },
      noteOtherList: (from) => {
        this.lists.noteOther(from);
      },
      noteEpoch: (epoch) => {
        this.report({ type: 'epoch', epoch });
        if (epoch !== null) this.output.write({ type: 'epoch', ...epoch });
      },
      noteFailure: (error) => this.report({ type: 'handler-failed', error }),
      noteRestart: (durable) => this.output.writeRestart(this.host(), durable),
      noteResult: (decision) => {
        this.result = decision;
        this.reportResult();
      },
      noteTime: () => this.reportResult(),
      setState: (state) => {
        if (this.state !== 'stopped') this.state = state;
      },
    };
  }

  private createRun(
    setup: Setup,
    at: number,
    epoch: Epoch | null,
    limit?: TermIncrementLimiter,
  ): ElectionRun {
    const { clock, draw } = this.options;
    const run: ElectionRun = new ElectionRun({
      ...{ setup, at, clock, limit, draw, leadMs: this.leadMs },
      unitMs: this.lists.unitMs,
      onEffects: (effects, cause) => this.noteEffects(run, epoch, effects, cause),
      onFailure: (error) => this.report({ type: 'handler-failed', error }),
    });
    return run;
  }

  private noteEffects(run: ElectionRun, epoch: Epoch | null, effects: HandlerEffects, cause?: string): void {
    if (run === this.mode.run) {
      if (this.mode.refuses(effects)) {
        this.mode.restart();
        return;
      }
      this.mode.onStep(effects);
    }
    this.output.sendEffects(run, epoch, effects, cause, (local) => {
      if (run === this.mode.run) this.mode.afterHandler(effects, local);
    });
  }

  /** Null: it is not refused. */
  private refuse(from: number, reason: string | null): void {
    if (reason === null) return;
    this.counts.refused++;
    this.report({ type: 'refused', from, reason: oneLine(reason) });
  }

  private reportResult(): void {
    const { leader, role, term } = this.status;
    const text = role === null ? '' : `${role} ${leader} ${term}`;
    if (text === this.reported) return;
    // Elected still, without a proof.
    if (this.reported.startsWith('leader') && role === null && this.result?.role === 'leader')
      this.counts.lapses++;
    this.reported = text;
    this.report({ type: 'leader', role, leader, term });
  }

  private report(event: MemberEvent): void {
    this.options.onEvent?.(event);
  }

  private stop(reason: string, error: unknown): void {
    this.halt(reason);
    this.report({ type: 'stopped', reason, error });
    void this.options.transport.close();
  }

  private halt(reason: string | null): void {
    this.state = 'stopped';
    this.reason = reason;
    this.cancelPoll();
    this.lists.close();
    this.mode.close();
    this.output.close();
  }

  private createMode(): ElectionMode {
    const host = this.host();
    return isEndless(this.options.algorithm) ? new EndlessMode(host) : new EpochMode(host);
  }

  private nextRun(saved: MemberRecord | null): NextRun {
    const { mode } = this;
    const begin = (): void => {
      if (this.state !== 'stopped') mode.open(saved);
    };
    return { promiseMs: mode.promiseMs, begin };
  }

  private createLists(): MemberLists {
    const runtime = this;
    return new MemberLists(this.options, {
      get running() {
        return runtime.mode;
      },
      leads: () => this.status.role === 'leader',
      hears: (id) => this.detector.hears().includes(id),
      send: (to, frame) => this.output.send([{ to, frame }]),
      end: () => {
        this.mode.close();
        this.result = null;
        this.reportResult();
      },
      replace: (saved) => {
        this.detector.usePeers(this.lists.peers, this.options.clock.now());
        this.mode = this.createMode();
        this.output.writeRestart(this.host(), saved?.durable ?? null);
        return this.nextRun(saved);
      },
      setState: (state) => {
        if (this.state !== 'stopped') this.state = state;
      },
      report: (event) => this.report(event),
      stop: (reason, error) => this.stop(reason, error),
    });
  }
}
