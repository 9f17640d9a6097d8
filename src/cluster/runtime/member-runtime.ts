/**
 * One member of a cluster: drives one position of an algorithm between real processes.
 *
 * Guarantees: durable fields that have changed are on disk before any message, decision or record that depends on them
 * leaves. Messages leave in the order in which they were sent. A message from another member reaches a handler only if the
 * declarations of the algorithm allow it; others are dropped, counted and reported. A member whose state cannot be saved
 * stops, and sends nothing any more.
 * Does not guarantee one leader in a network that is cut, unless the algorithm does: see the quorum gate.
 */
import type { Decision } from '../../kernel/decisions.ts';
import { HustingsError } from '../../kernel/errors.ts';
import type { Setup } from '../../kernel/setup.ts';
import { PeerDetector } from '../detector/peer-detector.ts';
import { detectorLimits } from '../detector/phi-accrual.ts';
import { mergeClocks, parseClock, type TraceLine, type VectorClock } from '../record/trace-line.ts';
import type { Frame, TransportEvents } from '../transport.ts';
import type { Epoch } from '../view/clique.ts';
import { isEndless } from '../view/overlay.ts';
import { DurableOutbox, type MemberRecord } from './durable-outbox.ts';
import type { AddressedFrame, ElectionMode, MessageFrame, ModeHost } from './election-mode.ts';
import { ElectionRun, type HandlerEffects } from './election-run.ts';
import { EndlessMode } from './endless-mode.ts';
import { EpochMode } from './epoch-mode.ts';
import { handlerOutput } from './handler-output.ts';
import { leadClock } from './lead-clock.ts';
import { checkMember, type MemberOptions } from './member-options.ts';
import type { MemberEvent, MemberState, MemberStatus } from './member-status.ts';

/** What waits for the disk: the effects of a handler, or frames. */
interface HeldItem {
  readonly line: TraceLine | null;
  readonly frames: readonly AddressedFrame[];
  readonly after: (() => void) | null;
}

const RANDOM_PARTS = 1 << 20;

const OTHER_FRAMES: readonly Frame['type'][] = ['support', 'members'];

/** One member of a cluster. */
export class MemberRuntime {
  private readonly options: MemberOptions;
  private readonly members: readonly number[];
  private readonly detector: PeerDetector;
  private readonly outbox: DurableOutbox<HeldItem>;
  private readonly mode: ElectionMode;
  private readonly sent: Record<string, number> = {};
  private readonly counts = { received: 0, stale: 0, refused: 0, undelivered: 0, resets: 0, suspicions: 0 };
  private state: MemberState = 'starting';
  private reason: string | null = null;
  /** The record that was saved last, or is being saved. */
  private savedText = '';
  private reported = '';
  private vector: VectorClock = {};
  private messages = 0;
  private readonly early: (() => void)[] = [];
  /** What the present run has decided, as far as it is on disk. */
  private result: Decision | null = null;
  private cancelPoll: () => void = () => undefined;
  /** The clock by which this member leads. */
  private readonly leadMs: () => number;

  constructor(options: MemberOptions) {
    checkMember(options);
    const { clock, detector, self, store } = options;
    this.leadMs = leadClock(
      () => clock.now(),
      () => clock.wallMs(),
    );
    this.options = options;
    this.members = options.members.toSorted((a, b) => a - b);
    const peers = this.members.filter((id) => id !== self);
    this.detector = new PeerDetector(detectorLimits(detector), peers, clock.now());
    this.outbox = new DurableOutbox(
      store,
      (item) => this.release(item),
      (error) => this.stop('its state could not be saved', error),
    );
    const host = this.host();
    this.mode = isEndless(options.algorithm) ? new EndlessMode(host) : new EpochMode(host);
  }

