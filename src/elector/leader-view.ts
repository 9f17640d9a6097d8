/** The leader of an election, as the store reports it. */
import type { LeaseRecord } from '../lease/core/lease-record.ts';
import { withTokenText } from '../lease/core/token-text.ts';

/** A candidate leads. */
export interface LedView {
  readonly type: 'led';
  /** The id of the candidate that leads. */
  readonly holder: string;
  readonly token: bigint;
  /** On the store's clock; null if the store has none. */
  readonly remainingMs: number | null;
  /** The leader may not renew its lease: its term ends when it releases, or when the lease expires. */
  readonly evicted: boolean;
}

/** Nobody leads. */
export interface VacantView {
  readonly type: 'vacant';
  /** The token of the latest term; 0 before the first. */
  readonly token: bigint;
  /** The candidate for which the lease is reserved, if any. */
  readonly successor: string | null;
}

/** The store cannot be read: the last known leader may or may not lead. */
export interface UnknownView {
  readonly type: 'unknown';
  readonly error: unknown;
}

/** `JSON.stringify` writes the token as decimal text. */
export type KnownLeaderView = LedView | VacantView;
export type LeaderView = KnownLeaderView | UnknownView;

export function viewOf({ holder, token, remainingMs, successor }: LeaseRecord): KnownLeaderView {
  return withTokenText(
    holder === null
      ? { type: 'vacant', token, successor }
      : { type: 'led', holder: holder.id, token, remainingMs, evicted: holder.evicted },
  );
}

/** Whether a watcher already knows this view. Time that passes is no change. */
export function isSameView(a: LeaderView | null, b: LeaderView): boolean {
  if (a === null || a.type !== b.type) return false;
  if (a.type === 'led' && b.type === 'led') return a.token === b.token && a.evicted === b.evicted;
  return a.type === 'vacant' && b.type === 'vacant' ? a.token === b.token : true;
}
