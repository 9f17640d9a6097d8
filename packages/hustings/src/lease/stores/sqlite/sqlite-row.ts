/**
 * Converts a lease, a term, a tick or a waiting candidate to a row of its table and back.
 *
 * The end of a lease is a time of the kernel's monotonic clock, which restarts with each boot. A row of another boot id cannot
 * be judged by it: its boot may be over, or its holder may run in a container that has its own boot id. Such a lease is over
 * when the row has not changed for its whole duration since a process of this boot first met it. Until then its end is infinite,
 * so challengers observe the row on their own clocks too. The wall clock never ends a lease.
 *
 * It does end the time to hold of a free lease of another boot, which prevents a second run and not a second leader: otherwise
 * that time would start again with each boot. A wall clock that was set back does not extend it beyond its length, counted from
 * the first observation.
 */

import type { ClockReading } from '../../core/clock-reading.ts';
import type { EndCause } from '../../core/end-reason.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import type { LeaseRow } from '../../core/lease-row.ts';
import { metadataOf } from '../../core/term-data.ts';
import type { StoredTick } from '../../core/tick.ts';
import { rateMarginMs } from '../../core/waiting.ts';
import type { Term } from '../../lease-store.ts';
import type { SqliteRow, SqliteValue } from '../sqlite-library.ts';

/** What the table stores beside the row of lease-row.ts. */
export interface Grant {
  /** The boot whose clock the two times below belong to, whatever boot the reader is in. */
  readonly boot: string;
  readonly untilMs: number;
  readonly notBeforeMs: number;
  /** The same time on the wall clock, for the readers of other boots. */
  readonly notBeforeWallMs: number;
  /** The end of the lease on the wall clock, for the audit trail. */
  readonly untilWallMs: number;
  /** How many terms of the election the history has. */
  readonly terms: number;
  /** The latest change of which watchers are notified. */
  readonly change: number;
}

export interface StoredLease {
  readonly row: LeaseRow;
  readonly grant: Grant;
}

const text = (value: SqliteValue): string | null => (value === null ? null : String(value));

/** The columns of a lease, as `READ_LEASE` reads them. */
type LeaseColumns = Readonly<Record<(typeof LEASE_FIELDS)[number], string | number | null>>;

export function leaseColumns({ lease }: SqliteRow): LeaseColumns {
  const values: LeaseColumns[keyof LeaseColumns][] = JSON.parse(String(lease));
  const columns: Record<string, string | number | null> = {};
  for (let index = 0; index < values.length; index++) columns[LEASE_FIELDS[index]] = values[index];
  return columns as LeaseColumns;
}

/** `observedMs`: when this boot first met this version of a row of another boot; null if it has not, or has written the row. */
export function storedLease(
  columns: LeaseColumns,
  boot: string,
  now: ClockReading,
  observedMs: number | null,
): StoredLease {
  const times = columns.boot === boot ? ownTimes(columns) : foreignTimes(columns, now, observedMs);
  return {
    grant: {
      boot: String(columns.boot),
      untilMs: Number(columns.until_ms),
      notBeforeMs: Number(columns.not_before_ms),
      notBeforeWallMs: Number(columns.not_before_wall_ms),
      untilWallMs: Number(columns.until_wall_ms),
      terms: Number(columns.terms),
      change: Number(columns.change),
    },
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
      ...times,
      durationMs: Number(columns.span_ms),
      holdMs: Number(columns.hold_ms),
      cooldownMs: Number(columns.stand_back_ms),
      successor: text(columns.successor),
      transferTo: text(columns.transfer_to),
      challenger: storedChallenger(columns, now.monoMs),
      metadata: text(columns.metadata),
      checkpoint: text(columns.checkpoint),
      updates: Number(columns.updates),
    },
  };
}

type Times = Pick<LeaseRow, 'untilMs' | 'notBeforeMs'>;

function ownTimes(columns: LeaseColumns): Times {
  return { untilMs: Number(columns.until_ms), notBeforeMs: Number(columns.not_before_ms) };
}

