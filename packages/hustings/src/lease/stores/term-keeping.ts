/**
 * How the memory and SQLite stores record terms. `startMs` is never before the end of the previous term, even if the wall
 * clock was set back in between: terms are ordered like their tokens.
 */

import type { ClockReading } from '../core/clock-reading.ts';
import type { EndCause } from '../core/end-reason.ts';
import type { Applied, LeaseRow } from '../core/lease-row.ts';
import { metadataOf } from '../core/term-data.ts';
import { withTokenText } from '../core/token-text.ts';
import type { HistoryQuery, Term } from '../lease-store.ts';

/** The end of a lease on the wall clock, as known now. */
export function wallEndMs(row: LeaseRow, now: ClockReading): number {
  return now.wallMs + row.untilMs - now.monoMs;
}

export function startTerm(
  name: string,
  row: LeaseRow,
  now: ClockReading,
  previous: Pick<Term, 'endMs'> | undefined,
): Term {
  const startMs = Math.max(now.wallMs, previous?.endMs ?? 0);
  return {
    name,
    token: row.token,
    holder: row.holder!.id,
    nonce: row.holder!.nonce,
    startMs,
    endMs: null,
    cause: null,
    claimedUntilMs: Math.max(startMs, wallEndMs(row, now)),
    metadata: metadataOf(row.holder!.nonce, row.metadata),
  };
}

/** A term whose lease was granted until this time. It does not end before its start, even if the clock was set back. */
export const grantedUntil = (term: Term, wallMs: number): Term => ({
  ...term,
  claimedUntilMs: Math.max(term.startMs, wallMs),
});

export function endTerm(term: Term, ended: NonNullable<Applied<unknown>['ended']>, now: ClockReading): Term {
  if (ended.endMs < now.monoMs) return expired(term, ended.cause);
  return { ...term, endMs: Math.max(term.startMs, now.wallMs), cause: ended.cause };
}

/** A term as the history shows it: it has ended if its lease has expired on the store's clock. */
export function shownTerm(term: Term, row: LeaseRow, now: ClockReading): Term {
  if (term.endMs !== null || row.untilMs > now.monoMs) return term;
  return expired(term, row.holder?.evicted ? 'evicted' : 'expired');
}

function expired(term: Term, cause: EndCause): Term {
  return { ...term, endMs: term.claimedUntilMs, cause };
}

/** `terms` are in the order of their tokens, the newest first. */
export function selectTerms(terms: readonly Term[], { atMs, limit }: HistoryQuery = {}): readonly Term[] {
  const matching =
    atMs === undefined
      ? terms
      : terms.filter(({ startMs, endMs }) => startMs <= atMs && (endMs === null || atMs < endMs));
  const selected = matching.slice(0, atMs === undefined ? limit : Math.min(1, limit ?? 1));
  return selected.map((term) => withTokenText({ ...term }));
}
