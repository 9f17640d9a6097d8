/**
 * The page's side of the sandbox: a frame of an opaque origin, in which one worker at a time runs a reader's code.
 *
 * Guarantees: nothing of the code runs in the page; every reply has passed readReply; a worker that is silent for too long is
 * ended, and the handler that did not return is named.
 */

import { type OwnCodeReply, type OwnCodeRequest, readReply } from '../../../model/write/own-code.ts';
import engineUrl from '../../../workers/own-code-worker.ts?worker&url';
import frameUrl from './frame.html?url';

/** Code that returns reports far more often. */
const SILENCE_MS = 1000;
/** A second chance, while every call is reported: a busy machine is slow, but not endless. */
const DIAGNOSIS_SILENCE_MS = 3000;
const POLL_MS = 100;
/** A worker on a busy machine starts within this time. */
const START_MS = 30_000;

export type SandboxEvent =
  | Exclude<OwnCodeReply, { type: 'enter' }>
  /** A worker was silent: another one begins from the start, and reports each call. */
  | { readonly type: 'again' }
  /** A handler did not return; it is null if the code did not return while it was loaded. */
  | { readonly type: 'hung'; readonly handler: string | null };

/** Runs code. Only one sandbox is needed per page. */
export class Sandbox {
  private readonly frame: HTMLIFrameElement;
  private readonly ready: Promise<void>;
  private engine: Promise<string> | null = null;
  private job = 0;
  private listener: ((reply: unknown) => void) | null = null;
  private timer = 0;

  constructor() {
    this.frame = document.createElement('iframe');
    this.frame.setAttribute('sandbox', 'allow-scripts');
    this.frame.title = 'Sandbox';
    this.frame.hidden = true;
    this.frame.src = new URL(frameUrl, document.baseURI).href;
    let isReady = (): void => {};
    this.ready = new Promise((resolve) => {
      isReady = resolve;
    });
    addEventListener('message', this.receive);
    this.onReady = isReady;
    document.body.append(this.frame);
  }

  private readonly onReady: () => void;

  private readonly receive = ({ data, source }: MessageEvent): void => {
    if (source !== this.frame.contentWindow || typeof data !== 'object' || data === null) return;
    if (data.type === 'ready') this.onReady();
    else if (data.job === this.job) this.listener?.(data.message);
  };

  /** Ends what runs, and runs this. */
  async run(
    request: Omit<OwnCodeRequest, 'isDiagnosis'>,
    onEvent: (event: SandboxEvent) => void,
    isDiagnosis = false,
  ): Promise<void> {
    this.cancel();
    const job = this.job;
    await this.ready;
    this.engine ??= fetch(new URL(engineUrl, document.baseURI)).then((answer) => answer.text());
    const engine = await this.engine;
    if (job !== this.job) return;
    let last = performance.now() + START_MS;
    let handler: string | null = null;
    const limit = isDiagnosis ? DIAGNOSIS_SILENCE_MS : SILENCE_MS;
    this.listener = (given) => {
      last = performance.now();
      const reply = readReply(given);
      if (reply === null) {
        this.cancel();
        onEvent({ type: 'died', text: 'the code sent something that is no result' });
      } else if (reply.type === 'enter') handler = reply.handler === '' ? null : reply.handler;
      else {
        const isLast = reply.type === 'done' || reply.type === 'died';
        if (isLast || (reply.type === 'failed' && reply.stage === 'load')) clearInterval(this.timer);
        onEvent(reply);
      }
    };
    this.timer = window.setInterval(() => {
      if (performance.now() - last < limit) return;
      this.cancel();
      if (isDiagnosis) return onEvent({ type: 'hung', handler });
      onEvent({ type: 'again' });
      void this.run(request, onEvent, true);
    }, POLL_MS);
    this.frame.contentWindow?.postMessage(
      { type: 'start', job, engine, request: { ...request, isDiagnosis } },
      '*',
    );
  }

  /** Ends what runs. */
  cancel(): void {
    this.job++;
    this.listener = null;
    clearInterval(this.timer);
    this.frame.contentWindow?.postMessage({ type: 'stop' }, '*');
  }

  dispose(): void {
    this.cancel();
    removeEventListener('message', this.receive);
    this.frame.remove();
  }
}
