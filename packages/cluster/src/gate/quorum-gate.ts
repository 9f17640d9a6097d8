/**
 * The quorum gate of one member: it lets the member lead only while a majority of all configured members supports it, and
 * gives or refuses the support of this member to others. It supports only the leader that its own election names.
 *
 * Guarantees what supporter.ts and claim.ts guarantee. The clock, the wire and the disk are inputs: `tick` must be called
 * when `dueAtMs` has come, and later calls only delay.
 * Does not guarantee that an elected member ever leads: a minority never does.
 */
import { type GateTiming, granted, isOver, type LeadClaim, leadsUntilMs, newClaim } from './claim.ts';
import { FIRST_VERSION } from './list-succession.ts';
import type { SupportFrame } from './support-frame.ts';
import { considerRequest, released, type Support, type Supporter, startedSupporter } from './supporter.ts';
import { TermIncrementLimiter } from './term-increment-limiter.ts';

/** The clocks, the wire and the disk of a gate. */
export interface GateHost {
  /** The clock by which this member leads: it must not stop while the machine sleeps, and may jump ahead. */
  nowMs(): number;
  /** The clock by which this member is bound to a leader: it must not jump ahead, and may stop. */
  supportMs(): number;
  /** Sends a frame of the gate to one member. */
  send(to: number, frame: SupportFrame): void;
  /** Resolves when the record is on disk. One that rejects stops the gate. */
  save(support: Support): Promise<void>;
  /** The member leads with a token, or no longer leads. */
  onLead(token: number | null): void;
  /** From 0 to 1. */
  random(): number;
}

/** The member of a gate. */
export interface QuorumGateOptions {
  readonly id: number;
  /** All configured members, this one included. */
  readonly members: readonly number[];
  /** The version of the member list that it has stored and uses; 1 unless given. */
  readonly version?: number | undefined;
  readonly timing: GateTiming;
  /** From the disk. */
  readonly support: Support;
}

/** Requests in one lease: several may be lost. */
const ROUNDS_PER_LEASE = 4;

type SupportRequest = Extract<SupportFrame, { about: 'request' }>;

/** The gate of one member. */
export class QuorumGate {
  /** Leads that ended because a majority did not support them in time. */
  lapses = 0;
  private supporter: Supporter;
  private claim: LeadClaim | null = null;
  private named: number | null = null;
  private largestToken: number;
  private readonly limit = new TermIncrementLimiter('token', Number.MAX_SAFE_INTEGER);
  private round = 0;
  /** When the requests of the present claim were sent, by round. */
  private readonly sentMs = new Map<number, number>();
  private nextMs: number;
  /** Claims and answers leave in order, each after the record that it depends on. */
  private saved: Promise<void> = Promise.resolve();
  private isClaiming = false;
  private isClosed = false;

  constructor(
    private readonly options: QuorumGateOptions,
    private readonly host: GateHost,
  ) {
    const { support, timing } = options;
    this.supporter = startedSupporter(support, host.supportMs(), timing.leaseMs);
    this.largestToken = support.token;
    this.nextMs = host.nowMs();
  }

  /** The token with which this member leads now; null if it does not. */
  get token(): number | null {
    return this.leadsUntilMs > this.host.nowMs() ? (this.claim as LeadClaim).token : null;
  }

  /** Until when this member leads, if nobody answers any more; −∞ if it does not lead. */
  get leadsUntilMs(): number {
    const { members, timing } = this.options;
    if (this.claim === null || !this.claim.hasLed) return Number.NEGATIVE_INFINITY;
    return leadsUntilMs(this.claim, members.length, timing);
  }

  /** The largest token that this member knows. */
  get knownToken(): number {
    return this.largestToken;
  }

  private get version(): number {
    return this.options.version ?? FIRST_VERSION;
  }

  /** When `tick` is to be called next. */
  get dueAtMs(): number {
    if (this.isClosed) return Number.POSITIVE_INFINITY;
    return Math.min(this.nextMs, this.claim?.hasLed ? this.leadsUntilMs : Number.POSITIVE_INFINITY);
  }

  /**
   * The election of this member names a leader, or none. A member that is no longer named stops leading. Its work may need a
   * moment to stop, so the support of the others runs out by itself.
   */
  decided(leader: number | null): void {
    this.named = leader;
    if (leader !== this.options.id) this.endClaim();
    this.nextMs = Math.min(this.nextMs, this.host.nowMs());
  }

  /** The largest token that this member has supported. */
  get support(): Support {
    return this.supporter.support;
  }

  /** Stops leading. The work has ended: the others may support another leader at once. */
  release(): void {
    const { claim } = this;
    if (claim === null) return;
    const { id, members } = this.options;
    this.endClaim();
    this.unbind(id, claim.token);
    for (const to of members) {
      if (to !== id) this.host.send(to, { type: 'support', about: 'release', token: claim.token });
    }
  }

  /** Called in each period: asks the others for support while this member is named as the leader. */
  tick(): void {
    const nowMs = this.host.nowMs();
    const { id, members, timing } = this.options;
    if (this.claim !== null && isOver(this.claim, nowMs, members.length, timing)) {
      this.lapses++;
      this.endClaim();
    }
    if (this.isClosed || nowMs < this.nextMs) return;
    this.nextMs = nowMs + timing.leaseMs / ROUNDS_PER_LEASE;
    if (this.named !== id) return;
    if (this.claim !== null) this.ask(this.claim);
    else if (!this.isClaiming) this.makeClaim();
  }

