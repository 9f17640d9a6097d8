/** How a candidate waits for a lease: what it observes, how long it waits, and what it requests next. */
import type { AcquireRequest } from './calls.ts';
import type { CandidateOptions } from './candidate-options.ts';
import type { ObservedRecord } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { LeaseTiming } from './timing.ts';

const ASK_EVERY_MS = 1_000;

/** `ttlMs` is how long the record must not change. A new version or a new holder restarts that time. */
export function observe(
  before: ObservedRecord | null,
  record: LeaseRecord,
  ttlMs: number,
  now: ClockReading,
): ObservedRecord {
  const nonce = record.holder?.nonce ?? null;
  const isSame = before !== null && before.nonce === nonce;
  const isUnchanged = isSame && before.version === record.version;
  return {
    nonce,
    version: record.version,
    sinceMs: isUnchanged ? before.sinceMs : now.monoMs,
    ttlMs,
    gone: isSame && before.gone,
  };
}

/**
 * How long a lease is reserved for its successor: a successor that gets no notification must have asked again by then.
 * Otherwise the candidate that handed over would acquire the lease first, and hand over again, without end.
 */
export function reservationMs({ renewEveryMs, requestTimeoutMs, ttlMs }: LeaseTiming): number {
  return Math.max(renewEveryMs, Math.min(ASK_EVERY_MS, ttlMs) + requestTimeoutMs);
}

/** How long a record must not change before its lease has expired on the holder's clock, if the store has no clock. */
export function ttlOfHolder(record: LeaseRecord, own: LeaseTiming): number {
  const holderMs = record.holder?.ttlMs ?? (record.successor === null ? 0 : reservationMs(own));
  return holderMs + Math.ceil(Math.max(holderMs, own.ttlMs) / 15);
}

/** Until the next request: when the lease may be free, but soon enough to find a lease that was released early. */
export function delayMs(
  record: LeaseRecord,
  observed: ObservedRecord,
  options: CandidateOptions,
  spreadMs: number,
  now: ClockReading,
): number {
  const { timing, storePushes, priority } = options;
  const thirdMs = Math.ceil(timing.ttlMs / 3);
  const untilFreeMs = record.remainingMs ?? observed.sinceMs + observed.ttlMs - now.monoMs;
  const askMs = storePushes ? Math.max(ASK_EVERY_MS, thirdMs) : ASK_EVERY_MS;
  // The store forgets a challenger that has not asked for one TTL of that challenger.
  const isChallenger = record.holder !== null && priority > record.holder.priority;
  return Math.max(1, Math.min(isChallenger ? Math.min(askMs, thirdMs) : askMs, untilFreeMs + spreadMs));
}

/** The upper bound of the exponential back-off with full jitter, after a number of errors in a row. */
export function backOffMs(errors: number, { requestTimeoutMs, ttlMs }: LeaseTiming): number {
  const most = Math.max(ASK_EVERY_MS, ttlMs / 3);
  return Math.ceil(Math.min(most, (requestTimeoutMs / 4) * 2 ** Math.min(errors, 16)));
}

export function acquireRequest(
  options: CandidateOptions,
  nonce: string,
  observed: ObservedRecord | null,
  now: ClockReading,
): AcquireRequest {
  const { name, id, priority, processProof, timing, storeHasClock } = options;
  const isUnchanged = observed !== null && now.monoMs - observed.sinceMs >= observed.ttlMs;
  return {
    name,
    id,
    nonce,
    ttlMs: timing.ttlMs,
    priority,
    processProof,
    goneNonce: observed?.gone ? observed.nonce : null,
    staleVersion: !storeHasClock && isUnchanged ? observed.version : null,
    holdAtLeastMs: 0,
    registerMs: timing.ttlMs,
  };
}
