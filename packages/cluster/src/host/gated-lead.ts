/**
 * The quorum gate of a process: its timers, its file and its frames. It tells who leads, which is not always who was elected:
 * the elected member without a majority does not lead, and its followers do not name it as their leader.
 */
import type { ListFollower } from '../gate/list-follower.ts';
import { type GateHost, QuorumGate } from '../gate/quorum-gate.ts';
import type { ListFrame, SupportFrame } from '../gate/support-frame.ts';
import { raisedTo, type Support } from '../gate/supporter.ts';
import { TermIncrementLimiter } from '../gate/term-increment-limiter.ts';
import { LEAD_MARGIN, leadClock } from '../runtime/lead-clock.ts';
import type { MemberClock } from '../runtime/member-clock.ts';
import type { Frame } from '../transport.ts';

export interface GatedLeadOptions {
  readonly id: number;
  readonly members: readonly number[];
  readonly leaseMs: number;
  /** The list that this member uses. Before it is stored this member supports nobody. */
  readonly follower: ListFollower;
  /** On disk. */
  support(): Support;
  readonly clock: MemberClock;
  send(to: number, frame: (SupportFrame | ListFrame) & Frame): void;
  save(support: Support): Promise<void>;
  random(): number;
  /**
   * Whether this member may support others, as far as its folder is concerned. Before that it is not a candidate either, and no other
   * member may count on it. Once it may, it always may.
   */
  admits(): boolean;
  /** The leader or its token may have changed. */
  onChange(): void;
}

/** Several may be lost. */
const INQUIRIES_PER_LEASE = 4;

/** A leader with a majority, as this member knows it. */
export interface MajorityLeader {
  readonly leader: number;
  readonly token: number;
}

interface TimedLead extends MajorityLeader {
  readonly atMs: number;
}

export class GatedLead {
  /** Null before this member may support others: the lease for which it supports nobody begins then (L5 of list-succession.ts). */
  private gate: QuorumGate | null = null;
  private readonly leadMs: () => number;
  private readonly limit = new TermIncrementLimiter('token', Number.MAX_SAFE_INTEGER);
  /** Null unless this member had forgotten what it supported. */
  private recovered: Support | null = null;
  private elected: number | null = null;
  /** By member: its last claim to lead. Only the claims of the elected member count. */
  private readonly lastReceived = new Map<number, TimedLead>();
  /** The last claim of the elected member that counts. */
  private electedLead: TimedLead | null = null;
  private cancelTick: () => void = () => undefined;
  private nextInquiryMs = Number.NEGATIVE_INFINITY;
  private isClosed = false;

  constructor(private readonly options: GatedLeadOptions) {
    const { clock } = options;
    this.leadMs = leadClock(
      () => clock.now(),
      () => clock.wallMs(),
    );
  }

  /** To be called once, when frames can be sent. */
  start(): void {
    this.tick();
  }

  /** Null if no member has a majority, as far as this one knows. */
  get leader(): MajorityLeader | null {
    const { clock, id, leaseMs } = this.options;
    const token = this.gate?.token ?? null;
    if (token !== null) return { leader: id, token };
    if (this.electedLead === null || this.electedLead.leader !== this.elected) return null;
    if (clock.now() >= this.electedLead.atMs + leaseMs) return null;
    return { leader: this.electedLead.leader, token: this.electedLead.token };
  }

  get follower(): ListFollower {
    return this.options.follower;
  }

  get lapses(): number {
    return this.gate?.lapses ?? 0;
  }

  /** How long the support of a majority lasts, less the margin. */
  get leaseMs(): number {
    return this.options.leaseMs * (1 - LEAD_MARGIN);
  }

  /** Until when this member leads, by the monotonic clock; null if it does not. */
  get leadsUntilMs(): number | null {
    // Read first: the time between the two readings is not added to the lead.
    const nowMs = this.options.clock.now();
    if (this.gate === null) return null;
    const leftMs = this.gate.leadsUntilMs - this.leadMs();
    return leftMs > 0 ? nowMs + leftMs : null;
  }

  /** The election names a leader, or none. */
  decided(leader: number | null): void {
    this.elected = leader;
    this.followElected();
    this.gate?.decided(leader);
    this.tick();
  }

