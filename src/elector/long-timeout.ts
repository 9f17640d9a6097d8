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
