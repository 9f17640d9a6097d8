/** Answers from the rows of postgres-statements.ts. Tokens stay text until they are a bigint. */
import type { ClaimAnswer, RenewalAnswer } from '../../core/calls.ts';
import type { LeaseRecord } from '../../core/lease-record.ts';
import type { EndCause } from '../../core/loss.ts';
import type { Term } from '../../lease-store.ts';
import type { PostgresRow } from './postgres-client.ts';

export function claimAnswer(name: string, row: PostgresRow): ClaimAnswer {
  return row.ok === 't'
    ? { kind: 'ok', token: BigInt(row.granted!) }
    : { kind: 'held', record: recordFrom(name, row) };
}

/** A row of nulls is that of a name that never was. */
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
            process: row.process!,
            evicted: row.evicted === 't',
          },
    remainingMs,
    version: BigInt(row.version ?? 0),
    heir: isOver ? null : row.heir,
  };
}

/** No row: there has been no such election. */
export function renewalAnswer(row: PostgresRow | undefined): RenewalAnswer {
  if (row?.kind !== 'ok') return { kind: row?.kind === 'evicted' ? 'evicted' : 'lost' };
  const rival =
    row.rival === null
      ? null
      : { id: row.rival, priority: Number(row.rival_priority), waitedMs: Number(row.waited_ms) };
  return { kind: 'ok', rival, transferTo: row.transfer_to };
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
