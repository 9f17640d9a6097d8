/**
 * Converts a lease to a row of the table and back. A lease of an earlier boot has ended: its clock has restarted, and no
 * process of that boot runs.
 */

import type { EndCause } from '../../core/end-reason.ts';
import type { LeaseRow } from '../../core/lease-row.ts';
import type { HostClock } from '../../host/host-clock.ts';
import type { Term } from '../../lease-store.ts';
import type { SqliteRow, SqliteValue } from '../sqlite-library.ts';

/** What the table stores beside the row of lease-row.ts. */
export interface Grant {
  readonly boot: string;
  /** The duration for which the lease or the reservation was granted. */
  readonly spanMs: number;
  /** Its end on the wall clock, for the audit trail. */
  readonly untilWallMs: number;
}

export interface StoredLease {
  readonly row: LeaseRow;
  readonly grant: Grant;
}

const text = (value: SqliteValue): string | null => (value === null ? null : String(value));

export function storedLease(columns: SqliteRow, clock: Pick<HostClock, 'boot'>, nowMs: number): StoredLease {
  const untilMs = Number(columns.until_ms);
  const spanMs = Number(columns.span_ms);
  // Without a boot id, a lease with more time left than was granted is from an earlier boot. Any other lease is waited
  // for, which takes at most the granted duration.
  const isOfThisBoot = columns.boot === clock.boot && (clock.boot !== '' || untilMs - nowMs <= spanMs);
  return {
    grant: { boot: String(columns.boot), spanMs, untilWallMs: Number(columns.until_wall_ms) },
    row: {
      token: BigInt(columns.token!),
      version: BigInt(columns.version!),
      holder:
        columns.nonce === null
          ? null
          : {
              id: String(columns.holder),
              nonce: String(columns.nonce),
              ttlMs: Number(columns.ttl_ms),
              priority: Number(columns.priority),
              processProof: String(columns.process_proof),
              evicted: Number(columns.evicted) === 1,
            },
      untilMs: isOfThisBoot ? untilMs : Number.NEGATIVE_INFINITY,
      successor: text(columns.successor),
      transferTo: text(columns.transfer_to),
      challenger:
        columns.challenger === null || !isOfThisBoot
          ? null
          : {
              id: String(columns.challenger),
              priority: Number(columns.challenger_priority),
              sinceMs: Number(columns.challenger_since_ms),
              untilMs: Number(columns.challenger_until_ms),
            },
    },
  };
}

/** In the order of `LEASE_COLUMNS`. */
export function leaseValues(name: string, row: LeaseRow, grant: Grant): SqliteValue[] {
  const { holder, challenger } = row;
  return [
    name,
    row.token,
    row.version,
    grant.boot,
    row.untilMs,
    grant.spanMs,
    grant.untilWallMs,
    holder?.id ?? null,
    holder?.nonce ?? null,
    holder?.ttlMs ?? null,
    holder?.priority ?? null,
    holder?.processProof ?? null,
    holder === null ? null : Number(holder.evicted),
    row.successor,
    row.transferTo,
    challenger?.id ?? null,
    challenger?.priority ?? null,
    challenger?.sinceMs ?? null,
    challenger?.untilMs ?? null,
  ];
}

export const LEASE_COLUMNS =
  'name, token, version, boot, until_ms, span_ms, until_wall_ms, holder, nonce, ttl_ms, priority, process_proof, evicted, ' +
  'successor, transfer_to, challenger, challenger_priority, challenger_since_ms, challenger_until_ms';

export function storedTerm(columns: SqliteRow): Term {
  return {
    name: String(columns.name),
    token: BigInt(columns.token!),
    holder: String(columns.holder),
    nonce: String(columns.nonce),
    startMs: Number(columns.start_ms),
    endMs: columns.end_ms === null ? null : Number(columns.end_ms),
    cause: text(columns.cause) as EndCause | null,
    claimedUntilMs: Number(columns.claimed_until_ms),
  };
}