  /** Loads the state, opens the transport and takes part. Rejects if either fails. */
  async open(): Promise<void> {
    const { algorithm, firstTerm = 0, self, store, trace, transport } = this.options;
    const saved = (await store.load()) ?? (firstTerm > 0 ? this.mode.firstRecord(firstTerm) : null);
    if (saved !== null && saved.algorithm !== algorithm.name) {
      throw new HustingsError(
        `the saved state of member ${self} is that of algorithm ${saved.algorithm}, not ${algorithm.name}: use another state file`,
        { code: 'HUSTINGS_CLUSTER_STATE' },
      );
    }
    if (saved !== null) this.savedText = JSON.stringify(saved);
    trace?.write(this.beginLine(saved?.durable ?? null));
    await transport.open(this.transportEvents());
    // Closed while it opened.
    if (this.state !== 'starting') return;
    this.mode.open(saved);
    for (const event of this.early.splice(0)) event();
    this.poll();
  }

  /** Stops leading, as if the process had stopped and started again. The others may elect. */
  restart(): void {
    if (this.state !== 'starting' && this.state !== 'stopped') this.mode.restart();
  }

  /** Leaves: no handler runs and nothing is sent any more. */
  async close(): Promise<void> {
    if (this.state !== 'stopped') this.halt(null);
    await this.options.transport.close();
  }

  /** A snapshot of this member. */
  get status(): MemberStatus {
    const { algorithm, clock, self } = this.options;
    const { epoch, proof, term } = this.mode;
    const claimed = this.state === 'running' ? this.result : null;
    // Read first: the time between the two readings is not added to the lead.
    const nowMs = clock.now();
    const leadMs = this.leadMs();
    const leftMs = claimed?.role !== 'leader' || proof === null ? null : proof.untilMs(leadMs) - leadMs;
    const decision = leftMs === null || leftMs > 0 ? claimed : null;
    return {
      id: self,
      state: this.state,
      reason: this.reason,
      algorithm: algorithm.name,
      members: this.members,
      role: decision?.role ?? null,
      leader: decision?.leader ?? null,
      term: epoch?.number ?? term ?? decision?.term ?? 0,
      leadsUntilMs: leftMs === null || decision === null ? null : nowMs + leftMs,
      leaseMs: proof?.leaseMs ?? null,
      epoch,
      hears: this.detector.hears(),
      counts: { ...this.counts, sent: { ...this.sent } },
    };
  }

  /** The state of the algorithm at this member, for inspection. */
  get fields(): Readonly<Record<string, unknown>> | null {
    return this.mode.run?.fields ?? null;
  }

  private beginLine(durable: Readonly<Record<string, unknown>> | null): TraceLine {
    const {
      algorithm,
      cluster,
      edges = null,
      incarnation,
      self: id,
      set: params = {},
      unitMs,
    } = this.options;
    const setup = { algorithm: algorithm.name, params, members: this.members, edges, unitMs };
    return { type: 'begin', cluster, id, incarnation, ...setup, recovered: durable !== null, durable };
  }

