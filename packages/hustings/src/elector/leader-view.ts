/** The leader of an election, as the store reports it. */
import type { LeaseRecord } from '../lease/core/lease-record.ts';
import type { LeaderMetadata } from '../lease/core/term-data.ts';
import { withTokenText } from '../lease/core/token-text.ts';

/** What the views of an election with slots have in common. */
export interface SlotView {
  /** The slot, from 1; absent in an election without slots. */
  readonly slot?: number;
}

/** A candidate leads. */
export interface LedView extends SlotView {
  /** Discriminates the views. */
  readonly type: 'led';
  /** The id of the candidate that leads. */
  readonly holder: string;
  /** The fencing token of the term. */
  readonly token: bigint;
  /** On the store's clock; null if the store has none. */
  readonly remainingMs: number | null;
  /** The leader may not renew its lease: its term ends when it releases, or when the lease expires. */
  readonly evicted: boolean;
  /** What the leader tells about itself; null for nothing. */
  readonly metadata: LeaderMetadata | null;
}

/** Nobody leads. */
export interface VacantView extends SlotView {
  /** Discriminates the views. */
  readonly type: 'vacant';
  /** The token of the latest term; 0 before the first. */
  readonly token: bigint;
  /** The candidate for which the lease is reserved, if any. */
  readonly successor: string | null;
}

/** The store cannot be read: the last known leader may or may not lead. */
export interface UnknownView extends SlotView {
  /** Discriminates the views. */
  readonly type: 'unknown';
  /** Why the store cannot be read; usually a `StoreError`. */
  readonly error: unknown;
}

/** The answer of a store. `JSON.stringify` writes the token as decimal text. */
export type KnownLeaderView = LedView | VacantView;
/** What a watcher knows at the moment. */
export type LeaderView = KnownLeaderView | UnknownView;

export function viewOf({ holder, token, remainingMs, successor, metadata }: LeaseRecord): KnownLeaderView {
  return withTokenText(
    holder === null
      ? { type: 'vacant', token, successor }
      : { type: 'led', holder: holder.id, token, remainingMs, evicted: holder.evicted, metadata },
  );
}

/** Whether a watcher already knows this view. Time that passes is no change. */
export function isSameView(a: LeaderView | null, b: LeaderView): boolean {
  if (a === null || a.type !== b.type) return false;
  if (a.type === 'led' && b.type === 'led') {
    const isSameText = JSON.stringify(a.metadata) === JSON.stringify(b.metadata);
    return a.token === b.token && a.evicted === b.evicted && isSameText;
  }
  return a.type === 'vacant' && b.type === 'vacant' ? a.token === b.token : true;
}
