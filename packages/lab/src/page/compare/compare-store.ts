/** The sweep of the page Compare: its workers, and the result so far. */

import { countChunks, decodeTally, resultOf, type SweepResult, SweepTally } from '@hustings/study/sweep';
import { signal } from '@preact/signals';
import { type CompareRequest, comparePlan } from '../../model/compare/compare-request.ts';
import { type Job, JobCancelled, startJob } from '../../workers/job.ts';
import type { ChunkDone, SweepShare } from '../../workers/sweep-worker.ts';

export interface CompareState {
  readonly type: 'running' | 'done' | 'cancelled' | 'failed';
  /** Null before the first chunk. */
  readonly result: SweepResult | null;
  readonly done: number;
  readonly all: number;
  /** Why the sweep failed. */
  readonly text: string;
}

const MAX_WORKERS = 4;
/** The result is worked out at most once in this time. */
const SHOW_MS = 150;

function openWorker(): Worker {
  return new Worker(new URL('../../workers/sweep-worker.ts', import.meta.url), { type: 'module' });
}

/** The sweep of a page. */
export class CompareStore {
  readonly state = signal<CompareState>({ type: 'running', result: null, done: 0, all: 0, text: '' });
  private jobs: readonly Job<null>[] = [];

  /** Ends the sweep that runs, if any, and begins another. */
  async start(request: CompareRequest): Promise<void> {
    this.stop();
    const plan = comparePlan(request);
    const tally = new SweepTally(plan);
    const all = countChunks(plan);
    let done = 0;
    let shownMs = 0;
    const show = (type: CompareState['type'], text = ''): void => {
      this.state.value = { type, result: done === 0 ? null : resultOf(tally), done, all, text };
    };
    show('running');
    const workers = Math.max(1, Math.min(MAX_WORKERS, all, navigator.hardwareConcurrency || 1));
    const jobs = Array.from({ length: workers }, (_, share) =>
      startJob<SweepShare, ChunkDone, null>(openWorker, { ...request, share, of: workers }, (chunk) => {
        tally.add(chunk.chunk, decodeTally(chunk.tally));
        done++;
        const now = performance.now();
        if (now - shownMs < SHOW_MS) return;
        shownMs = now;
        show('running');
      }),
    );
    this.jobs = jobs;
    try {
      await Promise.all(jobs.map(({ result }) => result));
      if (this.jobs === jobs) show('done');
    } catch (error) {
      if (this.jobs !== jobs || error instanceof JobCancelled) return;
      this.stop();
      show('failed', (error as Error).message);
    }
  }

  /** Ends the sweep and keeps what it has measured. */
  cancel(): void {
    this.stop();
    this.state.value = { ...this.state.peek(), type: 'cancelled' };
  }

  /** Ends all workers. */
  stop(): void {
    const { jobs } = this;
    this.jobs = [];
    for (const job of jobs) {
      job.result.catch(() => {});
      job.cancel();
    }
  }
}
