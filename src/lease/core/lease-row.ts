/**
 * The rules of a store for one election, as pure functions of a row and the store's clock: what every store must do in
 * one transaction. The memory and SQLite stores are these functions; the simulation and the checker run them; the others
 * say the same in SQL or Lua, and the contract suite compares.
 *
 * Guaranteed: by `nowMs` there are never two unexpired leases (P1), and each grant has a larger token than the one
 * before (P3). `nowMs` must not run backwards.
 */
import type { Claim, ClaimAnswer, Release, ReleaseAnswer, Renewal, RenewalAnswer } from './calls.ts';
import type { Holder, LeaseRecord, Rival } from './lease-record.ts';
import type { EndCause } from './loss.ts';

export interface LeaseRow {
  readonly token: bigint;
  readonly version: bigint;
  readonly holder: Holder | null;
  /** When the lease ends, or the reservation for the heir. */
  readonly untilMs: number;
  readonly heir: string | null;
  /** Where an operator asked the holder to hand over to. */
  readonly transferTo: string | null;
  readonly rival: {
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
  heir: null,
  transferTo: null,
  rival: null,
};

/** The row after a call, the answer, and the term that the call ended, for the audit trail. */
export interface Applied<Answer> {
  readonly row: LeaseRow;
  readonly answer: Answer;
  readonly ended: { readonly token: bigint; readonly cause: EndCause; readonly endMs: number } | null;
}

/** `hasClock` false: as a store that cannot judge expiry, which grants what has stood still and no more. */
export function claim(row: LeaseRow, claim: Claim, nowMs: number, hasClock = true): Applied<ClaimAnswer> {
  const { holder } = row;
  const isOver = hasClock ? row.untilMs <= nowMs : row.version === claim.stale;
  if (holder !== null && holder.nonce === claim.nonce && !isOver && !holder.evicted) {
    const extended = { ...row, version: row.version + 1n, untilMs: nowMs + claim.ttlMs };
    return { row: extended, answer: { kind: 'ok', token: row.token }, ended: null };
  }
  const isFree =
    isOver || (holder === null ? row.heir === null || row.heir === claim.id : holder.nonce === claim.gone);
  if (!isFree) {
    const noted = noteRival(row, claim, nowMs);
    return {
      row: noted,
      answer: { kind: 'held', record: recordOf(claim.name, row, nowMs, hasClock) },
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
        id: claim.id,
        nonce: claim.nonce,
        ttlMs: claim.ttlMs,
        priority: claim.priority,
        process: claim.process,
        evicted: false,
      },
      untilMs: nowMs + claim.ttlMs,
      heir: null,
      transferTo: null,
      rival: row.rival?.id === claim.id ? null : row.rival,
    },
    answer: { kind: 'ok', token },
    // A lease that ran out ended then, not when somebody came to look.
    ended:
      cause === null ? null : { token: row.token, cause, endMs: isOver && hasClock ? row.untilMs : nowMs },
  };
}

/** The waiting candidate of the highest priority is remembered, as long as it goes on asking. */
function noteRival(row: LeaseRow, claim: Claim, nowMs: number): LeaseRow {
  const { holder, rival } = row;
  if (holder === null || claim.priority <= holder.priority) return row;
  const standing = rival !== null && rival.untilMs > nowMs ? rival : null;
  if (standing !== null && standing.id !== claim.id && standing.priority >= claim.priority) return row;
  const sinceMs = standing?.id === claim.id ? standing.sinceMs : nowMs;
  return { ...row, rival: { id: claim.id, priority: claim.priority, sinceMs, untilMs: nowMs + claim.ttlMs } };
}

export function renew(
  row: LeaseRow,
  renewal: Renewal,
  nowMs: number,
  hasClock = true,
): Applied<RenewalAnswer> {
  const { holder, rival } = row;
  const isMine = holder !== null && holder.nonce === renewal.nonce && row.token === renewal.token;
  if (!isMine || (hasClock && row.untilMs <= nowMs)) return { row, answer: { kind: 'lost' }, ended: null };
  if (holder.evicted) return { row, answer: { kind: 'evicted' }, ended: null };
  const standing: Rival | null =
    rival !== null && rival.untilMs > nowMs
      ? { id: rival.id, priority: rival.priority, waitedMs: nowMs - rival.sinceMs }
      : null;
  return {
    row: { ...row, version: row.version + 1n, untilMs: nowMs + renewal.ttlMs },
    answer: { kind: 'ok', rival: standing, transferTo: row.transferTo },
    ended: null,
  };
}

export function release(
  row: LeaseRow,
  release: Release,
  nowMs: number,
  hasClock = true,
): Applied<ReleaseAnswer> {
  const { holder } = row;
  const isMine = holder !== null && holder.nonce === release.nonce && row.token === release.token;
  if (!isMine || (hasClock && row.untilMs <= nowMs)) return { row, answer: { kind: 'lost' }, ended: null };
  return {
    row: {
      ...row,
      version: row.version + 1n,
      holder: null,
      heir: release.heir,
      untilMs: release.heir === null ? nowMs : nowMs + release.heirMs,
      transferTo: null,
    },
    answer: { kind: 'ok' },
    ended: { token: row.token, cause: release.reason, endMs: nowMs },
  };
}

/** Forbids the holder to renew. The lease still runs to its end: whoever comes next waits for that. */
export function evict(row: LeaseRow, nowMs: number, hasClock = true): Applied<boolean> {
  const { holder } = row;
  if (holder === null || (hasClock && row.untilMs <= nowMs)) return { row, answer: false, ended: null };
  if (holder.evicted) return { row, answer: true, ended: null };
  const evicted = { ...row, version: row.version + 1n, holder: { ...holder, evicted: true } };
  return { row: evicted, answer: true, ended: null };
}

/** The holder is told with its next renewal. As a rival, this is no part of the record: its version stays. */
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
    heir: isOver ? null : row.heir,
  };
}
