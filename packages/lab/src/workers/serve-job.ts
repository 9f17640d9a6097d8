/** The side of a job that is in the worker. */
import { errorMessage } from '@hustings/base';

/** What a worker sends. */
export type JobReply<Progress, Result> =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'error'; readonly message: string };

/** The part of a worker's global scope that a job needs. */
interface JobScope<Request> {
  onmessage: ((event: { readonly data: Request }) => void) | null;
  postMessage(message: unknown): void;
}

/** The page shows a report per frame at most, and a report costs more than a step of the work. */
const REPORT_MS = 100;

/** Reports at most once in a while; what comes in between is dropped. */
export function sometimes<Progress>(report: (progress: Progress) => void): (progress: Progress) => void {
  let reportedMs = performance.now();
  return (progress) => {
    const now = performance.now();
    if (now - reportedMs < REPORT_MS) return;
    reportedMs = now;
    report(progress);
  };
}

/** Answers the one request of this worker. */
export function serveJob<Request, Progress, Result>(
  work: (request: Request, report: (progress: Progress) => void) => Result | Promise<Result>,
  scope = globalThis as unknown as JobScope<Request>,
): void {
  const reply = (message: JobReply<Progress, Result>): void => scope.postMessage(message);
  scope.onmessage = async ({ data }) => {
    try {
      reply({
        type: 'result',
        result: await work(data, (progress) => reply({ type: 'progress', progress })),
      });
    } catch (error) {
      reply({ type: 'error', message: errorMessage(error) });
    }
  };
}
