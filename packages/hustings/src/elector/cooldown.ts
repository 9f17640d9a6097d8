/** The cooldown of an evicted candidate: it waits before it campaigns again. */
import { HustingsError } from '@hustings/base';
import type { CallSignal } from './abort-listeners.ts';
import { AcquireTimeoutError } from './elector-errors.ts';
import type { ElectorSettings } from './elector-options.ts';
import { setLongTimeout } from './timeouts.ts';

/** Resolves with the rest of `timeoutMs`. Rejects when that is over, or with the reason of `signal`. */
export async function waitForCooldown(
  { name, clock }: Pick<ElectorSettings, 'name' | 'clock'>,
  leftMs: number,
  signal: CallSignal,
  timeoutMs: number | undefined,
): Promise<number | undefined> {
  const waitMs = Math.min(leftMs, timeoutMs ?? Number.POSITIVE_INFINITY);
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const cancel = setLongTimeout(resolve, waitMs, clock);
      signal.onAbort(() => {
        cancel();
        resolve();
      });
    });
  }
  signal.throwIfAborted();
  if (timeoutMs === undefined) return undefined;
  if (timeoutMs > leftMs) return timeoutMs - leftMs;
  const why = `this candidate was evicted, and stays out of the election for ${Math.ceil(leftMs - waitMs)} ms more`;
  throw new AcquireTimeoutError(name, timeoutMs, null, new HustingsError(why));
}
