/** Converts rows of the tables to leases, terms, ticks and candidates, and a lease to values. */
import type { EndCause } from '../../core/end-reason.ts';
import type { LeaseRow } from '../../core/lease-row.ts';
import { metadataOf } from '../../core/term-data.ts';
import type { StoredTick } from '../../core/tick.ts';
import type { Term } from '../../lease-store.ts';
import type { MysqlRow } from './mysql-client.ts';
import type { Value } from './mysql-sql.ts';

export interface MysqlLease {
  readonly row: LeaseRow;
  /** Replaced by every write. */
  readonly stamp: bigint;
  /** The start of the running term; of a free lease, the end of its latest term. */
  readonly startMs: number;
  /** How many terms the election has had. */
  readonly terms: number;
}

/** The columns that this version knows. A later version may add others. */
export const LEASE_FIELDS = [
  ...['name', 'stamp', 'token', 'version', 'terms', 'holder', 'nonce', 'ttl_ms', 'priority', 'process_proof'],
  ...['evicted', 'stand_back_ms', 'start_ms', 'until_ms', 'span_ms', 'not_before_ms', 'hold_ms'],
  ...['successor', 'transfer_to'],
  ...['challenger', 'challenger_priority', 'challenger_since_ms', 'challenger_until_ms'],
  ...['metadata', 'checkpoint', 'updates'],
];

export const LEASE_COLUMNS = LEASE_FIELDS.join(', ');

export function storedLease(columns: MysqlRow): MysqlLease {
  const { holder, nonce, challenger } = columns;
  return {
    stamp: BigInt(columns.stamp!),
    startMs: Number(columns.start_ms),
    terms: Number(columns.terms),
    row: {
      token: BigInt(columns.token!),
      version: BigInt(columns.version!),
      holder:
        nonce === null
          ? null
          : {
              id: holder!,
              nonce,
              ttlMs: Number(columns.ttl_ms),
              priority: Number(columns.priority),
              processProof: columns.process_proof!,
              evicted: columns.evicted === '1',
            },
      untilMs: Number(columns.until_ms),
      durationMs: Number(columns.span_ms),
      notBeforeMs: Number(columns.not_before_ms),
      holdMs: Number(columns.hold_ms),
      cooldownMs: Number(columns.stand_back_ms),
      successor: columns.successor,
      transferTo: columns.transfer_to,
      challenger:
        challenger === null
          ? null
          : {
              id: challenger,
              priority: Number(columns.challenger_priority),
              sinceMs: Number(columns.challenger_since_ms),
              untilMs: Number(columns.challenger_until_ms),
            },
      metadata: columns.metadata,
      checkpoint: columns.checkpoint,
      updates: Number(columns.updates),
    },
  };
}

/** A value for each of `LEASE_FIELDS`. */
export function leaseValues(name: string, { row, stamp, startMs, terms }: MysqlLease): readonly Value[] {
  const { holder, challenger } = row;
  return [
    ...[name, stamp, row.token, row.version, terms],
    ...[holder?.id ?? null, holder?.nonce ?? null, holder?.ttlMs ?? null, holder?.priority ?? null],
    ...[holder?.processProof ?? null, holder?.evicted ?? false, row.cooldownMs],
    ...[startMs, row.untilMs, row.durationMs, row.notBeforeMs, row.holdMs, row.successor, row.transferTo],
    ...[challenger?.id ?? null, challenger?.priority ?? null],
    ...[challenger?.sinceMs ?? null, challenger?.untilMs ?? null],
    ...[row.metadata, row.checkpoint, row.updates],
  ];
}

export const TERM_COLUMNS = 'name, token, holder, nonce, start_ms, end_ms, cause, claimed_until_ms, metadata';

export function storedTerm(columns: MysqlRow): Term {
  return {
    name: columns.name!,
    token: BigInt(columns.token!),
    holder: columns.holder!,
    nonce: columns.nonce!,
    startMs: Number(columns.start_ms),
    endMs: Number(columns.end_ms),
    cause: columns.cause as EndCause,
    claimedUntilMs: Number(columns.claimed_until_ms),
    metadata: metadataOf(columns.nonce!, columns.metadata),
  };
}

/** The term that the lease records; undefined if nobody has held the lease since its latest term ended. */
export function runningTerm(name: string, { row, startMs }: MysqlLease): Term | undefined {
  const { holder, token, untilMs } = row;
  if (holder === null) return undefined;
  const claimedUntilMs = Math.max(startMs, untilMs);
  return {
    name,
    token,
    holder: holder.id,
    nonce: holder.nonce,
    startMs,
    endMs: null,
    cause: null,
    claimedUntilMs,
    metadata: metadataOf(holder.nonce, row.metadata),
  };
}

export const TICK_COLUMNS = 'name, tick_ms, state, token, holder, start_ms, end_ms';

export function storedTick(columns: MysqlRow): StoredTick {
  return {
    name: columns.name!,
    tickMs: Number(columns.tick_ms),
    state: columns.state as StoredTick['state'],
    token: BigInt(columns.token!),
    holder: columns.holder!,
    startMs: Number(columns.start_ms),
    endMs: columns.end_ms === null ? null : Number(columns.end_ms),
  };
}
