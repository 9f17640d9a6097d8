/**
 * A search that may take hours calls handlers that take microseconds, and one of them, if it is a user's own, may never
 * return. A second thread looks whether the same call has been under way for too long, and interrupts this one.
 *
 * Guarantees: a call is stopped after about `limitMs`, not counting time in which the process was suspended.
 * Does not guarantee that the search can go on: it ends with an error that names the handler.
 */
import { createContext, Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { HandlerError } from '../exit.ts';
import { isPath } from '../flags/algorithm-name.ts';
import { handlerLimitMs } from './run-watched.ts';

const POLL_MS = 50;
/** Words that the two threads share. Calls begun and ended, so that the count is odd within one; and how it stands. */
const CALLS = 0;
const STANDS = 1;
const [AT_WORK, DONE, STUCK] = [0, 1, 2];

const SCRIPT = new Script('work()');
const context = createContext({ work: undefined as unknown });

/** Looks at the clock by counting its own naps: whatever stops this process stops them too. */
const LOOKOUT = `
  const { words, polls, pollMs } = require('node:worker_threads').workerData;
  let last = 0;
  let same = 0;
  while (Atomics.wait(words, ${STANDS}, ${AT_WORK}, pollMs) === 'timed-out') {
    const calls = Atomics.load(words, ${CALLS});
    same = calls === last && calls % 2 !== 0 ? same + 1 : 0;
    last = calls;
    if (same < polls) continue;
    Atomics.store(words, ${STANDS}, ${STUCK});
    process.kill(process.pid, 'SIGINT');
  }
`;

/** The handlers of the algorithms that come with the package are known to return. */
export function watchIfOwn<T>(
  calledAs: string,
  algorithm: AnyAlgorithm,
  work: (watched: AnyAlgorithm) => T,
): T {
  return isPath(calledAs) ? watchHandlers(algorithm, handlerLimitMs(0), work) : work(algorithm);
}

/** Does `work` with the algorithm, its handlers watched. */
export function watchHandlers<T>(
  algorithm: AnyAlgorithm,
  limitMs: number,
  work: (watched: AnyAlgorithm) => T,
): T {
  const words = new Int32Array(new SharedArrayBuffer(8));
  let inHand = '';
  const watched = watchedCopy(algorithm, (name, call) => {
    inHand = name;
    words[CALLS]++;
    try {
      return call();
    } finally {
      words[CALLS]++;
    }
  });
  const polls = Math.max(1, Math.ceil(limitMs / POLL_MS));
  const lookout = new Worker(LOOKOUT, { eval: true, workerData: { words, polls, pollMs: POLL_MS } });
  lookout.unref();
  context.work = () => work(watched);
  try {
    return SCRIPT.runInContext(context, { breakOnSigint: true });
  } catch (error) {
    // Made in the other context, and so no instance of this one's Error.
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error;
    if (Atomics.load(words, STANDS) !== STUCK) process.kill(process.pid, 'SIGINT'); // it was the user, for all of us
    throw new HandlerError(`${algorithm.name}: ${inHand} has not returned after ${limitMs / 1000} s`);
  } finally {
    context.work = undefined;
    Atomics.store(words, STANDS, DONE);
    Atomics.notify(words, STANDS);
  }
}

type Handler = (...given: unknown[]) => unknown;

function watchedCopy(
  algorithm: AnyAlgorithm,
  watch: (name: string, call: () => unknown) => unknown,
): AnyAlgorithm {
  const watched =
    (name: string, handler: Handler): Handler =>
    (...given) =>
      watch(name, () => handler.apply(algorithm, given));
  const copyOf = (record: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'function' ? watched(prefix + name, value) : value,
      ]),
    );
  const invariants = algorithm.invariants && copyOf(algorithm.invariants, 'invariant ');
  return {
    ...copyOf(algorithm, ''),
    on: copyOf(algorithm.on, 'on.'),
    ...(invariants && { invariants }),
  } as AnyAlgorithm;
}
