/** Waits for the next leader of an election. A store that cannot be read is waited for too. */

import { parseDuration } from '@hustings/base/command/duration';
import { createElector } from '../../elector/create-elector.ts';
import type { LedView } from '../../elector/leader-view.ts';
import type { LeaseRecord, LeaseStore } from '../../lease/index.ts';

/** Null if no leader with a token above `token` appears within `maxMs`. */
export async function nextLeader(
  store: LeaseStore,
  name: string,
  token: bigint,
  maxMs: number,
): Promise<LedView | null> {
  const views = createElector({ store, name }).watch({ signal: AbortSignal.timeout(maxMs) });
  for await (const view of views) {
    if (view.type === 'led' && view.token > token) return view;
  }
  return null;
}

/** Candidates that poll need some time after the lease has expired. */
const POLLING_MS = 5_000;

/** `given` is the value of --wait, or true if it has none. Null means not to wait. */
export function waitMsOf(
  given: string | true | undefined,
  { holder, remainingMs }: LeaseRecord,
): number | null {
  if (given === undefined) return null;
  if (given !== true) return parseDuration('wait', given);
  const ttlMs = holder?.ttlMs ?? 0;
  return (remainingMs ?? ttlMs) + ttlMs + POLLING_MS;
}
