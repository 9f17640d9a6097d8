/**
 * What a candidate knows of several leases of which it wants one, or all: the latest record of each, by the rules of
 * waiting.ts. A pure value apart from its own state: the caller passes the clocks in.
 */
import type { AcquireRequest } from './calls.ts';
import type { ObservedRecord } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { LeaseTiming } from './timing.ts';
import { observe, ttlOfHolder } from './waiting.ts';

interface KnownLease {
  readonly record: LeaseRecord;
  readonly observed: ObservedRecord;
  readonly seenMs: number;
  /** Something has changed since then. */
  readonly isOutdated: boolean;
}

export class ObservedLeases {
  private readonly known = new Map<string, KnownLease>();

  constructor(private readonly timing: LeaseTiming) {}

  get records(): readonly LeaseRecord[] {
    return [...this.known.values()].map(({ record }) => record);
  }

  recordOf(name: string): LeaseRecord | undefined {
    return this.known.get(name)?.record;
  }

  see(record: LeaseRecord, now: ClockReading): void {
    const before = this.known.get(record.name)?.observed ?? null;
    const observed = observe(before, record, ttlOfHolder(record, this.timing), now);
    this.known.set(record.name, { record, observed, seenMs: now.monoMs, isOutdated: false });
  }

  /** The store has sent a notification of this lease. */
  outdate(name: string): void {
    const lease = this.known.get(name);
    if (lease !== undefined) this.known.set(name, { ...lease, isOutdated: true });
  }

  /** The holder with this nonce has provably ended. */
  takeGone(nonce: string): void {
    for (const [name, lease] of this.known) {
      const { observed } = lease;
      if (observed.nonce === nonce) this.known.set(name, { ...lease, observed: { ...observed, gone: true } });
    }
  }

  /** Until the lease may be granted to this candidate; 0 if that is possible now, or nothing is known. */
  untilFreeMs(name: string, { id, nonce }: Pick<AcquireRequest, 'id' | 'nonce'>, now: ClockReading): number {
    const lease = this.known.get(name);
    if (lease === undefined || lease.isOutdated) return 0;
    const { record, observed, seenMs } = lease;
    const { holder, successor, remainingMs } = record;
    const isNamed = holder === null ? successor === id : holder.nonce === nonce || observed.gone;
    if (isNamed) return 0;
    if (remainingMs !== null) return Math.max(0, seenMs + remainingMs - now.monoMs);
    return Math.max(0, observed.sinceMs + (observed.ttlMs ?? 0) - now.monoMs);
  }

  /** The request for one of the leases, with what proves that its lease is over. */
  requestFor(name: string, request: AcquireRequest, now: ClockReading): AcquireRequest {
    const observed = this.known.get(name)?.observed;
    const isStale =
      observed !== undefined && observed.ttlMs !== null && now.monoMs - observed.sinceMs >= observed.ttlMs;
    return {
      ...request,
      name,
      goneNonce: observed?.gone ? observed.nonce : null,
      staleVersion: isStale ? observed.version : null,
    };
  }
}
