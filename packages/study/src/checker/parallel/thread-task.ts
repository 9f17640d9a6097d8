/** Threads for the searches of check(): what the caller provides, and what each thread needs to build the same system. */
import type { SetupOptions } from '../../kernel/setup.ts';
import type { SearchThread, ThreadStart, WorkerPoolPace } from './worker-pool.ts';

/** A part of a search for another thread. It can be cloned. */
export interface ThreadTask {
  /** The name of the algorithm. */
  readonly algorithm: string;
  /** Those of check(), without functions. */
  readonly options: SetupOptions;
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  readonly dead: readonly number[];
  readonly reduce: boolean;
  readonly isTooLarge: boolean;
  readonly start: ThreadStart;
}

/** Threads that the caller provides for large searches. Results do not depend on them. */
export interface SearchThreads {
  /** The number of threads, including the one that calls check(). */
  readonly cores: number;
  /** Starts a thread that calls `serveTask`, with the same algorithm. */
  start(task: ThreadTask): SearchThread;
  readonly pace?: WorkerPoolPace | undefined;
}
