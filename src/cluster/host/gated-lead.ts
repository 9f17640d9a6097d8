/**
 * The quorum gate of a process: its timers, its file and its frames. It tells who leads, which is not always who was elected:
 * the elected member without a majority does not lead, and its followers do not name it as their leader.
 */
import { type GateHost, QuorumGate } from '../gate/quorum-gate.ts';
import type { SupportFrame } from '../gate/support-frame.ts';
import type { Support } from '../gate/supporter.ts';
import { LEAD_MARGIN, leadClock } from '../runtime/lead-clock.ts';
import type { MemberClock } from '../runtime/member-clock.ts';
import type { Frame } from '../transport.ts';

export interface GatedLeadOptions {
  readonly id: number;
  readonly members: readonly number[];
  readonly leaseMs: number;
  /** From the disk. */
  readonly support: Support;
  readonly clock: MemberClock;
  send(to: number, frame: SupportFrame & Frame): void;
  save(support: Support): Promise<void>;
  random(): number;
  /** Whether this member may support others. Before that it is not a candidate either. Once it may, it always may. */
  admits(): boolean;
  /** The leader or its token may have changed. */
  onChange(): void;
}

/** A leader with a majority, as this member knows it. */
export interface MajorityLeader {
  readonly leader: number;
  readonly token: number;
}

interface TimedLead extends MajorityLeader {
  readonly atMs: number;
}

export class GatedLead {
  private readonly gate: QuorumGate;
  private readonly leadMs: () => number;
  private elected: number | null = null;
  /** By member: the last time that it said that it leads. Only what the elected member says counts. */
  private readonly said = new Map<number, TimedLead>();
  /** What the elected member said last. */
  private told: TimedLead | null = null;
  private cancelTick: () => void = () => undefined;
  private isAdmitted = false;
  private isClosed = false;

  constructor(private readonly options: GatedLeadOptions) {
    const { clock, id, leaseMs, members, random, save, support } = options;
    this.leadMs = leadClock(
      () => clock.now(),
      () => clock.wallMs(),
    );
    const host: GateHost = {
      nowMs: this.leadMs,
      supportMs: () => clock.now(),
      send: (to, frame) => this.send(to, frame),
      save,
      random,
      onLead: (token) => {
        // The others learn at once that it leads.
        if (token !== null) this.gate.decided(this.elected);
        options.onChange();
      },
    };
    const timing = { leaseMs, marginMs: LEAD_MARGIN * leaseMs };
    this.gate = new QuorumGate({ id, members, timing, support }, host);
  }

  /** Null if no member has a majority, as far as this one knows. */
  get leader(): MajorityLeader | null {
    const { clock, id, leaseMs } = this.options;
    const { token } = this.gate;
    if (token !== null) return { leader: id, token };
    if (this.told === null || this.told.leader !== this.elected) return null;
    if (clock.now() >= this.told.atMs + leaseMs) return null;
    return { leader: this.told.leader, token: this.told.token };
  }

  /** How long the support of a majority lasts, less the margin. */
  get leaseMs(): number {
    return this.options.leaseMs * (1 - LEAD_MARGIN);
  }

  /** Until when this member leads, by the monotonic clock; null if it does not. */
  get leadsUntilMs(): number | null {
    // Read first: the time between the two readings is not added to the lead.
    const nowMs = this.options.clock.now();
    const leftMs = this.gate.leadsUntilMs - this.leadMs();
    return leftMs > 0 ? nowMs + leftMs : null;
  }

  /** The election names a leader, or none. */
  decided(leader: number | null): void {
    this.elected = leader;
    this.followElected();
    if (this.isAdmitted) this.gate.decided(leader);
    this.tick();
  }

  /** A frame whose fields were checked; returns why it is refused, or null. */
  receive(from: number, frame: Frame): string | null {
    const support = frame as SupportFrame & Frame;
    const { about, token } = support;
    // Requests are repeated.
    const reason = this.isAdmitted || about !== 'request' ? this.gate.receive(from, support) : null;
    if (reason !== null) return reason;
    if (about === 'request' && frame.leads === true) {
      this.said.set(from, { leader: from, token, atMs: this.options.clock.now() });
      this.followElected();
    } else if (about === 'release') {
      this.said.delete(from);
      if (this.told?.leader === from) this.told = null;
    }
    this.tick();
    return null;
  }

  /** Stops leading; the others may support another leader at once. */
  release(): void {
    this.gate.release();
  }

  close(): void {
    this.isClosed = true;
    this.cancelTick();
    this.gate.close();
  }

  /** Tokens rise, but one that was silent for a lease does not lead any more, whatever token it has named. */
  private followElected(): void {
    const { told } = this;
    const next = this.elected === null ? undefined : this.said.get(this.elected);
    if (next === undefined) return;
    const isNewer =
      told === null || next.token >= told.token || next.atMs >= told.atMs + this.options.leaseMs;
    if (isNewer) this.told = next;
  }

  private tick(): void {
    if (this.isClosed) return;
    this.cancelTick();
    if (!this.isAdmitted && this.options.admits()) {
      this.isAdmitted = true;
      this.gate.decided(this.elected);
    }
    this.gate.tick();
    this.options.onChange();
    this.cancelTick = this.options.clock.after(this.options.leaseMs / 20, () => this.tick());
  }

  private send(to: number, frame: SupportFrame): void {
    const leads = frame.about === 'request' && this.gate.token === frame.token;
    this.options.send(to, leads ? { ...frame, leads } : frame);
  }
}
