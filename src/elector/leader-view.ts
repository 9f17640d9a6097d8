/** Who leads, as the store says it now. */
import type { LeaseRecord } from '../lease/core/lease-record.ts';

export type LeaderView =
  | {
      readonly state: 'led';
      readonly holder: string;
      readonly token: bigint;
      /** By the store's clock; null where it has none. */
      readonly remainingMs: number | null;
      /** The leader may not renew any more, and its term ends when the lease does. */
      readonly evicted: boolean;
    }
  /** Nobody leads. `token` is that of the latest term; `successor` is whom the lease is kept for. */
  | { readonly state: 'vacant'; readonly token: bigint; readonly successor: string | null }
  /** The store cannot be read: whoever led before may lead, or not. */
  | { readonly state: 'unknown'; readonly error: unknown };

export function viewOf({ holder, token, remainingMs, successor }: LeaseRecord): LeaderView {
  if (holder === null) return { state: 'vacant', token, successor };
  return { state: 'led', holder: holder.id, token, remainingMs, evicted: holder.evicted };
}

/** What a watcher is told of once. Time that passes is no change. */
export function isSameView(a: LeaderView | null, b: LeaderView): boolean {
  if (a === null || a.state !== b.state) return false;
  if (a.state === 'led' && b.state === 'led') return a.token === b.token && a.evicted === b.evicted;
  return a.state === 'vacant' && b.state === 'vacant' ? a.token === b.token : true;
}
