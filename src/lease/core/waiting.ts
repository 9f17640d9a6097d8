/** How a candidate waits: for whom, for how long, and with what it comes back. */
import type { AcquireRequest } from './calls.ts';
import type { CandidateOptions } from './candidate-options.ts';
import type { ObservedRecord } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { LeaseTiming } from './timing.ts';

const ASK_EACH_MS = 1_000;

/** `ttlMs` is how long the record must stand still; a change of its version, or of its holder, starts anew. */
export function observe(
  before: ObservedRecord | null,
  record: LeaseRecord,
  ttlMs: number,
  now: ClockReading,
): ObservedRecord {
  const nonce = record.holder?.nonce ?? null;
  const isSame = before !== null && before.nonce === nonce;
  const stoodStill = isSame && before.version === record.version;
  return {
    nonce,
    version: record.version,
    sinceMs: stoodStill ? before.sinceMs : now.monoMs,
    ttlMs,
    gone: isSame && before.gone,
  };
}

/**
 * For how long a lease is kept for its successor: a successor that gets no notification must have asked again by then. Otherwise whoever
 * handed over would come back first, and hand over again, for ever.
 */
export function reservationMs({ renewEveryMs, requestTimeoutMs, ttlMs }: LeaseTiming): number {
  return Math.max(renewEveryMs, Math.min(ASK_EACH_MS, ttlMs) + requestTimeoutMs);
}

/** Without a clock in the store: how long a record must stand still before its holder, by its own clock, is out. */
export function ttlOfHolder(record: LeaseRecord, own: LeaseTiming): number {
  const holderMs = record.holder?.ttlMs ?? (record.successor === null ? 0 : reservationMs(own));
  return holderMs + Math.ceil(Math.max(holderMs, own.ttlMs) / 15);
}

/** Until the next claim: when the lease may be free, but not much later than somebody might have given it back. */
export function delayMs(
  record: LeaseRecord,
  seen: ObservedRecord,
  options: CandidateOptions,
  spreadMs: number,
  now: ClockReading,
): number {
  const { timing, storePushes, priority } = options;
  const thirdMs = Math.ceil(timing.ttlMs / 3);
  const untilFreeMs = record.remainingMs ?? seen.sinceMs + seen.ttlMs - now.monoMs;
  const askMs = storePushes ? Math.max(ASK_EACH_MS, thirdMs) : ASK_EACH_MS;
  // The store forgets a challenger that has not asked for a ttl of its own.
  const isChallenger = record.holder !== null && priority > record.holder.priority;
  return Math.max(1, Math.min(isChallenger ? Math.min(askMs, thirdMs) : askMs, untilFreeMs + spreadMs));
}

/** The most that a candidate waits after so many failures in a row; it draws from 0 to this. */
export function backOffMs(failures: number, { requestTimeoutMs, ttlMs }: LeaseTiming): number {
  const most = Math.max(ASK_EACH_MS, ttlMs / 3);
  return Math.ceil(Math.min(most, (requestTimeoutMs / 4) * 2 ** Math.min(failures, 16)));
}

export function acquireRequest(
  options: CandidateOptions,
  nonce: string,
  seen: ObservedRecord | null,
  now: ClockReading,
): AcquireRequest {
  const { name, id, priority, processProof, timing, storeHasClock } = options;
  const stoodStill = seen !== null && now.monoMs - seen.sinceMs >= seen.ttlMs;
  return {
    name,
    id,
    nonce,
    ttlMs: timing.ttlMs,
    priority,
    processProof,
    goneNonce: seen?.gone ? seen.nonce : null,
    staleVersion: !storeHasClock && stoodStill ? seen.version : null,
  };
}
