/** How a candidate waits: for whom, for how long, and with what it comes back. */
import type { Claim } from './calls.ts';
import type { Candidacy } from './candidate-options.ts';
import type { Sighting } from './candidate-state.ts';
import type { Now } from './lease-event.ts';
import type { LeaseRecord } from './lease-record.ts';
import type { Timing } from './timing.ts';

const ASK_EACH_MS = 1_000;

/** `ttlMs` is how long the record must stand still; a change of its version, or of its holder, starts anew. */
export function sight(before: Sighting | null, record: LeaseRecord, ttlMs: number, now: Now): Sighting {
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
 * For how long a lease is kept for its heir: an heir that gets no hint must have asked again by then. Otherwise whoever
 * handed over would come back first, and hand over again, for ever.
 */
export function keptForHeirMs({ renewMs, requestMs, ttlMs }: Timing): number {
  return Math.max(renewMs, Math.min(ASK_EACH_MS, ttlMs) + requestMs);
}

/** Without a clock in the store: how long a record must stand still before its holder, by its own clock, is out. */
export function ttlOfHolder(record: LeaseRecord, own: Timing): number {
  const holderMs = record.holder?.ttlMs ?? (record.heir === null ? 0 : keptForHeirMs(own));
  return holderMs + Math.ceil(Math.max(holderMs, own.ttlMs) / 15);
}

/** Until the next claim: when the lease may be free, but not much later than somebody might have given it back. */
export function patienceMs(
  record: LeaseRecord,
  seen: Sighting,
  candidacy: Candidacy,
  spreadMs: number,
  now: Now,
): number {
  const { timing, storePushes, priority } = candidacy;
  const thirdMs = Math.ceil(timing.ttlMs / 3);
  const untilFreeMs = record.remainingMs ?? seen.sinceMs + seen.ttlMs - now.monoMs;
  const askMs = storePushes ? Math.max(ASK_EACH_MS, thirdMs) : ASK_EACH_MS;
  // The store forgets a rival that has not asked for a ttl of its own.
  const isRival = record.holder !== null && priority > record.holder.priority;
  return Math.max(1, Math.min(isRival ? Math.min(askMs, thirdMs) : askMs, untilFreeMs + spreadMs));
}

/** The most that a candidate waits after so many failures in a row; it draws from 0 to this. */
export function backOffMs(failures: number, { requestMs, ttlMs }: Timing): number {
  const most = Math.max(ASK_EACH_MS, ttlMs / 3);
  return Math.ceil(Math.min(most, (requestMs / 4) * 2 ** Math.min(failures, 16)));
}

export function claimOf(candidacy: Candidacy, nonce: string, seen: Sighting | null, now: Now): Claim {
  const { name, id, priority, process, timing, storeHasClock } = candidacy;
  const stoodStill = seen !== null && now.monoMs - seen.sinceMs >= seen.ttlMs;
  return {
    name,
    id,
    nonce,
    ttlMs: timing.ttlMs,
    priority,
    process,
    gone: seen?.gone ? seen.nonce : null,
    stale: !storeHasClock && stoodStill ? seen.version : null,
  };
}
