/**
 * One campaign of a service: it waits for leadership, leads for one term, and ends.
 *
 * Guaranteed: the lease is renewed only while the service shows life: by reports of progress, by its open stream, or by both.
 * It is released only when the service has said that its work has stopped, or was never told that it leads. Otherwise the
 * lease runs out, because a service that shows no life may still work.
 *
 * Not guaranteed: that the work stops in time. The service counts its own deadline, and the resource checks the fence.
 */

import { randomUUID } from 'node:crypto';
import { errorMessage } from '@hustings/base';
import type { Elector } from '../elector/elector.ts';
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import type { Lead } from '../elector/lead.ts';
import { type EndReason, isLoss, LOSS_REASONS } from '../lease/core/end-reason.ts';
import type { LeaseTiming } from '../lease/core/timing.ts';
import type { CampaignEnd, CampaignNews, CampaignState, CampaignStatus, LeaseTime } from './campaign-news.ts';

/** What proves that a service lives: at least one of the two. */
export interface ProofOfLife {
  /** The longest time between two reports of progress; null if none are needed. */
  readonly progressWithinMs: number | null;
  /** Receives the news. The service has abandoned the campaign when its stream closes. */
  readonly stream: ((news: CampaignNews) => void) | null;
}

/** What else begins and ends with a term. Neither may delay it. */
export interface TermObserver {
  elected(lead: Lead): void;
  /** The work must stop. */
  over(lead: Lead, end: CampaignEnd): void;
}

/** The core withholds renewals when the sidecar has not confirmed for this long that the service lives. */
export const stallAfterMs = (ttlMs: number): number => Math.max(40, Math.floor(ttlMs / 15));

export class Campaign {
  readonly id = randomUUID();
  readonly ended: Promise<void>;
  #state: CampaignState = 'waiting';
  #lead: Lead | null = null;
  #end: CampaignEnd | null = null;
  #released = false;
  #progressMs = performance.now();
  #isStreamClosed = false;
  #waitsFor: string | null = null;
  #isMissed = false;
  readonly #withdrawal = new AbortController();
  readonly #workStopped: Promise<void>;
  #markWorkStopped: () => void = () => {};

