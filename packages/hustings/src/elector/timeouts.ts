/** Timeouts on the timers of a clock: of an answer of a store, of a pause, and of any length. */
import { StoreError } from '../lease/core/store-error.ts';
import { type Clock, processClock } from '../lease/host/process-clock.ts';

/** The longest delay of Node's timers: a longer one fires at once. */
const MAX_MS = 2 ** 31 - 1;

/** Fires early if the delay is longer than Node's timers allow. Returns a function that cancels it. */
export function startTimer(
  clock: Clock,
  call: () => void,
  delayMs: number,
  { keepsAlive = true } = {},
): () => void {
  if (clock.setTimeout !== undefined) return clock.setTimeout(call, delayMs);
  const timer = setTimeout(call, Math.min(delayMs, MAX_MS));
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

/** Rejects with a `StoreError` if the store does not answer in time. The call may still take effect. */
export async function within<Answer>(
  maxMs: number,
  asked: Promise<Answer>,
  label: string,
  clock: Clock = processClock,
): Promise<Answer> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const error = new StoreError('unreachable', `${label} did not answer within ${maxMs} ms`);
    cancel = startTimer(clock, () => reject(error), maxMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    cancel();
  }
}

/** Resolves after `delayMs`, or as soon as the signal aborts. */
export async function pause(delayMs: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (signal.aborted) return;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  signal.addEventListener('abort', end);
  const cancel = startTimer(clock, end, delayMs);
  await ended;
  cancel();
  signal.removeEventListener('abort', end);
}

/** A timeout of any length. Returns a function that cancels it. */
export function setLongTimeout(call: () => void, delayMs: number, clock: Clock = processClock): () => void {
  if (clock.setTimeout !== undefined) return clock.setTimeout(call, delayMs);
  const dueMs = performance.now() + delayMs;
  let cancel = (): void => {};
  const wait = (): void => {
    const restMs = dueMs - performance.now();
    cancel = startTimer(clock, restMs > MAX_MS ? wait : call, restMs);
  };
  wait();
  return () => cancel();
}
