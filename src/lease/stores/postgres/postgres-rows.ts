/** Converts the rows of postgres-statements.ts to answers. Tokens are converted from text to bigint directly. */
import type { AcquireAnswer, RenewAnswer } from '../../core/calls.ts';
import type { EndCause } from '../../core/end-reason.ts';
import type { LeaseRecord } from '../../core/lease-record.ts';
import type { Term } from '../../lease-store.ts';
import type { PostgresRow } from './postgres-client.ts';

export function acquireAnswer(name: string, row: PostgresRow): AcquireAnswer {
  return row.ok === 't'
    ? { type: 'ok', token: BigInt(row.granted!) }
    : { type: 'held', record: recordFrom(name, row) };
}

/** A row of nulls means an unknown election. */
export function recordFrom(name: string, row: PostgresRow): LeaseRecord {
  const remainingMs = Number(row.remaining_ms ?? 0);
  const isOver = remainingMs === 0;
  return {
    name,
    token: BigInt(row.token ?? 0),
    holder:
      isOver || row.nonce === null
        ? null
        : {
            id: row.holder!,
            nonce: row.nonce,
            ttlMs: Number(row.ttl_ms),
            priority: Number(row.priority),
            processProof: row.process_proof!,
            evicted: row.evicted === 't',
          },
    remainingMs,
    version: BigInt(row.version ?? 0),
    successor: isOver ? null : row.successor,
  };
}

/** An empty row means an unknown election. */
export function renewAnswer(row: PostgresRow): RenewAnswer {
  if (row.type !== 'ok') return { type: row.type === 'evicted' ? 'evicted' : 'lost' };
  const challenger =
    row.challenger === null
      ? null
      : { id: row.challenger, priority: Number(row.challenger_priority), waitedMs: Number(row.waited_ms) };
  return { type: 'ok', challenger, transferTo: row.transfer_to };
}

export function termFrom(row: PostgresRow): Term {
  return {
    name: row.name!,
    token: BigInt(row.token!),
    holder: row.holder!,
    nonce: row.nonce!,
    startMs: Number(row.start_ms),
    endMs: row.end_ms === null ? null : Number(row.end_ms),
    cause: row.cause as EndCause | null,
    claimedUntilMs: Number(row.claimed_until_ms),
  };
}
