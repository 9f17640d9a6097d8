/** One job of a batch: its data in the queue, and its result. */
import type { Part, SharedTask } from './shared-work.ts';

/** A job as BullMQ stores it. */
export interface JobData {
  readonly batch: string;
  readonly job: number;
  readonly tasks: readonly SharedTask[];
}

/** The result of a job. The error is plain JSON, which only the command and the thread understand. */
export type JobResult =
  | { readonly type: 'parts'; readonly parts: readonly Part[] }
  | { readonly type: 'error'; readonly error: object };

/** What a job asks of a thread. */
export interface JobRequest {
  readonly batch: string;
  /** The work as JSON, which is parsed only for a new batch. */
  readonly work: string;
  readonly tasks: readonly SharedTask[];
}

/** Computes jobs. */
export interface JobComputer {
  /** The result, or null if the signal aborted. */
  compute(request: JobRequest, signal: AbortSignal): Promise<JobResult | null>;
  close(): Promise<void>;
}
