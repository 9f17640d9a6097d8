/**
 * The rules of a store for one election, as pure functions of a row and the store's clock. Every store must apply a rule in
 * one transaction. The stores in memory, SQLite and documents call these functions, and so do the simulation and the model
 * checker. Redis, PostgreSQL and MySQL have the same rules in Lua and SQL, and the contract suite compares them.
 *
 * Guaranteed: on the clock of `nowMs` there are never two unexpired leases (P1), and each grant has a larger token than the
 * one before (P3). If `nowMs` goes backwards, no lease ends early: those that it can no longer judge are observed by the
 * challengers. If it jumps forward, leases end early.
 */
import type * as Calls from './calls.ts';
import type { EndCause } from './end-reason.ts';
import type { Challenger, Holder, LeaseRecord } from './lease-record.ts';
import type { Registration } from './queue.ts';
import { metadataOf, metadataText } from './term-data.ts';

export interface LeaseRow {
  readonly token: bigint;
  readonly version: bigint;
  readonly holder: Holder | null;
  /** When the lease, or the reservation for the successor, ends. */
  readonly untilMs: number;
  /** For how long it was granted; 0 if the lease is free. More time left than that proves that the clock was set back. */
  readonly durationMs: number;
  /** No new term begins before this time, for which the latest holder asked; `holdMs` is how long it asked for. */
  readonly notBeforeMs: number;
  readonly holdMs: number;
  /** How long an evicted holder stays out of the election. */
  readonly cooldownMs: number;
  readonly successor: string | null;
  /** The candidate to which an operator asked the holder to hand over. */
  readonly transferTo: string | null;
  readonly challenger: {
    readonly id: string;
    readonly priority: number;
    readonly sinceMs: number;
    readonly untilMs: number;
  } | null;
  /** The metadata of the term that `metadataOf` finds in it. */
  readonly metadata: string | null;
  /** Null for none. It outlives the term. */
  readonly checkpoint: string | null;
  /** The number of the latest update of the term; 0 for none. */
  readonly updates: number;
}

export const EMPTY_ROW: LeaseRow = {
  token: 0n,
  version: 0n,
  holder: null,
  untilMs: 0,
  durationMs: 0,
  notBeforeMs: 0,
  holdMs: 0,
  cooldownMs: 0,
  successor: null,
  transferTo: null,
  challenger: null,
  metadata: null,
  checkpoint: null,
  updates: 0,
};

/** The row after a request, the answer, and the term that the request ended, for the audit trail. */
export interface Applied<Answer> {
  readonly row: LeaseRow;
  readonly answer: Answer;
  readonly ended: { readonly token: bigint; readonly cause: EndCause; readonly endMs: number } | null;
}

/**
 * The time left of what was granted for `grantedMs` until `endMs`. Null if the clock cannot tell: the store has none, or it
 * was set back, because more time is left than was granted. Then challengers observe the record on their own clocks.
 */
function leftMs(endMs: number, grantedMs: number, nowMs: number, hasClock: boolean): number | null {
  if (grantedMs === 0) return 0;
  const left = Math.max(0, endMs - nowMs);
  return hasClock && left <= grantedMs ? left : null;
}

const leaseLeftMs = (row: LeaseRow, nowMs: number, hasClock: boolean): number | null =>
  leftMs(row.untilMs, row.durationMs, nowMs, hasClock);

const holdLeftMs = (row: LeaseRow, nowMs: number, hasClock: boolean): number | null =>
  leftMs(row.notBeforeMs, row.holdMs, nowMs, hasClock);

/**
 * `hasClock` false: a store that cannot judge expiry. `minToken` is the smallest token that the store may give now: its wall
 * clock in microseconds, and more than any token that it has forgotten on purpose. `ahead` is the candidate whose turn it is in
 * fair order, if that is not the requesting one; null if the request asks for no order.
 */
