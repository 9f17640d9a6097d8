/**
 * A job in a worker: one request, any number of progress reports, one result. Cancelling ends the worker. A worker that dies
 * rejects the job with a text for the page.
 */
import type { JobReply } from './serve-job.ts';

/** A job that runs. */
export interface Job<Result> {
  readonly result: Promise<Result>;
  /** Ends the worker; the result rejects with JobCancelled. */
  cancel(): void;
}

/** The job was cancelled by the page. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled';
}

/** Starts a job in a worker of its own. */
export function startJob<Request, Progress, Result>(
  open: () => Worker,
  request: Request,
  onProgress: (progress: Progress) => void = () => {},
): Job<Result> {
  const worker = open();
  let cancel = (): void => {};
  const result = new Promise<Result>((resolve, reject) => {
    const end = (settle: () => void): void => {
      // What the worker has sent before is not for the page any more.
      worker.onmessage = null;
      worker.terminate();
      settle();
    };
    cancel = () => end(() => reject(new JobCancelled('the job was cancelled')));
    worker.onmessage = ({ data }: MessageEvent<JobReply<Progress, Result>>) => {
      if (data.type === 'progress') onProgress(data.progress);
      else if (data.type === 'result') end(() => resolve(data.result));
      else end(() => reject(new Error(data.message)));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(() => reject(new Error(event.message || 'the worker ended unexpectedly')));
    };
    worker.onmessageerror = () => end(() => reject(new Error('the worker sent something unreadable')));
  });
  worker.postMessage(request);
  return { result, cancel };
}