  /** A frame whose fields were checked; returns why it is refused, or null. */
  receive(from: number, frame: Frame): string | null {
    const support = frame as (SupportFrame | ListFrame) & Frame;
    if (support.about === 'inquiry' || support.about === 'stored') return this.receiveOfLists(from, support);
    const { about, token } = support;
    // Requests are repeated.
    const reason = this.gate?.receive(from, support) ?? null;
    if (reason !== null) return reason;
    if (about === 'request' && frame.leads === true) {
      this.lastReceived.set(from, { leader: from, token, atMs: this.options.clock.now() });
      this.followElected();
    } else if (about === 'release') {
      this.lastReceived.delete(from);
      if (this.electedLead?.leader === from) this.electedLead = null;
    }
    this.tick();
    return null;
  }

  /** What this member has supported, as far as it knows. */
  get support(): Support {
    const stored = this.options.support();
    const known = this.recovered === null ? stored : raisedTo(this.recovered, stored.token);
    return this.gate?.support ?? known;
  }

  /** Why a member that has forgotten its tokens does not believe an answer of another one, or null. */
  refusal(token: number): string | null {
    return this.limit.refusal(this.knownToken, token);
  }

  /** What this member has forgotten, and others have told it. To be called before it is admitted. */
  recover({ leader, token }: Pick<Support, 'leader' | 'token'>): void {
    this.recovered = { ...this.options.support(), leader, token };
  }

  /** Stops leading; the others may support another leader at once. */
  release(): void {
    this.gate?.release();
  }

  close(): void {
    this.isClosed = true;
    this.cancelTick();
    this.gate?.close();
  }

  /** Tokens rise, but one that was silent for a lease does not lead any more, whatever token it has named. */
  private followElected(): void {
    const { electedLead } = this;
    const next = this.elected === null ? undefined : this.lastReceived.get(this.elected);
    if (next === undefined) return;
    const isNewer =
      electedLead === null ||
      next.token >= electedLead.token ||
      next.atMs >= electedLead.atMs + this.options.leaseMs;
    if (isNewer) this.electedLead = next;
  }

  private tick(): void {
    if (this.isClosed) return;
    this.cancelTick();
    const { admits, clock, follower, leaseMs } = this.options;
    follower.tick(this.knownToken);
    if (!follower.isStored) this.inquire();
    else if (this.gate === null && admits()) {
      this.gate = this.createGate();
      this.gate.decided(this.elected);
    }
    this.gate?.tick();
    this.options.onChange();
    this.cancelTick = clock.after(leaseMs / 20, () => this.tick());
  }

  private get knownToken(): number {
    return this.gate?.knownToken ?? this.support.token;
  }

  private createGate(): QuorumGate {
    const { clock, follower, id, leaseMs, members, onChange, random, save } = this.options;
    const host: GateHost = {
      nowMs: this.leadMs,
      supportMs: () => clock.now(),
      send: (to, frame) => this.send(to, frame),
      save,
      random,
      onLead: (token) => {
        // The others learn at once that it leads.
        if (token !== null) this.gate?.decided(this.elected);
        onChange();
      },
    };
    const timing = { leaseMs, marginMs: LEAD_MARGIN * leaseMs };
    const version = follower.stored?.version;
    return new QuorumGate({ id, members, version, timing, support: this.support }, host);
  }

  /** Asks the others which lists they have stored. */
  private inquire(): void {
    const { clock, id, leaseMs, members, send } = this.options;
    if (clock.now() < this.nextInquiryMs) return;
    this.nextInquiryMs = clock.now() + leaseMs / INQUIRIES_PER_LEASE;
    for (const to of members) if (to !== id) send(to, { type: 'support', about: 'inquiry' });
  }

  private receiveOfLists(from: number, frame: ListFrame): string | null {
    const { admits, follower, send } = this.options;
    if (frame.about === 'stored') {
      const reason = follower.receive(from, frame, this.knownToken);
      this.tick();
      return reason;
    }
    const answer = admits() ? follower.answer(this.knownToken) : null;
    if (answer !== null) send(from, answer);
    return null;
  }

  private send(to: number, frame: SupportFrame): void {
    const leads = frame.about === 'request' && this.gate?.token === frame.token;
    this.options.send(to, leads ? { ...frame, leads } : frame);
  }
}
