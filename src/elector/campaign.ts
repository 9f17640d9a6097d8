/**
 * One candidate from its wish to lead until it has stopped: makes a `Lead` of each term, and tells of what happens.
 * `run` and `acquire` are two ways to use it.
 */

import { isPermanent } from '../lease/core/store-error-kind.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { StoreError } from '../lease/store-error.ts';
import { Candidate, type CandidateEvent } from './candidate.ts';
import type { ElectorEvent } from './elector-event.ts';
import { candidateOptionsOf, type ElectorSettings } from './elector-options.ts';
import { Lead } from './lead.ts';
import { explainLoss } from './lease-lost.ts';
import { StoreCalls } from './store-calls.ts';

export interface CampaignHandlers {
  /** A term has begun. */
  elected(lead: Lead): void;
  /** The candidate neither leads nor campaigns any more. */
  stopped(): void;
  /** The store will not serve this candidate as things are: it never has, and says why. */
  refused(error: StoreError): void;
  event(event: ElectorEvent): void;
}

export class Campaign {
  readonly candidate: Candidate;
  private readonly label: string;
  private lead: Lead | null = null;
  private wasServed = false;
  /** Who was last seen to hold the lease. */
  holder: string | null = null;
  /** Why the store does not serve, if it did not when it was last asked. */
  storeError: unknown = null;

  constructor(
    private readonly settings: ElectorSettings,
    store: LeaseStore,
    /** A scoped lease: its work is over when it is given back. */
    private readonly isScoped: boolean,
    private readonly handlers: CampaignHandlers,
  ) {
    this.label = store.label;
    const options = candidateOptionsOf(settings, store);
    this.candidate = new Candidate(options, StoreCalls.of(store), settings.clock, (event) =>
      this.take(event),
    );
  }

  private take(event: CandidateEvent): void {
    const { lead, handlers } = this;
    switch (event.type) {
      case 'elected':
        this.begin(event.token);
        return;
      case 'stopping': {
        const { reason, idleMs, cpuMs } = event;
        const detail = explainLoss(reason, idleMs, cpuMs);
        lead!.abort(reason, detail);
        handlers.event({ type: 'stopping', lead: lead!, reason, detail });
        return;
      }
      case 'renewed':
        handlers.event({ ...event, lead: lead! });
        return;
      case 'overdue':
        handlers.event({ type: 'overdue', lead: lead! });
        return;
      case 'ended':
        this.lead = null;
        lead!.end();
        handlers.event({ type: 'ended', lead: lead!, reason: event.reason, released: event.released });
        return;
      case 'waiting': {
        const { holder, successor, token, remainingMs } = event.record;
        this.holder = holder?.id ?? null;
        handlers.event({ type: 'waiting', holder: this.holder, successor, token, remainingMs });
        return;
      }
      case 'answered':
        this.wasServed = true;
        this.storeError = null;
        handlers.event(event);
        return;
      case 'store-error': {
        const { error } = event;
        this.storeError = error ?? new StoreError('unreachable', `${this.label} does not answer in time`);
        handlers.event(event);
        if (!this.wasServed && error instanceof StoreError && isPermanent(error.kind))
          handlers.refused(error);
        return;
      }
      case 'late':
        handlers.event(event);
        return;
      case 'stopped':
        handlers.stopped();
    }
  }

  private begin(token: bigint): void {
    const { name, id: holder, clock } = this.settings;
    const term = { name, token, holder, nonce: this.candidate.nonce, startMs: clock.now().wallMs };
    const lead = new Lead(term, this.settings.fenceOf(token), this.candidate, this.isScoped);
    this.lead = lead;
    this.handlers.event({ type: 'elected', lead });
    this.handlers.elected(lead);
  }
}
