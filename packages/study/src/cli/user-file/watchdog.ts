/**
 * Runs a function that may never return, such as a user's handler with an endless loop.
 *
 * Guarantees: the function is stopped after about `limitMs`. Does not guarantee that the data it changed are consistent:
 * they may be inspected, but not used further.
 */
import { createContext, Script } from 'node:vm';

/** With a smaller share of CPU time the process was suspended, and the function is not the cause. */
const BUSY_SHARE = 0.05;

export type Watched<T> =
  | { readonly ended: true; readonly value: T }
  | { readonly ended: false; readonly wasBusy: boolean };

// The timeout of node:vm stops whatever runs in the thread, including functions of this context that the script calls.
const SCRIPT = new Script('work()');
const context = createContext({ work: undefined as unknown });

export function watch<T>(work: () => T, limitMs: number): Watched<T> {
  const before = process.cpuUsage();
  context.work = work;
  try {
    return { ended: true, value: SCRIPT.runInContext(context, { timeout: limitMs }) };
  } catch (error) {
    // The error is from another context, so it is not an instance of this context's Error.
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    const { user, system } = process.cpuUsage(before);
    return { ended: false, wasBusy: (user + system) / 1000 >= BUSY_SHARE * limitMs };
  } finally {
    context.work = undefined;
  }
}
