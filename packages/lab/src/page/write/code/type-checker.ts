/** The page's side of the worker that finds type errors. The worker and the compiler are loaded for the first text. */
import type { TypeReport } from '../../../model/write/code-problem.ts';
import type { TypesRequest } from '../../../workers/type-error-worker.ts';
import workerUrl from '../../../workers/type-error-worker.ts?worker&url';

/** The first text waits for ten megabytes of compiler, on a machine that may be busy. */
const MAX_MS = 60_000;

/** Checks one text at a time. A text that comes meanwhile waits; only the last one is kept. */
export class TypeChecker {
  private worker: Worker | null = null;
  private timer = 0;
  private isBusy = false;
  private isWanted = false;
  private waiting: string | null = null;

  /** `onReport` hears of the last text only. */
  constructor(private readonly onReport: (report: TypeReport) => void) {}

  check(text: string): void {
    this.waiting = text;
    this.isWanted = true;
    if (!this.isBusy) this.next(text);
  }

  /** No report follows until the next text. */
  forget(): void {
    this.waiting = null;
    this.isWanted = false;
  }

  private next(text: string): void {
    this.waiting = null;
    this.isBusy = true;
    this.worker ??= this.open();
    this.timer = window.setTimeout(() => this.fail('TypeScript took too long'), MAX_MS);
    const request: TypesRequest = { script: new URL('typescript.js', document.baseURI).href, text };
    this.worker.postMessage(request);
  }

  private open(): Worker {
    const worker = new Worker(new URL(workerUrl, document.baseURI));
    worker.onmessage = ({ data }: MessageEvent<TypeReport>) => this.end(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message || 'the worker ended unexpectedly');
    };
    return worker;
  }

  private fail(text: string): void {
    this.dispose();
    this.end({ type: 'failed', text });
  }

  private end(report: TypeReport): void {
    clearTimeout(this.timer);
    this.isBusy = false;
    if (this.waiting !== null) this.next(this.waiting);
    else if (this.isWanted) this.onReport(report);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
  }
}
