/** The calls of an elector that are under way. Each one ends when the caller's signal aborts, or the elector is closed. */
import { InputError } from '../errors/hustings-error.ts';
import { onAbort } from './abort-listeners.ts';
import { ElectorClosedError } from './elector-errors.ts';

export interface Call {
  /** Aborts with the reason of the caller's signal, or with an `ElectorClosedError`. */
  readonly signal: AbortSignal;
  /** From now on only `close` aborts the call. */
  ignoreCaller(): void;
  abort(): void;
  end(): void;
}

/** A candidate wants to lead; an observer watches. */
type Role = 'candidate' | 'observer';

export class Calls {
  private readonly pending = new Map<AbortController, Role>();
  private whenIdle = (): void => {};
  isClosed = false;
  onChange = (): void => {};

  constructor(private readonly name: string) {}

  checkOpen(): void {
    if (this.isClosed) throw new ElectorClosedError(this.name);
  }

  /** The calls that want to lead and have not been told to end. */
  get candidates(): number {
    return [...this.pending].filter(([{ signal }, role]) => role === 'candidate' && !signal.aborted).length;
  }

  /** The caller ends every call that it begins. Not by AbortSignal.any, which on Node 20 leaks memory on a long-lived signal. */
  begin(signal: AbortSignal | undefined, role: Role): Call {
    this.checkOpen();
    if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
      throw new InputError(`signal must be an AbortSignal, not ${signal === null ? 'null' : typeof signal}`);
    }
    const controller = new AbortController();
    if (signal?.aborted) controller.abort(signal.reason);
    const ignoreCaller = onAbort(signal, () => controller.abort(signal?.reason));
    this.pending.set(controller, role);
    this.onChange();
    const end = (): void => {
      ignoreCaller();
      this.pending.delete(controller);
      this.onChange();
      if (this.pending.size === 0) this.whenIdle();
    };
    return { signal: controller.signal, ignoreCaller, abort: () => controller.abort(), end };
  }

  /** Ends all calls, and resolves when they have ended. */
  close(): Promise<void> {
    this.isClosed = true;
    for (const controller of [...this.pending.keys()]) controller.abort(new ElectorClosedError(this.name));
    this.onChange();
    if (this.pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.whenIdle = resolve;
    });
  }
}
