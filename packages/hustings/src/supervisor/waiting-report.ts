/** Reports for whom a candidate waits, when that changes: a waiting candidate is refused many times. */
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import { waitedFor } from '../elector/events/waiting-text.ts';
import type { SupervisorEvent } from './supervisor-event.ts';

export class WaitingReport {
  #waitsFor: string | null = null;

  constructor(private readonly onEvent: (event: SupervisorEvent) => void) {}

  take(event: ElectorEvent & { readonly type: 'waiting' }): void {
    const { type, holder, successor, token, remainingMs } = event;
    const waitsFor = waitedFor(event);
    const isNew = waitsFor !== null && waitsFor !== this.#waitsFor;
    this.#waitsFor = waitsFor;
    if (isNew) this.onEvent({ type, holder, successor, token, remainingMs });
  }

  /** The candidate leads: the next holder is reported, even if it is the same as before. */
  reset(): void {
    this.#waitsFor = null;
  }
}