export function acquire(
  row: LeaseRow,
  request: Calls.AcquireRequest,
  nowMs: number,
  hasClock = true,
  minToken = 1n,
  ahead: Pick<Registration, 'id'> | null = null,
): Applied<Calls.AcquireAnswer> {
  const { holder } = row;
  const isUnchanged = row.version === request.staleVersion;
  const isPast = (left: number | null): boolean => left === 0 || (left === null && isUnchanged);
  const isOver = isPast(leaseLeftMs(row, nowMs, hasClock));
  if (holder !== null && holder.nonce === request.nonce && !isOver && !holder.evicted) {
    const answer = { type: 'ok', token: row.token, checkpoint: row.checkpoint } as const;
    return { row: extended(row, request.ttlMs, nowMs), answer, ended: null };
  }
  const isNamed = holder === null ? row.successor === request.id : holder.nonce === request.goneNonce;
  const isFree = (isOver || isNamed) && isPast(holdLeftMs(row, nowMs, hasClock));
  const isSuccessor = holder === null && isNamed && !isOver;
  if (!isFree || (ahead !== null && !isSuccessor)) {
    const record = recordOf(request.name, row, nowMs, hasClock);
    const answer = { type: 'held', record } as const;
    return {
      row: noteChallenger(row, request, nowMs),
      answer: isFree && ahead !== null ? { ...answer, ahead: ahead.id } : answer,
      ended: null,
    };
  }
  const cause = holder === null ? null : holder.evicted ? 'evicted' : isOver ? 'expired' : 'gone';
  const token = row.token + 1n > minToken ? row.token + 1n : minToken;
  return {
    row: {
      token,
      // Without a clock, an unchanged version alone ends a lease. No version may come back, even if the election was forgotten.
      version: hasClock || token <= row.version ? row.version + 1n : token,
      holder: {
        id: request.id,
        nonce: request.nonce,
        ttlMs: request.ttlMs,
        priority: request.priority,
        processProof: request.processProof,
        evicted: false,
      },
      untilMs: nowMs + request.ttlMs,
      durationMs: request.ttlMs,
      notBeforeMs: request.holdAtLeastMs === 0 ? 0 : nowMs + request.holdAtLeastMs,
      holdMs: request.holdAtLeastMs,
      cooldownMs: 0,
      successor: null,
      transferTo: null,
      challenger: row.challenger?.id === request.id ? null : row.challenger,
      metadata: metadataText(request.nonce, request.metadata),
      checkpoint: row.checkpoint,
      updates: 0,
    },
    answer: { type: 'ok', token, checkpoint: row.checkpoint },
    // An expired lease ended when it expired, not when the next request arrived.
    ended:
      cause === null
        ? null
        : { token: row.token, cause, endMs: isOver && hasClock ? Math.min(row.untilMs, nowMs) : nowMs },
  };
}

const extended = (row: LeaseRow, ttlMs: number, nowMs: number): LeaseRow => ({
  ...row,
  version: row.version + 1n,
  untilMs: nowMs + ttlMs,
  durationMs: ttlMs,
});

/** The challenger, if it has asked lately. One that began to wait in the future did so before the clock was set back. */
function activeChallenger({ challenger }: LeaseRow, nowMs: number): LeaseRow['challenger'] {
  return challenger !== null && challenger.sinceMs <= nowMs && nowMs < challenger.untilMs ? challenger : null;
}

/** The row keeps the waiting candidate of the highest priority, as long as that candidate keeps asking. */
function noteChallenger(row: LeaseRow, request: Calls.AcquireRequest, nowMs: number): LeaseRow {
  const { holder } = row;
  if (holder === null || request.priority <= holder.priority) return row;
  const active = activeChallenger(row, nowMs);
  if (active !== null && active.id !== request.id && active.priority >= request.priority) return row;
  const sinceMs = active?.id === request.id ? active.sinceMs : nowMs;
  return {
    ...row,
    challenger: { id: request.id, priority: request.priority, sinceMs, untilMs: nowMs + request.ttlMs },
  };
}

const isTerm = (row: LeaseRow, nonce: string, token: bigint): boolean =>
  row.holder?.nonce === nonce && row.token === token;

/** The holder, if the request comes from its term and the lease has not expired. */
function ownHolder(
  row: LeaseRow,
  { nonce, token }: Pick<Calls.RenewRequest, 'nonce' | 'token'>,
  nowMs: number,
  hasClock: boolean,
): Holder | null {
  return isTerm(row, nonce, token) && leaseLeftMs(row, nowMs, hasClock) !== 0 ? row.holder : null;
}

/** Whether the term holds the lease. */
export function holds(
  row: LeaseRow,
  term: Pick<Calls.RenewRequest, 'nonce' | 'token'>,
  nowMs: number,
  hasClock = true,
): boolean {
  return ownHolder(row, term, nowMs, hasClock) !== null;
}

/** An update that is not newer is that of a renewal which was delayed or repeated. */
function updated(row: LeaseRow, { nonce, update }: Calls.RenewRequest): LeaseRow {
  if (update === undefined || update.number <= row.updates) return row;
  const { number, metadata, checkpoint } = update;
  return {
    ...row,
    metadata: metadata === undefined ? row.metadata : metadataText(nonce, metadata),
    checkpoint: checkpoint === undefined ? row.checkpoint : checkpoint || null,
    updates: number,
  };
}

