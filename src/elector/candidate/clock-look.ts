/**
 * Timers stand still while a machine sleeps. So every leader of the process looks at its clocks once a second, and sees
 * within a second of waking that it slept. One timer serves them all: with a timer each, a process that holds a thousand
 * leases would spend more time on looking than on renewing.
 */
import { LOOK_EVERY_MS } from '../../lease/core/candidate-queries.ts';

const looks = new Set<() => void>();
let timer: NodeJS.Timeout | null = null;

/** Calls `look` once a second, until the function that it returns is called. */
export function lookOften(look: () => void): () => void {
  looks.add(look);
  timer ??= setInterval(() => {
    for (const each of looks) each();
  }, LOOK_EVERY_MS).unref();
  return () => {
    looks.delete(look);
    if (looks.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}
