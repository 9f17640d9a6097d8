/** A second thread for many searches, one after the other: starting one for each search would take longer than the searches. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { SearchThreads } from '../../../src/checker/index.ts';
import { GENERATION } from '../../../src/checker/parallel/control.ts';
import type { Automaton } from './automaton.ts';
import { END, type PoolTask } from './pool-thread.ts';

/** Small searches use the thread too. */
const PACE = { fromStates: 40, waits: true, minEach: 4, lostMs: 60_000 };

export class SearchPool {
  readonly #folder: string;
  readonly #worker: Worker;
  readonly #tasks: Int32Array;
  /** The number of searches that the thread has taken part in. */
  searches = 0;

  static async open(): Promise<SearchPool> {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-pool-'));
    const file = join(folder, 'pool-thread.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('./pool-thread.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: file,
    });
    return new SearchPool(folder, file);
  }

  private constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#tasks = new Int32Array(new SharedArrayBuffer(4));
    this.#worker = new Worker(file, { workerData: this.#tasks });
  }

  /** For the searches of one automaton. */
  threadsOf(automaton: Automaton): SearchThreads {
    return {
      cores: 2,
      pace: PACE,
      start: (task) => {
        this.searches++;
        const work: PoolTask = { automaton, task };
        this.#worker.postMessage(work);
        Atomics.add(this.#tasks, 0, 1);
        Atomics.notify(this.#tasks, 0);
        return {
          send: (memory) => this.#worker.postMessage(memory),
          end: () => {
            // The thread waits for its next phase, and finds the end instead.
            this.#worker.postMessage(END);
            Atomics.add(task.start.work.words, GENERATION, 1);
            Atomics.notify(task.start.work.words, GENERATION);
          },
        };
      },
    };
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
    rmSync(this.#folder, { recursive: true });
  }
}
