import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; a test's own timeout is the limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}

/** The reason of a signal, once it has aborted. */
export function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });
}

/** Work that must not begin. */
export function never(): never {
  throw new Error('this must not run');
}
