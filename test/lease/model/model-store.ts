/**
 * The store with the rules of lease-row.ts, a sink with a fence, and an onlooker who keeps his own book of what was
 * granted and what was accepted. Times are relative to now.
 */

import type { Violation } from '../../../src/checker/search/system.ts';
import type { AcquireRequest } from '../../../src/lease/core/calls.ts';
import { EMPTY_ROW, type LeaseRow } from '../../../src/lease/core/lease-row.ts';
import { isStale } from '../../../src/lease/fence/fence-marks.ts';
import type { Reply, Request } from './model-candidate.ts';
import { REAL_RULES, type Setting } from './setting.ts';

export interface Hall {
  readonly row: LeaseRow;
  /** The latest grant in the onlooker's book; `nonce` null: it is over. */
  readonly book: { readonly token: bigint; readonly nonce: string | null; readonly untilMs: number };
  readonly sink: { readonly mark: bigint; readonly accepted: bigint };
  /** Under way to the sink, each with its token. */
  readonly writes: readonly bigint[];
}

export const EMPTY_HALL: Hall = {
  row: EMPTY_ROW,
  book: { token: 0n, nonce: null, untilMs: 0 },
  sink: { mark: 0n, accepted: 0n },
  writes: [],
};

export interface HallAfter {
  readonly hall: Hall;
  readonly violation: Violation | null;
}

export function agedHall(hall: Hall, ms: number): Hall {
  const { row, book } = hall;
  const challenger =
    row.challenger === null
      ? null
      : { ...row.challenger, sinceMs: row.challenger.sinceMs - ms, untilMs: row.challenger.untilMs - ms };
  return {
    ...hall,
    row: { ...row, untilMs: row.untilMs - ms, challenger },
    book: { ...book, untilMs: book.untilMs - ms },
  };
}

export function normalHall({ row, book, sink, writes }: Hall, setting: Setting): Hall {
  const { hasClock, timings } = setting;
  const yieldAfterMs = Math.max(...timings.map((timing) => timing.yieldAfterMs));
  const challenger = row.challenger === null || row.challenger.untilMs <= 0 ? null : row.challenger;
  // By the rules nothing asks who held a lease that has expired; a mutant may.
  const isBlank = hasClock && setting.rules === undefined && row.untilMs <= 0;
  const isOver = book.nonce === null || (hasClock && book.untilMs <= 0);
  return {
    row: {
      token: row.token,
      version: hasClock ? 0n : row.version,
      holder: isBlank ? null : row.holder,
      untilMs: hasClock ? Math.max(0, row.untilMs) : 0,
      successor: isBlank ? null : row.successor,
      transferTo: isBlank ? null : row.transferTo,
      challenger:
        challenger === null
          ? null
          : {
              id: challenger.id,
              priority: challenger.priority,
              sinceMs: Math.max(challenger.sinceMs, -yieldAfterMs),
              untilMs: challenger.untilMs,
            },
    },
    book: {
      token: book.token,
      nonce: isOver ? null : book.nonce,
      untilMs: isOver || !hasClock ? 0 : book.untilMs,
    },
    sink,
    writes: [...writes].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  };
}

/** A request arrives. */
export function answer(
  hall: Hall,
  request: Request,
  setting: Setting,
): HallAfter & { readonly reply: Reply } {
  const rules = setting.rules ?? REAL_RULES;
  const { hasClock } = setting;
  if (request.type === 'acquire') {
    const { request: claim } = request;
    const { row, answer } = rules.acquire(hall.row, claim, 0, hasClock);
    const reply: Reply = { type: 'acquire-answer', answer };
    if (answer.type === 'held') return { hall: { ...hall, row }, reply, violation: null };
    const book = { token: answer.token, nonce: claim.nonce, untilMs: claim.ttlMs };
    return {
      hall: { ...hall, row, book },
      reply,
      violation: grantViolation(hall, claim, answer.token, hasClock),
    };
  }
  if (request.type === 'renew') {
    const { request: renewal } = request;
    const { row, answer } = rules.renew(hall.row, renewal, 0, hasClock);
    const reply: Reply = { type: 'renew-answer', answer, token: renewal.token };
    if (answer.type !== 'ok') return { hall: { ...hall, row }, reply, violation: null };
    const isHeld = hall.book.nonce === renewal.nonce && hall.book.token === renewal.token;
    const violation = isHeld ? null : { property: 'P1', text: 'the store renewed a lease that was over' };
    return { hall: { ...hall, row, book: { ...hall.book, untilMs: renewal.ttlMs } }, reply, violation };
  }
  const { request: release } = request;
  const { row, answer } = rules.release(hall.row, release, 0, hasClock);
  const isHeld = hall.book.nonce === release.nonce && hall.book.token === release.token;
  const book = answer.type === 'ok' && isHeld ? { ...hall.book, nonce: null } : hall.book;
  return { hall: { ...hall, row, book }, reply: { type: 'release-answer', answer }, violation: null };
}

function grantViolation(
  { book }: Hall,
  { nonce, goneNonce }: AcquireRequest,
  token: bigint,
  hasClock: boolean,
): Violation | null {
  if (book.nonce === nonce && book.token === token) return null;
  if (token <= book.token)
    return { property: 'P3', text: 'a new grant came with a token that had been granted before' };
  // Whoever is gone has stopped, with all that it guarded.
  if (!hasClock || book.nonce === null || book.nonce === goneNonce) return null;
  return { property: 'P1', text: 'the store granted a lease while another had not ended' };
}

/** A write reaches the sink. */
export function accept(hall: Hall, token: bigint, setting: Setting): HallAfter {
  const index = hall.writes.indexOf(token);
  const writes = hall.writes.filter((_, k) => k !== index);
  const { mark, accepted } = hall.sink;
  if ((setting.isStale ?? isStale)(token, mark)) return { hall: { ...hall, writes }, violation: null };
  const violation =
    token < accepted
      ? { property: 'P4', text: 'the sink accepted a write of an older term after one of a newer' }
      : null;
  return {
    hall: { ...hall, writes, sink: { mark: token, accepted: token > accepted ? token : accepted } },
    violation,
  };
}