  /** A frame of another member, whose fields were checked; returns why it is refused, or null. */
  receive(from: number, frame: SupportFrame): string | null {
    if (this.isClosed) return null;
    const named = frame.about === 'refusal' ? frame.largest : frame.token;
    const reason = this.limit.refusal(this.largestToken, named);
    if (reason !== null) return reason;
    switch (frame.about) {
      case 'request':
        this.consider(from, frame);
        break;
      case 'grant':
        this.takeGrant(from, frame.token, frame.round);
        break;
      case 'refusal':
        this.takeRefusal(frame.token, frame.largest);
        break;
      case 'release':
        this.unbind(from, frame.token);
    }
    return null;
  }

  /** Stops leading, and supports nobody any more. */
  close(): void {
    this.endClaim();
    this.isClosed = true;
  }

  private makeClaim(): void {
    const { id, members, timing } = this.options;
    const token = this.largestToken + 1;
    const nowMs = this.host.nowMs();
    const supportMs = this.host.supportMs();
    const { refusal, supporter } = considerRequest(this.supporter, id, token, supportMs, timing.leaseMs);
    if (refusal !== null) {
      this.nextMs = nowMs + Math.max(1, this.supporter.boundUntilMs - supportMs);
      return;
    }
    this.isClaiming = true;
    this.adopt(supporter, () => {
      this.isClaiming = false;
      if (this.named !== id) {
        this.unbind(id, token);
        return;
      }
      this.claim = granted(newClaim(token), id, nowMs, this.host.nowMs(), members.length, timing);
      if (this.claim.hasLed) this.host.onLead(token);
      this.ask(this.claim);
    });
  }

  /**
   * Asks all for support, this member included. One that supports another leader by now cannot win with this token: a claim
   * may have waited for the disk while the election named that leader.
   */
  private ask({ token }: LeadClaim): void {
    const { id, members, timing } = this.options;
    const supportMs = this.host.supportMs();
    const { refusal, supporter } = considerRequest(this.supporter, id, token, supportMs, timing.leaseMs);
    if (refusal !== null) {
      this.endClaim();
      return;
    }
    this.supporter = supporter;
    const nowMs = this.host.nowMs();
    this.round++;
    this.sentMs.set(this.round, nowMs);
    this.sentMs.delete(this.round - 2 * ROUNDS_PER_LEASE);
    const request = {
      type: 'support',
      about: 'request',
      token,
      round: this.round,
      version: this.version,
    } as const;
    for (const to of members) if (to !== id) this.host.send(to, request);
    this.takeGrant(id, token, this.round);
  }

  private takeGrant(by: number, token: number, round: number): void {
    const { members, timing } = this.options;
    const sentMs = this.sentMs.get(round);
    const before = this.claim;
    if (before?.token !== token || sentMs === undefined || !members.includes(by)) return;
    this.claim = granted(before, by, sentMs, this.host.nowMs(), members.length, timing);
    if (this.claim.hasLed && !before.hasLed) this.host.onLead(token);
  }

  private takeRefusal(token: number, largest: number): void {
    this.raise(largest);
    if (this.claim?.token === token && !this.claim.hasLed && largest >= token) this.endClaim();
  }

  private consider(from: number, { round, token, version }: SupportRequest): void {
    const { timing } = this.options;
    const answer = considerRequest(this.supporter, from, token, this.host.supportMs(), timing.leaseMs);
    // L2 of list-succession.ts
    const isEarlierList = version < this.version;
    if (from !== this.named || isEarlierList || answer.refusal !== null) {
      const largest = this.supporter.support.token;
      this.host.send(from, { type: 'support', about: 'refusal', token, largest });
      return;
    }
    this.raise(token);
    this.adopt(answer.supporter, () =>
      this.host.send(from, { type: 'support', about: 'grant', token, round }),
    );
  }

  /** Another member has named this token. */
  private raise(token: number): void {
    this.largestToken = Math.max(this.largestToken, token);
  }

  /** Calls `then` when the support is on disk. */
  private adopt(supporter: Supporter, then: () => void): void {
    const { support } = supporter;
    const isNew = support !== this.supporter.support;
    this.supporter = supporter;
    this.largestToken = Math.max(this.largestToken, support.token);
    if (isNew) this.saved = this.saved.then(() => this.host.save(support));
    void this.saved.then(
      () => {
        if (!this.isClosed) then();
      },
      // The disk has failed: this member gives no support any more, and does not lead.
      () => this.close(),
    );
  }

  private endClaim(): void {
    const { claim } = this;
    if (claim === null) return;
    this.claim = null;
    this.sentMs.clear();
    // Candidates that failed at the same time must not try again at the same time.
    const { leaseMs } = this.options.timing;
    this.nextMs = this.host.nowMs() + (leaseMs / ROUNDS_PER_LEASE) * this.host.random();
    if (claim.hasLed) this.host.onLead(null);
  }

  private unbind(from: number, token: number): void {
    this.supporter = released(this.supporter, from, token, this.host.supportMs());
  }
}