/** On the clock of this boot. */
function foreignTimes(columns: LeaseColumns, now: ClockReading, observedMs: number | null): Times {
  const durationMs = Number(columns.span_ms);
  const sinceMs = observedMs ?? Number.POSITIVE_INFINITY;
  const endMs = sinceMs + durationMs + rateMarginMs(durationMs);
  const wallLeftMs = Number(columns.not_before_wall_ms) - now.wallMs;
  return {
    untilMs: endMs <= now.monoMs ? endMs : Number.POSITIVE_INFINITY,
    notBeforeMs: Math.min(now.monoMs + wallLeftMs, sinceMs + Number(columns.hold_ms)),
  };
}

/** A challenger with more time left than its request gave it is of an earlier boot. */
function storedChallenger(columns: LeaseColumns, nowMs: number): LeaseRow['challenger'] {
  const untilMs = Number(columns.challenger_until_ms);
  if (columns.challenger === null || untilMs - nowMs > Number(columns.challenger_span_ms)) return null;
  return {
    id: String(columns.challenger),
    priority: Number(columns.challenger_priority),
    sinceMs: Number(columns.challenger_since_ms),
    untilMs,
  };
}

/** In the order of `LEASE_COLUMNS`. */
export function leaseValues(name: string, row: LeaseRow, grant: Grant, now: ClockReading): SqliteValue[] {
  const { holder, challenger } = row;
  return [
    name,
    row.token,
    row.version,
    grant.boot,
    grant.untilMs,
    row.durationMs,
    grant.untilWallMs,
    grant.notBeforeMs,
    grant.notBeforeWallMs,
    row.holdMs,
    row.cooldownMs,
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
    challenger === null ? null : Math.max(0, challenger.untilMs - now.monoMs),
    grant.terms,
    now.wallMs,
    grant.change,
    row.metadata,
    row.checkpoint,
    row.updates,
  ];
}

export const LEASE_FIELDS = [
  ...(['name', 'token', 'version', 'boot', 'until_ms', 'span_ms', 'until_wall_ms'] as const),
  ...(['not_before_ms', 'not_before_wall_ms', 'hold_ms', 'stand_back_ms'] as const),
  ...([
    'holder',
    'nonce',
    'ttl_ms',
    'priority',
    'process_proof',
    'evicted',
    'successor',
    'transfer_to',
  ] as const),
  ...(['challenger', 'challenger_priority', 'challenger_since_ms', 'challenger_until_ms'] as const),
  ...(['challenger_span_ms', 'terms', 'written_wall_ms', 'change'] as const),
  ...(['metadata', 'checkpoint', 'updates'] as const),
];
export const LEASE_COLUMNS = LEASE_FIELDS.join(', ');

/** All columns as one text, which is faster than 30 values. A token may exceed the range of a number. */
export const READ_LEASE = `json_array(${LEASE_COLUMNS.replace('token, version', 'CAST(token AS TEXT), CAST(version AS TEXT)')}) AS lease`;

export const TERM_COLUMNS = 'name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms, metadata';

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
    metadata: metadataOf(String(columns.nonce), text(columns.metadata)),
  };
}

export const TICK_COLUMNS = 'name, tick_ms, state, token, holder, start_ms, end_ms';

export function storedTick(columns: SqliteRow): StoredTick {
  return {
    name: String(columns.name),
    tickMs: Number(columns.tick_ms),
    state: String(columns.state) as StoredTick['state'],
    token: BigInt(columns.token!),
    holder: String(columns.holder),
    startMs: Number(columns.start_ms),
    endMs: columns.end_ms === null ? null : Number(columns.end_ms),
  };
}

export function storedCandidate(columns: SqliteRow, nowMs: number): WaitingCandidate {
  return {
    id: String(columns.id),
    nonce: String(columns.nonce),
    priority: Number(columns.priority),
    seenMs: nowMs - Number(columns.at_ms),
  };
}
