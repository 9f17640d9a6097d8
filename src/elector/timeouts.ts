/** Timeouts: of an answer of a store, and of any length. */
import { StoreError } from '../lease/core/store-error.ts';

/** Rejects with a `StoreError` if the store does not answer in time. The call may still take effect. */
export async function within<Answer>(mostMs: number, asked: Promise<Answer>, label: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new StoreError('unreachable', `${label} did not answer within ${mostMs} ms`);
    timer = setTimeout(() => reject(error), mostMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The longest delay of Node's timers: a longer one fires at once. */
const MOST_MS = 2 ** 31 - 1;

/** A timeout of any length. Returns a function that cancels it. */
export function setLongTimeout(call: () => void, delayMs: number): () => void {
  const dueMs = performance.now() + delayMs;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const restMs = dueMs - performance.now();
    timer = setTimeout(restMs > MOST_MS ? wait : call, Math.min(restMs, MOST_MS));
  };
  wait();
  return () => clearTimeout(timer);
}
