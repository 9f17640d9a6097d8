import { setTimeout as sleep } from 'node:timers/promises';

/** Returns early when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
