/**
 * One candidate, from its first request until it has stopped: makes a `Lead` of each term, and translates the outputs of
 * the core into events. `campaign`, `runOnce` and `acquire` are three uses of it.
 */
import { type EndReason, isLoss } from '../../lease/core/end-reason.ts';
import type { Holder } from '../../lease/core/lease-record.ts';
import { slotsOf } from '../../lease/core/slot.ts';
import { isFinal, isPermanent, StoreError } from '../../lease/core/store-error.ts';
import { withTokenText } from '../../lease/core/token-text.ts';
import type { LeaseStore } from '../../lease/lease-store.ts';
import { explainEnd } from '../elector-errors.ts';
import type { ElectorSettings } from '../elector-options.ts';
import type { ElectorEvent } from '../events/elector-event.ts';
import { ActiveLead, type LeadMode } from './active-lead.ts';
import type { CallHooks } from './candidate-calls.ts';
import { callsOf, candidateOptionsOf, fencesOf } from './candidate-options.ts';
import { CoreDriver, type DriverEvent } from './core-driver.ts';
import { StoreCalls } from './store-calls.ts';

export interface CandidateHandlers {
  onElected(lead: ActiveLead): void;
  /** The candidate neither leads nor campaigns. */
  onStopped(): void;
  /** The store has never served this candidate, and will not until somebody changes it. Null to ask again even then. */
  readonly onRejected: ((error: StoreError) => void) | null;
  /** The cluster is closed, whether or not it has served this candidate. */
  onClosed?(error: StoreError): void;
  onEvent(event: ElectorEvent): void;
}

export class Candidate {
  private readonly driver: CoreDriver;
  private readonly label: string;
  private lead: ActiveLead | null = null;
  private wasServed = false;
  private reportedNonce = '';
  /** The holder in the last answer of the store. */
  holder: string | null = null;
  /** The error of the last call to the store, or null if it was answered. */
  storeError: unknown = null;

  constructor(
    private readonly settings: ElectorSettings,
    store: LeaseStore,
    private readonly mode: LeadMode,
    private readonly handlers: CandidateHandlers,
  ) {
    this.label = store.label;
    const options = candidateOptionsOf(settings);
    const { clock } = settings;
    const calls = (hooks: CallHooks) => callsOf(settings, StoreCalls.of(store, clock), hooks);
    this.driver = new CoreDriver(options, store.label, calls, clock, (event) => this.take(event));
  }

  campaign(): void {
    this.driver.send({ type: 'campaign' });
  }

  /** Stops for good: ends the term, if there is one, once its work has settled, and reserves the lease for `successor`. */
  stop(successor: string | null = null): void {
    const reason = successor === null ? 'released' : 'transferred';
    this.driver.send({ type: 'release', reason, successor, again: false });
  }

  /** The work has stopped, with everything that it started. */
  settle(): void {
    this.driver.send({ type: 'settled' });
  }

  private take(event: DriverEvent): void {
    const { handlers } = this;
    switch (event.type) {
      case 'elected':
        this.begin(event.token, event.checkpoint);
        return;
      case 'stopping':
        this.stopWork(event.reason, explainEnd(event.reason, event, this.settings.isCluster));
        return;
      case 'renewed': {
        // The most frequent event of a term: a spread that adds a field takes 1 µs, a literal 0.03.
        const { deadline, marginMs } = event;
        handlers.onEvent({ type: 'renewed', lead: this.current(), deadline, marginMs });
        return;
      }
      case 'updated':
        this.current().confirm(event.number);
        return;
      case 'overdue':
        this.current().lose();
        handlers.onEvent({ type: 'overdue', lead: this.current() });
        return;
      case 'ended': {
        const { reason, released, cooldownMs, briefTerms } = event;
        const lead = this.current();
        this.lead = null;
        lead.end(released);
        handlers.onEvent({ type: 'ended', lead, reason, released, cooldownMs, briefTerms });
        return;
      }
      case 'waiting': {
        const { holder, token, remainingMs, metadata } = event.record;
        // The next leader is known in fair order as well.
        const successor = event.record.successor ?? (holder === null ? event.ahead : null);
        this.holder = holder?.id ?? null;
        this.compareSlots(holder);
        handlers.onEvent(
          withTokenText({
            ...{ type: 'waiting' as const, holder: this.holder, successor, token, remainingMs },
            metadata,
          }),
        );
        return;
      }
      case 'answered':
        this.wasServed = true;
        this.storeError = null;
        handlers.onEvent(event);
        return;
      case 'store-error': {
        const { error } = event;
        this.storeError = error ?? new StoreError('unreachable', `${this.label} did not answer in time`);
        handlers.onEvent({ ...event, error: this.storeError });
        if (isFinal(error)) handlers.onClosed?.(error);
        else if (!this.wasServed && error instanceof StoreError && isPermanent(error.kind)) {
          handlers.onRejected?.(error);
        }
        return;
      }
      case 'late':
        handlers.onEvent(event);
        return;
      case 'stopped':
        handlers.onStopped();
    }
  }

  private begin(token: bigint, checkpoint: string | null): void {
    const { id: holder, clock, metadata = null } = this.settings;
    const leases = this.driver.leasesOf(token);
    const [{ name, slot }] = leases;
    const term = withTokenText({
      ...{ name, token, holder, nonce: this.driver.nonce },
      startMs: clock.now().wallMs,
    });
    const lead = new ActiveLead(term, this.driver, this.mode, {
      ...{ slot, checkpoint, metadata, isCluster: this.settings.isCluster },
      tokens: Object.fromEntries(leases.map((lease) => [lease.name, lease.token])),
      fences: fencesOf(this.settings, leases),
    });
    this.lead = lead;
    this.handlers.onEvent({ type: 'elected', lead });
    this.handlers.onElected(lead);
  }

  private stopWork(reason: EndReason, detail: string): void {
    const lead = this.current();
    lead.stop(reason, detail);
    this.handlers.onEvent(
      isLoss(reason) ? { type: 'lost', lead, reason, detail } : { type: 'stopping', lead, reason, detail },
    );
  }

  /** Once for each holder that was given another number of slots. */
  private compareSlots(holder: Holder | null): void {
    if (holder === null || holder.nonce === this.reportedNonce) return;
    const slots = slotsOf(holder.nonce);
    if (slots === this.settings.slots) return;
    this.reportedNonce = holder.nonce;
    this.handlers.onEvent({
      type: 'slots-differ',
      holder: holder.id,
      theirs: slots,
      own: this.settings.slots,
    });
  }

  /** The core emits events of a term only between `elected` and `ended`. */
  private current(): ActiveLead {
    if (this.lead === null) throw new Error('an event of a term outside of a term');
    return this.lead;
  }
}
