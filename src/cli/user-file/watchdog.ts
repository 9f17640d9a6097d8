/**
 * Runs a function that may never return, such as a user's handler with an endless loop, and gets the thread back.
 *
 * Guarantees: after about `limitMs` the function is stopped wherever it is. Does not guarantee that what it was at
 * work on is of any further use: it may be looked at, not continued.
 */
import { createContext, Script } from 'node:vm';

/** The interrupted thread may have slept: then the function is not to blame. A busy machine gives it its share at least. */
const BUSY_SHARE = 0.2;

export type Watched<T> =
  | { readonly ended: true; readonly value: T }
  | { readonly ended: false; readonly wasBusy: boolean };

// The watchdog of node:vm stops whatever runs in the thread, and so also what the little script calls out of its context.
const SCRIPT = new Script('work()');
const context = createContext({ work: undefined as unknown });

export function watch<T>(work: () => T, limitMs: number): Watched<T> {
  const before = process.cpuUsage();
  context.work = work;
  try {
    return { ended: true, value: SCRIPT.runInContext(context, { timeout: limitMs }) };
  } catch (error) {
    // Made in the other context, and so no instance of this one's Error.
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    const { user, system } = process.cpuUsage(before);
    return { ended: false, wasBusy: (user + system) / 1000 >= BUSY_SHARE * limitMs };
  } finally {
    context.work = undefined;
  }
}