  constructor(
    private readonly elector: Elector,
    private readonly timing: LeaseTiming,
    private readonly proof: ProofOfLife,
    private readonly observers: readonly TermObserver[],
  ) {
    this.#workStopped = new Promise((resolve) => {
      this.#markWorkStopped = resolve;
    });
    const { progressWithinMs } = proof;
    this.#notify({ type: 'campaign', campaign: this.id, name: elector.name, progressWithinMs });
    this.ended = this.#run();
  }

  get state(): CampaignState {
    return this.#state;
  }

  /** Whether the work may run now, by the clocks. */
  get leads(): boolean {
    return this.#state === 'leading' && this.#lead?.isValid() === true;
  }

  /** Whether its service shows life, and has not reported the end. */
  get isUnderWay(): boolean {
    return this.#state !== 'ended' && this.#isAlive();
  }

  get status(): CampaignStatus {
    const lead = this.#lead;
    // By the clocks: a sidecar that was suspended may answer before it notices that the lease is lost.
    const isLate = this.#state === 'leading' && !this.leads;
    const state = isLate ? 'stopping' : this.#state;
    return {
      campaign: this.id,
      name: this.elector.name,
      state,
      progressWithinMs: this.proof.progressWithinMs,
      ...(lead && { token: `${lead.token}` }),
      ...(lead && state === 'leading' && { fence: lead.fence }),
      ...(lead && state !== 'ended' && timeOf(lead)),
      ...(isLate && { reason: 'expired', detail: LOSS_REASONS.expired }),
      ...this.#end,
      ...(state === 'ended' && { released: this.#released }),
    };
  }

  /** The service works, or waits, and has read the news so far. */
  progress(): void {
    this.#progressMs = performance.now();
    this.#look();
  }

  /** The work of the service has stopped. Resolves when the lease is released, or over. */
  async release(): Promise<void> {
    if (this.#state === 'waiting') {
      this.#withdraw({ reason: 'withdrawn', detail: 'the service gave up before it led' });
    } else {
      this.#endTerm({ reason: 'released', detail: 'the service has stopped its work' });
      this.#markWorkStopped();
    }
    await this.ended;
  }

  streamClosed(): void {
    this.#isStreamClosed = true;
    this.#endTerm({ reason: 'abandoned', detail: 'the service closed its stream' });
    this.#look();
  }

  /** The sidecar stops: the lease is renewed for the grace period, while the work stops. */
  stop(): void {
    const end: CampaignEnd = { reason: 'stopped', detail: 'the sidecar was told to stop' };
    if (this.#state === 'waiting') this.#withdraw(end);
    else if (this.#isAlive()) {
      this.#endTerm(end);
      this.#withdrawal.abort();
    }
  }

  /** Takes an event of the elector, perhaps of another campaign. */
  take(event: ElectorEvent): void {
    if (event.type === 'waiting') this.#wait(event);
    if (!('lead' in event) || event.lead !== this.#lead) return;
    const { lead } = event;
    if (event.type === 'renewed') this.#notify({ type: 'renewed', token: `${lead.token}`, ...timeOf(lead) });
    if (event.type === 'ended') this.#released = event.released;
    if (event.type === 'overdue') {
      // The service has not said that its work stopped, and a release would be too early. The store counts the TTL from when it
      // handled the request, which is before the answer that was in time: one TTL later the lease is over there too.
      setTimeout(this.#markWorkStopped, this.timing.ttlMs).unref();
    }
  }

  async #run(): Promise<void> {
    const timer = setInterval(() => this.#look(), stallAfterMs(this.timing.ttlMs) / 4);
    try {
      await this.elector.runOnce((lead) => this.#work(lead), { signal: this.#withdrawal.signal });
    } catch (error) {
      // After an end of its own the error repeats it.
      this.#end ??= { reason: 'store-error', detail: errorMessage(error) };
    }
    clearInterval(timer);
    this.#state = 'ended';
    const end = this.#end ?? { reason: 'released', detail: 'the service has stopped its work' };
    const token = this.#lead === null ? null : `${this.#lead.token}`;
    this.#notify({ type: 'ended', token, released: this.#released, ...end });
  }

  async #work(lead: Lead): Promise<void> {
    this.#lead = lead;
    // Never told that it leads: it cannot have begun to work.
    if (!this.#isAlive()) {
      this.#end = { reason: 'abandoned', detail: 'the service showed no life when it was elected' };
      return;
    }
    this.#state = 'leading';
    const { fence, token } = lead;
    this.#notify({ type: 'elected', token: `${token}`, fence, ...timeOf(lead) });
    for (const observer of this.observers) observer.elected(lead);
    void lead.ended.then((end) => this.#endTerm(end));
    await this.#workStopped;
  }

  #wait({ holder, successor, token }: ElectorEvent & { readonly type: 'waiting' }): void {
    const key = `${holder} ${successor} ${token}`;
    if (this.#state !== 'waiting' || key === this.#waitsFor) return;
    this.#waitsFor = key;
    this.#notify({ type: 'waiting', holder, token: `${token}` });
  }

  /** Once in a term: tells everybody that the work must stop. */
  #endTerm(end: CampaignEnd): void {
    if (this.#state !== 'leading' || this.#lead === null) return;
    this.#state = 'stopping';
    this.#end = end;
    const { reason } = end;
    const type = isLoss(reason as EndReason) ? 'lost' : 'stopping';
    const token = `${this.#lead.token}`;
    if (reason !== 'released') this.#notify({ type, token, ...end, ...timeOf(this.#lead) });
    for (const observer of this.observers) observer.over(this.#lead, end);
  }

  #withdraw(end: CampaignEnd): void {
    this.#end ??= end;
    this.#withdrawal.abort();
  }

  #isAlive(): boolean {
    const { progressWithinMs } = this.proof;
    const isLate = progressWithinMs !== null && performance.now() - this.#progressMs > progressWithinMs;
    return !this.#isStreamClosed && !isLate;
  }

  /** Passes life on to the elector. Without it renewals end, and begin again if the service comes back in time. */
  #look(): void {
    const isAlive = this.#isAlive();
    // Twice: after a pause of the sidecar its timers run before the reports that have arrived meanwhile are read.
    const wasMissed = this.#isMissed;
    this.#isMissed = !isAlive;
    if (this.#state === 'leading' && isAlive) this.#lead?.progress();
    if (this.#state === 'waiting' && !isAlive && (wasMissed || this.#isStreamClosed)) {
      this.#withdraw({ reason: 'abandoned', detail: 'the service showed no life while it waited' });
    }
  }

  #notify(news: CampaignNews): void {
    this.proof.stream?.(news);
  }
}

function timeOf(lead: Lead): LeaseTime {
  return { remainingMs: lead.remainingMs(), deadlineMs: Math.floor(lead.deadline?.wallMs ?? 0) };
}
