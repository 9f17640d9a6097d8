/** Converts the rows of postgres-statements.ts to answers, and updates to parameters. Tokens are converted from text to bigint directly. */
import type { AcquireAnswer, ReleaseAnswer, RenewAnswer } from '../../core/calls.ts';
import type { EndCause } from '../../core/end-reason.ts';
import type { LeaseRecord, WaitingCandidate } from '../../core/lease-record.ts';
import { EMPTY_ROW, recordOf } from '../../core/lease-row.ts';
import { metadataOf } from '../../core/term-data.ts';
import type { StartTickAnswer, Tick, TickState } from '../../core/tick.ts';
import { withTokenText } from '../../core/token-text.ts';
import type { Term } from '../../lease-store.ts';
import type { PostgresRow } from './postgres-client.ts';
import { checkpointFrom } from './postgres-values.ts';

export function acquireAnswer(name: string, row: PostgresRow): AcquireAnswer {
  return row.ok === 't'
    ? { type: 'ok', token: BigInt(row.granted!), checkpoint: checkpointFrom(row.checkpoint) }
    : {
        ...{ type: 'held', record: recordFrom(name, row) },
        ...(row.ahead === null ? {} : { ahead: row.ahead }),
      };
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/** A row of nulls means an unknown election. */
export function recordFrom(name: string, row: PostgresRow): LeaseRecord {
  if (row.version === null) {
    return withTokenText(recordOf(name, EMPTY_ROW, 0));
  }
  const leaseLeftMs = numberOrNull(row.lease_left_ms);
  const holdLeftMs = numberOrNull(row.hold_left_ms);
  const isOver = leaseLeftMs === 0;
  return withTokenText({
    name,
    token: BigInt(row.token!),
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
    remainingMs: isOver ? holdLeftMs : leaseLeftMs,
    durationMs: Math.max(isOver ? 0 : Number(row.span_ms), holdLeftMs === 0 ? 0 : Number(row.hold_ms)),
    version: BigInt(row.version),
    successor: isOver ? null : row.successor,
    metadata: isOver || row.nonce === null ? null : metadataOf(row.nonce, row.metadata),
    checkpoint: checkpointFrom(row.checkpoint),
  });
}

/** An empty row means an unknown election. */
export function renewAnswer(row: PostgresRow): RenewAnswer {
  if (row.type === 'evicted') return { type: 'evicted', cooldownMs: Number(row.stand_back_ms) };
  if (row.type !== 'ok') return { type: 'lost' };
  const challenger =
    row.challenger === null
      ? null
      : { id: row.challenger, priority: Number(row.challenger_priority), waitedMs: Number(row.waited_ms) };
  return { type: 'ok', challenger, transferTo: row.transfer_to };
}

export function releaseAnswer(row: PostgresRow): ReleaseAnswer {
  if (row.type === 'evicted') return { type: 'evicted', cooldownMs: Number(row.stand_back_ms) };
  return { type: row.type === 'ok' ? 'ok' : 'lost' };
}

export function candidateFrom(row: PostgresRow): WaitingCandidate {
  return {
    id: row.id!,
    nonce: row.nonce!,
    priority: Number(row.priority),
    seenMs: Number(row.seen_ms),
  };
}

/** An empty row means an unknown election. */
export function startTickAnswer(row: PostgresRow): StartTickAnswer {
  if (row.type === 'started') return { type: 'started' };
  if (row.type === 'taken') return { type: 'taken', latestMs: Number(row.tick_ms) };
  if (row.type === 'early') return { type: 'early', nowMs: Number(row.now_ms) };
  return { type: 'lost' };
}

export function tickFrom(row: PostgresRow): Tick {
  return withTokenText({
    name: row.name!,
    tickMs: Number(row.tick_ms),
    state: row.state as TickState,
    token: BigInt(row.token!),
    holder: row.holder!,
    startMs: Number(row.start_ms),
    endMs: numberOrNull(row.end_ms),
  });
}

/** What `resetTicks` removed. */
export function removedTicks({ removed }: PostgresRow): readonly Tick[] {
  const rows: readonly PostgresRow[] = JSON.parse(removed ?? '[]');
  return rows.map(tickFrom);
}

export function termFrom(row: PostgresRow): Term {
  return withTokenText({
    name: row.name!,
    token: BigInt(row.token!),
    holder: row.holder!,
    nonce: row.nonce!,
    startMs: Number(row.start_ms),
    endMs: numberOrNull(row.end_ms),
    cause: row.cause as EndCause | null,
    claimedUntilMs: Number(row.claimed_until_ms),
    metadata: metadataOf(row.nonce!, row.metadata),
  });
}
