/** What an elector does at the moment: computed from its calls, its events and the clocks. */
import { errorMessage } from '@hustings/base';
import type { ClockReading } from '../lease/core/clock-reading.ts';
import { isPermanent } from '../lease/core/store-error.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import type { Calls } from './calls.ts';
import type { ElectorHealth, ElectorState } from './elector-health.ts';
import type { ElectorEvent } from './events/elector-event.ts';
import type { Lead } from './lead.ts';

interface OpenTerm {
  readonly lead: Lead;
  readonly overdueSince: ClockReading | null;
}

export class ElectorStatus {
  /** The terms that have not ended, each with the time since which it is overdue. */
  private terms: readonly OpenTerm[] = [];
  private answered: ClockReading | null = null;
  /** The latest error since the store last answered, if the same call fails until somebody acts. */
  private rejection: unknown = null;
  private last: ElectorState = 'idle';
  private lastSinceMs: number;

  constructor(
    private readonly name: string,
    private readonly calls: Calls,
    private readonly clock: Clock,
  ) {
    this.lastSinceMs = clock.now().wallMs;
    calls.onChange = () => this.update();
  }

  get isLeader(): boolean {
    return this.terms.some(({ lead }) => lead.isValid());
  }

  /** The store has answered a request of the candidate. */
  get wasServed(): boolean {
    return this.answered !== null;
  }

  /** The candidate waits or leads: it takes part in the election. */
  get stands(): boolean {
    return this.state === 'waiting' || this.state === 'leading';
  }

  get overdueMs(): number {
    const nowMs = this.clock.now().monoMs;
    const since = this.terms.flatMap(({ overdueSince }) => overdueSince?.monoMs ?? []);
    return since.length === 0 ? 0 : Math.max(1, nowMs - Math.min(...since));
  }

  get health(): ElectorHealth {
    this.update();
    const { state, overdueMs, answered } = this;
    const problem = this.problemOf(state, overdueMs);
    return {
      healthy: problem === null,
      problem,
      state,
      sinceMs: this.lastSinceMs,
      overdueMs,
      answeredAgoMs: answered === null ? null : Math.max(0, this.clock.now().monoMs - answered.monoMs),
    };
  }

  take(event: ElectorEvent): void {
    switch (event.type) {
      case 'answered':
        this.answered = this.clock.now();
        this.rejection = null;
        return;
      case 'store-error':
        this.rejection = event.kind !== 'timeout' && isPermanent(event.kind) ? event.error : null;
        return;
      case 'elected':
        this.terms = this.terms.concat({ lead: event.lead, overdueSince: null });
        break;
      case 'overdue':
        this.terms = [...this.others(event.lead), { lead: event.lead, overdueSince: this.clock.now() }];
        break;
      case 'ended':
        this.terms = this.others(event.lead);
        break;
      case 'stopping':
      case 'lost':
        break;
      default:
        // The most frequent events, such as a renewal, change no state.
        return;
    }
    this.update();
  }

  private others(lead: Lead): readonly OpenTerm[] {
    return this.terms.filter((term) => term.lead !== lead);
  }

  private get state(): ElectorState {
    if (this.overdueMs > 0) return 'overdue';
    if (this.isLeader) return 'leading';
    if (this.terms.length > 0) return 'stopping';
    if (this.calls.isClosed) return 'closed';
    return this.calls.candidates > 0 ? 'waiting' : 'idle';
  }

  private problemOf(state: ElectorState, overdueMs: number): string | null {
    if (state === 'closed') return `the elector of '${this.name}' was closed`;
    if (state === 'overdue') {
      return `the work of '${this.name}' still runs, ${overdueMs} ms after its deadline; restart the process`;
    }
    // An idle elector has told its caller, by a rejected promise.
    if (state === 'idle' || this.rejection === null) return null;
    return `the store rejects every request of '${this.name}': ${errorMessage(this.rejection)}`;
  }

  private update(): void {
    const { state } = this;
    if (state === this.last) return;
    this.last = state;
    this.lastSinceMs = this.clock.now().wallMs;
  }
}
