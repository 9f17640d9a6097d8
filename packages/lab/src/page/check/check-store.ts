/** The search of the page Check: one job at a time, its progress, and its result. */
import { signal } from '@preact/signals';
import type { CheckProgress, CheckReply, CheckRequest } from '../../model/check/check-request.ts';
import { type Job, JobCancelled, startJob } from '../../workers/job.ts';

export type CheckState =
  | { readonly type: 'idle' }
  | { readonly type: 'running'; readonly progress: CheckProgress | null }
  | { readonly type: 'done'; readonly request: CheckRequest; readonly reply: CheckReply }
  | { readonly type: 'cancelled'; readonly progress: CheckProgress | null }
  | { readonly type: 'failed'; readonly text: string };

function openWorker(): Worker {
  return new Worker(new URL('../../workers/check-worker.ts', import.meta.url), { type: 'module' });
}

/** The search of a page. */
export class CheckStore {
  readonly state = signal<CheckState>({ type: 'idle' });
  private job: Job<CheckReply> | null = null;

  /** Ends the search that runs, if any, and begins another. */
  async start(request: CheckRequest): Promise<void> {
    this.job?.cancel();
    this.state.value = { type: 'running', progress: null };
    const job = startJob<CheckRequest, CheckProgress, CheckReply>(openWorker, request, (progress) => {
      if (this.job === job) this.state.value = { type: 'running', progress };
    });
    this.job = job;
    try {
      const reply = await job.result;
      if (this.job === job) this.state.value = { type: 'done', request, reply };
    } catch (error) {
      if (this.job !== job || error instanceof JobCancelled) return;
      this.state.value = { type: 'failed', text: (error as Error).message };
    }
  }

  /** Ends the search and says what it covered. */
  cancel(): void {
    const { value } = this.state;
    this.job?.cancel();
    this.job = null;
    this.state.value = { type: 'cancelled', progress: value.type === 'running' ? value.progress : null };
  }

  dispose(): void {
    this.job?.cancel();
    this.job = null;
  }
}
