/**
 * The rules of a store for one election, as pure functions of a row and the store's clock. Every store must apply a rule in
 * one transaction. The memory and SQLite stores call these functions, and so do the simulation and the model checker. The
 * other stores implement the same rules in SQL or Lua, and the contract suite compares them.
 *
 * Guaranteed: on the clock of `nowMs` there are never two unexpired leases (P1), and each grant has a larger token than the
 * one before (P3). `nowMs` must not go backwards.
 */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from './calls.ts';
import type { EndCause } from './end-reason.ts';
import type { Challenger, Holder, LeaseRecord } from './lease-record.ts';

export interface LeaseRow {
  readonly token: bigint;
  readonly version: bigint;
  readonly holder: Holder | null;
  /** When the lease, or the reservation for the successor, ends. */
  readonly untilMs: number;
  readonly successor: string | null;
  /** The candidate to which an operator asked the holder to hand over. */
  readonly transferTo: string | null;
  readonly challenger: {
    readonly id: string;
    readonly priority: number;
    readonly sinceMs: number;
    readonly untilMs: number;
  } | null;
}

export const EMPTY_ROW: LeaseRow = {
  token: 0n,
  version: 0n,
  holder: null,
  untilMs: 0,
  successor: null,
  transferTo: null,
  challenger: null,
};

/** The row after a request, the answer, and the term that the request ended, for the audit trail. */
export interface Applied<Answer> {
  readonly row: LeaseRow;
  readonly answer: Answer;
  readonly ended: { readonly token: bigint; readonly cause: EndCause; readonly endMs: number } | null;
}

/** `hasClock` false: a store that cannot judge expiry grants a held lease only if its version is the stale one. */
export function acquire(
  row: LeaseRow,
  request: AcquireRequest,
  nowMs: number,
  hasClock = true,
): Applied<AcquireAnswer> {
  const { holder } = row;
  const isOver = hasClock ? row.untilMs <= nowMs : row.version === request.staleVersion;
  if (holder !== null && holder.nonce === request.nonce && !isOver && !holder.evicted) {
    const extended = { ...row, version: row.version + 1n, untilMs: nowMs + request.ttlMs };
    return { row: extended, answer: { type: 'ok', token: row.token }, ended: null };
  }
  const isFree =
    isOver ||
    (holder === null
      ? row.successor === null || row.successor === request.id
      : holder.nonce === request.goneNonce);
  if (!isFree) {
    const noted = noteChallenger(row, request, nowMs);
    return {
      row: noted,
      answer: { type: 'held', record: recordOf(request.name, row, nowMs, hasClock) },
      ended: null,
    };
  }
  const cause = holder === null ? null : holder.evicted ? 'evicted' : isOver ? 'expired' : 'gone';
  const token = row.token + 1n;
  return {
    row: {
      token,
      version: row.version + 1n,
      holder: {
        id: request.id,
        nonce: request.nonce,
        ttlMs: request.ttlMs,
        priority: request.priority,
        processProof: request.processProof,
        evicted: false,
      },
      untilMs: nowMs + request.ttlMs,
      successor: null,
      transferTo: null,
      challenger: row.challenger?.id === request.id ? null : row.challenger,
    },
    answer: { type: 'ok', token },
    // An expired lease ended when it expired, not when the next request arrived.
    ended:
      cause === null ? null : { token: row.token, cause, endMs: isOver && hasClock ? row.untilMs : nowMs },
  };
}

/** The row keeps the waiting candidate of the highest priority, as long as that candidate keeps asking. */
function noteChallenger(row: LeaseRow, request: AcquireRequest, nowMs: number): LeaseRow {
  const { holder, challenger } = row;
  if (holder === null || request.priority <= holder.priority) return row;
  const active = challenger !== null && challenger.untilMs > nowMs ? challenger : null;
  if (active !== null && active.id !== request.id && active.priority >= request.priority) return row;
  const sinceMs = active?.id === request.id ? active.sinceMs : nowMs;
  return {
    ...row,
    challenger: { id: request.id, priority: request.priority, sinceMs, untilMs: nowMs + request.ttlMs },
  };
}

export function renew(
  row: LeaseRow,
  request: RenewRequest,
  nowMs: number,
  hasClock = true,
): Applied<RenewAnswer> {
  const { holder, challenger } = row;
  const isMine = holder !== null && holder.nonce === request.nonce && row.token === request.token;
  if (!isMine || (hasClock && row.untilMs <= nowMs)) return { row, answer: { type: 'lost' }, ended: null };
  if (holder.evicted) return { row, answer: { type: 'evicted' }, ended: null };
  const waiting: Challenger | null =
    challenger !== null && challenger.untilMs > nowMs
      ? { id: challenger.id, priority: challenger.priority, waitedMs: nowMs - challenger.sinceMs }
      : null;
  return {
    row: { ...row, version: row.version + 1n, untilMs: nowMs + request.ttlMs },
    answer: { type: 'ok', challenger: waiting, transferTo: row.transferTo },
    ended: null,
  };
}

export function release(
  row: LeaseRow,
  request: ReleaseRequest,
  nowMs: number,
  hasClock = true,
): Applied<ReleaseAnswer> {
  const { holder } = row;
  const isMine = holder !== null && holder.nonce === request.nonce && row.token === request.token;
  if (!isMine || (hasClock && row.untilMs <= nowMs)) return { row, answer: { type: 'lost' }, ended: null };
  return {
    row: {
      ...row,
      version: row.version + 1n,
      holder: null,
      successor: request.successor,
      untilMs: request.successor === null ? nowMs : nowMs + request.reserveMs,
      transferTo: null,
    },
    answer: { type: 'ok' },
    ended: { token: row.token, cause: request.reason, endMs: nowMs },
  };
}

/** Forbids the holder to renew. The lease runs to its end, and the next holder waits for that. */
export function evict(row: LeaseRow, nowMs: number, hasClock = true): Applied<boolean> {
  const { holder } = row;
  if (holder === null || (hasClock && row.untilMs <= nowMs)) return { row, answer: false, ended: null };
  if (holder.evicted) return { row, answer: true, ended: null };
  const evicted = { ...row, version: row.version + 1n, holder: { ...holder, evicted: true } };
  return { row: evicted, answer: true, ended: null };
}

/** The holder is told with its next request. As a challenger, this is no part of the record: its version stays. */
export function requestTransfer(row: LeaseRow, to: string, nowMs: number, hasClock = true): Applied<boolean> {
  if (row.holder === null || (hasClock && row.untilMs <= nowMs)) return { row, answer: false, ended: null };
  return { row: { ...row, transferTo: to }, answer: true, ended: null };
}

export function recordOf(name: string, row: LeaseRow, nowMs: number, hasClock = true): LeaseRecord {
  const isOver = hasClock && row.untilMs <= nowMs;
  return {
    name,
    token: row.token,
    holder: isOver ? null : row.holder,
    remainingMs: hasClock ? Math.max(0, row.untilMs - nowMs) : null,
    version: row.version,
    successor: isOver ? null : row.successor,
  };
}
