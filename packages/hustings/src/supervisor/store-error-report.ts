/** Reports each kind of error once until the store answers: a store that fails is asked again and again. */
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import { isPermanent, type StoreErrorKind } from '../lease/core/store-error.ts';
import type { SupervisorEvent } from './supervisor-event.ts';

export class StoreErrorReport {
  readonly #reported = new Set<StoreErrorKind | 'timeout'>();
  /** The latest error since the store last answered. */
  latest: unknown = null;
  /** The store has answered this process before: whatever it refuses from now on, it is asked again. */
  wasServed = false;

  constructor(
    private readonly label: string,
    private readonly onEvent: (event: SupervisorEvent) => void,
  ) {}

  take(event: ElectorEvent): void {
    if (event.type === 'answered') {
      this.wasServed = true;
      this.#reported.clear();
      this.latest = null;
    } else if (event.type === 'store-error') {
      const { kind, error } = event;
      this.latest = error;
      if (this.#reported.has(kind)) return;
      this.#reported.add(kind);
      // Ends the supervisor, which rejects with this error.
      if (!this.wasServed && kind !== 'timeout' && isPermanent(kind)) return;
      const message =
        error instanceof Error ? error.message : `${this.label} did not answer in time; trying again`;
      this.onEvent({ type: 'store-error', message });
    }
  }
}
