/** Waits for whoever leads next. A store that cannot be read for a while is waited for as well. */
import { createElector } from '../../elector/create-elector.ts';
import type { LeaderView } from '../../elector/leader-view.ts';
import type { LeaseRecord, LeaseStore } from '../../lease/index.ts';
import { parseDuration } from '../flags/duration.ts';

export type LedView = LeaderView & { readonly state: 'led' };

/** Null if nobody leads with a larger token than `token` within that time. */
export async function nextLeader(
  store: LeaseStore,
  name: string,
  token: bigint,
  mostMs: number,
): Promise<LedView | null> {
  const views = createElector({ store, name }).watch({ signal: AbortSignal.timeout(mostMs) });
  for await (const view of views) {
    if (view.state === 'led' && view.token > token) return view;
  }
  return null;
}

/** The old lease may run to its end, and candidates that ask once a while need a moment more. */
const BEYOND_MS = 5_000;

/** `given` is the value of --wait: true if none was given. Null if there is no wait. */
export function patienceMs(
  given: string | true | undefined,
  { holder, remainingMs }: LeaseRecord,
): number | null {
  if (given === undefined) return null;
  if (given !== true) return parseDuration('wait', given);
  const ttlMs = holder?.ttlMs ?? 0;
  return (remainingMs ?? ttlMs) + ttlMs + BEYOND_MS;
}