  private transportEvents(): TransportEvents {
    return {
      onFrame: (from, frame) => this.whenOpen(() => this.receive(from, frame)),
      onSignOfLife: (from) => {
        if (this.state === 'stopped') return;
        const wasHeard = this.detector.hasHeard(from);
        const change = this.detector.hear(from, this.options.clock.now());
        if (change !== null) this.noteSuspicion(change);
        else if (!wasHeard) this.whenOpen(() => this.mode.onHears());
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
  }

  private receive(from: number, frame: Frame): void {
    if (!this.members.includes(from) || from === this.options.self) this.refuse(from, 'it is not a member');
    else if (frame.type === 'epoch') this.mode.onView(from, frame);
    else if (frame.type === 'message') this.receiveMessage(from, frame);
    else if (OTHER_FRAMES.includes(frame.type) && this.options.onOtherFrame !== undefined)
      this.options.onOtherFrame(from, frame);
    else this.refuse(from, `frames of type '${String(frame.type)}' are not expected`);
  }

  private receiveMessage(from: number, frame: Frame): void {
    const { epoch, key, proposer } = frame;
    if (!Number.isSafeInteger(epoch) || !Number.isSafeInteger(proposer)) {
      this.refuse(from, 'a message must name its epoch');
      return;
    }
    this.counts.received++;
    if (this.options.trace !== undefined) {
      const { self } = this.options;
      const merged = mergeClocks(this.vector, parseClock(frame.clock, this.members));
      // A peer may still count the steps of an earlier incarnation.
      this.vector = { ...merged, [self]: this.vector[self] ?? 0 };
    }
    this.mode.onMessage(from, frame as MessageFrame, String(key));
  }

  private poll(): void {
    if (this.status.state === 'stopped') return;
    this.cancelPoll = this.options.clock.after(this.detector.pollMs, () => {
      for (const change of this.detector.poll(this.options.clock.now())) this.noteSuspicion(change);
      this.mode.poll();
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
      members: this.members,
      suspects: (peer) => this.detector.suspects(peer),
      hears: () => this.detector.hears(),
      leadMs: this.leadMs,
      jitter: () => (this.options.draw(RANDOM_PARTS) - 1) / RANDOM_PARTS,
      sendAll: (frames) => this.hold({ line: null, frames, after: null }),
      createRun: (setup, at, epoch) => this.createRun(setup, at, epoch),
      refuse: (from, reason) => this.refuse(from, reason),
      countStale: () => {
        this.counts.stale++;
      },
      noteEpoch: (epoch) => {
        this.report({ type: 'epoch', epoch });
        if (epoch !== null) this.hold({ line: { type: 'epoch', ...epoch }, frames: [], after: null });
      },
      noteRestart: (durable) => {
        const { self, trace } = this.options;
        // A recording counts the steps of each start.
        this.vector = { ...this.vector, [self]: 0 };
        const line = trace === undefined ? null : this.beginLine(durable);
        this.hold({ line, frames: [], after: null });
      },
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

  private createRun(setup: Setup, at: number, epoch: Epoch | null): ElectionRun {
    const { clock, draw, unitMs } = this.options;
    const run: ElectionRun = new ElectionRun({
      setup,
      at,
      unitMs,
      clock,
      leadMs: this.leadMs,
      draw,
      onEffects: (effects, cause) => this.holdEffects(run, epoch, effects, cause),
      onFailure: (error) => this.report({ type: 'handler-failed', error }),
    });
    return run;
  }

  /** Names the messages of a handler, and holds them with its step until its durable fields are on disk. */
  private holdEffects(run: ElectionRun, epoch: Epoch | null, effects: HandlerEffects, cause?: string): void {
    const { clock, incarnation, self, trace } = this.options;
    this.vector = { ...this.vector, [self]: (this.vector[self] ?? 0) + 1 };
    const { frames, line, local } = handlerOutput(run, effects, {
      epoch,
      cause,
      recorded: trace === undefined ? null : { clock: this.vector, atMs: clock.wallMs() },
      nextKey: () => `${self}.${incarnation}.${++this.messages}`,
    });
    if (run === this.mode.run) this.mode.onStep(effects);
    this.hold({
      line,
      frames,
      after: () => {
        if (run === this.mode.run) this.mode.afterHandler(effects, local);
      },
    });
  }

  private hold(item: HeldItem): void {
    this.outbox.push(item, this.changedRecord());
  }

  /** Null if what is saved, or being saved, is still right. */
  private changedRecord(): MemberRecord | null {
    const record = this.mode.record();
    const text = JSON.stringify(record);
    if (text === this.savedText) return null;
    this.savedText = text;
    return record;
  }

  private release({ after, frames, line }: HeldItem): void {
    if (line !== null) this.options.trace?.write(line);
    for (const { frame, to } of frames) {
      if (frame.type === 'message') {
        const { type } = frame.body as { type: string };
        this.sent[type] = (this.sent[type] ?? 0) + 1;
      }
      this.options.transport.send(to, frame);
    }
    after?.();
  }

  private refuse(from: number, reason: string): void {
    this.counts.refused++;
    this.report({ type: 'refused', from, reason });
  }

  private reportResult(): void {
    const { leader, role, term } = this.status;
    const text = role === null ? '' : `${role} ${leader} ${term}`;
    if (text === this.reported) return;
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
    this.mode.close();
    this.outbox.close();
  }
}
