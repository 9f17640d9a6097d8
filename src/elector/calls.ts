/** The calls of an elector that are under way. Each one ends when the caller's signal aborts, or the elector is closed. */
import { onAbort } from './abort-listener.ts';
import { ElectorClosedError } from './elector-errors.ts';

export interface Call {
  /** Aborts with the reason of the caller's signal, or with an `ElectorClosedError`. */
  readonly signal: AbortSignal;
  /** From now on only `close` aborts the call. */
  ignoreCaller(): void;
  abort(): void;
  end(): void;
}

export class Calls {
  private readonly pending = new Set<AbortController>();
  private isClosed = false;
  private whenIdle = (): void => {};

  constructor(private readonly name: string) {}

  checkOpen(): void {
    if (this.isClosed) throw new ElectorClosedError(this.name);
  }

  /** The caller ends every call that it begins. Not by AbortSignal.any, which on Node 20 leaks memory on a long-lived signal. */
  begin(signal: AbortSignal | undefined): Call {
    this.checkOpen();
    const controller = new AbortController();
    if (signal?.aborted) controller.abort(signal.reason);
    const ignoreCaller = onAbort(signal, () => controller.abort(signal?.reason));
    this.pending.add(controller);
    const end = (): void => {
      ignoreCaller();
      this.pending.delete(controller);
      if (this.pending.size === 0) this.whenIdle();
    };
    return { signal: controller.signal, ignoreCaller, abort: () => controller.abort(), end };
  }

  /** Ends all calls, and resolves when they have ended, or after this time. */
  close(mostMs: number): Promise<void> {
    this.isClosed = true;
    for (const controller of [...this.pending]) controller.abort(new ElectorClosedError(this.name));
    if (this.pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
