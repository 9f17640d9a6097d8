/**
 * Stops a handler that never returns during a search. A search may take hours, so it has no time limit itself; a second
 * thread detects that one call takes too long, and interrupts this thread.
 *
 * Guarantees: a call is stopped after about `limitMs`, not counting time in which the process was suspended.
 * Does not guarantee that the search can continue: it ends with an error that names the handler.
 */
import { createContext, Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { type ExitCategory, HustingsError } from '@hustings/base';
import type { AnyAlgorithm } from '../../kernel/index.ts';
import { isPath } from '../flags/algorithm-name.ts';
import { invariantCopy } from './invariant-copy.ts';
import { handlerLimitMs } from './run-watched.ts';

/** A handler of the user's own algorithm failed outside a run that could be replayed. */
export class HandlerError extends HustingsError {
  constructor(message: string) {
    super(message, { code: 'HUSTINGS_HANDLER' });
  }

  override get exitCategory(): ExitCategory {
    return 'election';
  }
}

const POLL_MS = 50;
/** Words that the threads share: the number of begun and ended calls, which is odd during a call; and the status. */
const CALLS = 0;
const STATUS = 1;
const [RUNNING, DONE, STUCK] = [0, 1, 2];

const SCRIPT = new Script('work()');
const context = createContext({ work: undefined as unknown });

/** Measures time by counting its own waits, which stop if the process is suspended. */
const WATCHER = `
  const { words, polls, pollMs } = require('node:worker_threads').workerData;
  let last = 0;
  let same = 0;
  while (Atomics.wait(words, ${STATUS}, ${RUNNING}, pollMs) === 'timed-out') {
    const calls = Atomics.load(words, ${CALLS});
    same = calls === last && calls % 2 !== 0 ? same + 1 : 0;
    last = calls;
    if (same < polls) continue;
    Atomics.store(words, ${STATUS}, ${STUCK});
    process.kill(process.pid, 'SIGINT');
  }
`;

/** Watches only a user's algorithm: the handlers of this package are known to return. */
export function watchIfOwn<T>(
  calledAs: string,
  algorithm: AnyAlgorithm,
  work: (watched: AnyAlgorithm) => T,
): T {
  return isPath(calledAs) ? watchHandlers(algorithm, handlerLimitMs(0), work) : work(algorithm);
}

/** Calls `work` with a copy of the algorithm whose handlers are watched. */
export function watchHandlers<T>(
  algorithm: AnyAlgorithm,
  limitMs: number,
  work: (watched: AnyAlgorithm) => T,
): T {
  const words = new Int32Array(new SharedArrayBuffer(8));
  let current = '';
  const watched = watchedCopy(algorithm, (name, call) => {
    current = name;
    words[CALLS]++;
    try {
      return call();
    } finally {
      words[CALLS]++;
    }
  });
  const polls = Math.max(1, Math.ceil(limitMs / POLL_MS));
  const watcher = new Worker(WATCHER, { eval: true, workerData: { words, polls, pollMs: POLL_MS } });
  watcher.unref();
  context.work = () => work(watched);
  try {
    return SCRIPT.runInContext(context, { breakOnSigint: true });
  } catch (error) {
    // The error is from another context, so it is not an instance of this context's Error.
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error;
    if (Atomics.load(words, STATUS) !== STUCK) process.kill(process.pid, 'SIGINT'); // the signal came from the user
    throw new HandlerError(`${algorithm.name}: ${current} has not returned after ${limitMs / 1000} s`);
  } finally {
    context.work = undefined;
    Atomics.store(words, STATUS, DONE);
    Atomics.notify(words, STATUS);
  }
}

type Handler = (...given: unknown[]) => unknown;

/** A copy of the algorithm; `watch` calls each of its handlers, by name. */
export function watchedCopy(
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
  const invariants =
    algorithm.invariants &&
    invariantCopy(
      algorithm.invariants,
      (name, holds) => watched(`invariant ${name}`, holds as Handler) as typeof holds,
    );
  return {
    ...copyOf(algorithm, ''),
    on: copyOf(algorithm.on, 'on.'),
    ...(invariants && { invariants }),
  } as AnyAlgorithm;
}
