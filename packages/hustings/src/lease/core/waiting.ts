/** How a candidate waits for a lease: what it observes, how long it waits, and what it requests next. */
import type { AcquireRequest } from './calls.ts';
import type { CandidateOptions } from './candidate-options.ts';
import type { ObservedRecord } from './candidate-state.ts';
import type { ClockReading } from './clock-reading.ts';
import { invariant } from './invariant.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { LeaseTiming } from './timing.ts';

/** Every wait that grows with the TTL ends here: a TTL of an hour must not make a candidate deaf for minutes. */
const MAX_WAIT_MS = 5_000;
/** The longest pause of a candidate after a term of its own, unless it was evicted. */
export const MAX_PAUSE_MS = MAX_WAIT_MS;
const MAX_SPREAD_MS = 1_000;
/** How often a candidate asks that gets no notifications, and the most that any candidate asks. */
const ASK_EVERY_MS = 1_000;

/**
 * `ttlMs` is how long the record must not change, from when the store could not judge it. A new version or a new holder
 * restarts that time.
 */
export function observe(
  before: ObservedRecord | null,
  record: LeaseRecord,
  ttlMs: number,
  now: ClockReading,
): ObservedRecord {
  const nonce = record.holder?.nonce ?? null;
  const isSame = before !== null && before.nonce === nonce;
  const isUnchanged = isSame && before.ttlMs !== null && before.version === record.version;
  return {
    nonce,
    version: record.version,
    sinceMs: isUnchanged ? before.sinceMs : now.monoMs,
    ttlMs: record.remainingMs === null ? ttlMs : null,
    gone: isSame && before.gone,
  };
}

/** A third of the TTL, within bounds. */
const thirdMs = ({ ttlMs }: LeaseTiming): number =>
  Math.min(MAX_WAIT_MS, Math.max(ASK_EVERY_MS, Math.ceil(ttlMs / 3)));

/** From an answer to the next request, while nothing else calls for one. Notifications may be lost, so it is never long. */
const askEveryMs = (timing: LeaseTiming, pushing: boolean): number =>
  pushing ? thirdMs(timing) : ASK_EVERY_MS;

/**
 * How long a lease is reserved for its successor: a successor that gets no notification must have asked again by then, even
 * if its request takes as long as it may. Otherwise the candidate that handed over would acquire the lease first, and hand
 * over again, without end.
 */
export function reservationMs(timing: LeaseTiming): number {
  const { renewEveryMs, requestTimeoutMs, ttlMs } = timing;
  return Math.max(
    Math.min(renewEveryMs, MAX_WAIT_MS),
    Math.min(askEveryMs(timing, true), ttlMs) + requestTimeoutMs,
  );
}

/**
 * How long a waiting candidate is registered: until the request after the next one, so that one lost request does not end the
 * registration. In fair order, a candidate that died keeps the others waiting for this time.
 */
export const registrationMs = (timing: LeaseTiming): number =>
  Math.max(timing.ttlMs, 2 * askEveryMs(timing, true) + timing.requestTimeoutMs);

/** Two clocks that measure the same time may run at different rates. */
export const rateMarginMs = (durationMs: number): number => Math.ceil(durationMs / 15);

/** How long a record must not change before its lease has expired on the holder's clock, if the store's clock cannot tell. */
export function ttlOfHolder({ durationMs }: LeaseRecord, own: LeaseTiming): number {
  return durationMs + rateMarginMs(Math.max(durationMs, own.ttlMs));
}

function untilFreeMs(record: LeaseRecord, { sinceMs, ttlMs }: ObservedRecord, now: ClockReading): number {
  if (record.remainingMs !== null) return record.remainingMs;
  invariant(ttlMs !== null, 'a record that the store cannot judge is observed');
  return sinceMs + ttlMs - now.monoMs;
}

/** Until the next request: when the lease may be free, but soon enough to find a lease that was released early. */
export function delayMs(
  record: LeaseRecord,
  observed: ObservedRecord,
  { timing, priority }: CandidateOptions,
  { pushing, spreadMs }: { readonly pushing: boolean; readonly spreadMs: number },
  now: ClockReading,
): number {
  const askMs = askEveryMs(timing, pushing);
  // The store forgets a challenger that has not asked for one TTL of that challenger.
  const isChallenger = record.holder !== null && priority > record.holder.priority;
  const maxMs = isChallenger ? Math.min(askMs, Math.ceil(timing.ttlMs / 3)) : askMs;
  return Math.max(1, Math.min(maxMs, untilFreeMs(record, observed, now) + spreadMs));
}

/** Until the next request, if the lease is free and it is the turn of another candidate, which may have died. */
export const TURN_DELAY_MS = ASK_EVERY_MS;

/** Candidates that wait for the same moment spread their requests over this time. */
export function maxSpreadMs({ ttlMs }: LeaseTiming): number {
  return Math.min(MAX_SPREAD_MS, Math.floor(ttlMs / 50));
}

/** The upper bound of the exponential back-off with full jitter, after a number of errors in a row. */
export function backOffMs(errors: number, timing: LeaseTiming): number {
  const { requestTimeoutMs } = timing;
  return Math.ceil(Math.min(thirdMs(timing), (requestTimeoutMs / 4) * 2 ** Math.min(errors, 16)));
}

/** The shortest and the longest pause after an own term: another candidate may have it first. */
export function pauseMs({ renewEveryMs }: LeaseTiming): { readonly least: number; readonly most: number } {
  const half = Math.ceil(Math.min(renewEveryMs, MAX_WAIT_MS) / 2);
  return { least: half, most: 2 * half };
}

export function acquireRequest(
  options: CandidateOptions,
  nonce: string,
  observed: ObservedRecord | null,
  now: ClockReading,
): AcquireRequest {
  const { name, id, priority, processProof, timing, holdAtLeastMs, metadata, fair } = options;
  const { ttlMs } = timing;
  const isStale =
    observed !== null && observed.ttlMs !== null && now.monoMs - observed.sinceMs >= observed.ttlMs;
  return {
    name,
    id,
    nonce,
    ttlMs,
    priority,
    processProof,
    goneNonce: observed?.gone ? observed.nonce : null,
    staleVersion: isStale ? observed.version : null,
    holdAtLeastMs,
    registerMs: registrationMs(timing),
    ...(fair === true ? { fair } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