export function renew(
  row: LeaseRow,
  request: Calls.RenewRequest,
  nowMs: number,
  hasClock = true,
): Applied<Calls.RenewAnswer> {
  const { transferTo, cooldownMs } = row;
  // Also if the lease is over and nobody has taken it: otherwise a late candidate would not stay out.
  if (row.holder?.evicted && isTerm(row, request.nonce, request.token)) {
    return { row, answer: { type: 'evicted', cooldownMs }, ended: null };
  }
  if (!holds(row, request, nowMs, hasClock)) return { row, answer: { type: 'lost' }, ended: null };
  const active = activeChallenger(row, nowMs);
  const waiting: Challenger | null =
    active === null ? null : { id: active.id, priority: active.priority, waitedMs: nowMs - active.sinceMs };
  return {
    row: updated(extended(row, request.ttlMs, nowMs), request),
    answer: { type: 'ok', challenger: waiting, transferTo },
    ended: null,
  };
}

export function release(
  row: LeaseRow,
  request: Calls.ReleaseRequest,
  nowMs: number,
  hasClock = true,
): Applied<Calls.ReleaseAnswer> {
  const holder = ownHolder(row, request, nowMs, hasClock);
  if (holder === null) return { row, answer: { type: 'lost' }, ended: null };
  const durationMs = request.successor === null ? 0 : request.reserveMs;
  return {
    row: {
      ...row,
      version: row.version + 1n,
      holder: null,
      successor: request.successor,
      untilMs: nowMs + durationMs,
      durationMs,
      cooldownMs: 0,
      transferTo: null,
      metadata: null,
      checkpoint: request.checkpoint === undefined ? row.checkpoint : request.checkpoint || null,
      updates: 0,
    },
    answer: holder.evicted ? { type: 'evicted', cooldownMs: row.cooldownMs } : { type: 'ok' },
    ended: { token: row.token, cause: request.reason, endMs: nowMs },
  };
}

const isHeld = (row: LeaseRow, nowMs: number, hasClock: boolean): boolean =>
  row.holder !== null && leaseLeftMs(row, nowMs, hasClock) !== 0;

/**
 * Forbids the holder to renew. The lease runs to its end, and the next holder waits for that. `cooldownMs` is how long the
 * evicted candidate stays out; null for one TTL of its own.
 */
export function evict(
  row: LeaseRow,
  cooldownMs: number | null,
  nowMs: number,
  hasClock = true,
): Applied<boolean> {
  const { holder } = row;
  if (holder === null || !isHeld(row, nowMs, hasClock)) return { row, answer: false, ended: null };
  const outMs = cooldownMs ?? (holder.evicted ? row.cooldownMs : holder.ttlMs);
  if (holder.evicted && outMs === row.cooldownMs) return { row, answer: true, ended: null };
  const version = row.version + 1n;
  const evicted = { ...row, version, cooldownMs: outMs, holder: { ...holder, evicted: true } };
  return { row: evicted, answer: true, ended: null };
}

/**
 * The holder is told with its next request. As a challenger, this is no part of the record: its version stays. The store
 * answers `unknown-candidate` if no candidate with this id is registered.
 */
export function requestTransfer(
  row: LeaseRow,
  to: string,
  isRegistered: boolean,
  nowMs: number,
  hasClock = true,
): Applied<Calls.TransferAnswer> {
  if (!isHeld(row, nowMs, hasClock)) return { row, answer: 'not-held', ended: null };
  if (!isRegistered) return { row, answer: 'unknown-candidate', ended: null };
  return { row: { ...row, transferTo: to }, answer: 'requested', ended: null };
}

export function recordOf(name: string, row: LeaseRow, nowMs: number, hasClock = true): LeaseRecord {
  const left = leaseLeftMs(row, nowMs, hasClock);
  const holdLeft = holdLeftMs(row, nowMs, hasClock);
  const isOver = left === 0;
  return {
    name,
    token: row.token,
    holder: isOver ? null : row.holder,
    remainingMs: hasClock ? (isOver ? holdLeft : left) : null,
    durationMs: Math.max(isOver ? 0 : row.durationMs, holdLeft === 0 ? 0 : row.holdMs),
    version: row.version,
    successor: isOver ? null : row.successor,
    metadata: isOver ? null : metadataOf(row.holder?.nonce, row.metadata),
    checkpoint: row.checkpoint,
  };
}
