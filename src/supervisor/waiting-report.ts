/** Reports for whom a candidate waits, when that changes: a waiting candidate is refused many times. */
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import type { SupervisorEvent } from './supervisor-event.ts';

export class WaitingReport {
  #waitsFor: string | null = null;

  constructor(private readonly onEvent: (event: SupervisorEvent) => void) {}

  take({ holder, successor, remainingMs }: ElectorEvent & { readonly type: 'waiting' }): void {
    // Without both, the lease is free, or kept free for a time.
    const waitsFor = holder ?? successor ?? (remainingMs ? '' : null);
    const isNew = waitsFor !== null && waitsFor !== this.#waitsFor;
    this.#waitsFor = waitsFor;
    if (isNew) this.onEvent({ type: 'waiting', holder, successor, remainingMs });
  }

  /** The candidate leads: the next holder is reported, even if it is the same as before. */
  reset(): void {
    this.#waitsFor = null;
  }
}
