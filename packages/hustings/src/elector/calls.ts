/** The calls of an elector that are under way. Each one ends when the caller's signal aborts, or the elector is closed. */
import { InputError } from '@hustings/base';
import { type CallSignal, onAbort } from './abort-listeners.ts';
import { ElectorClosedError } from './elector-errors.ts';

/** A candidate wants to lead; an observer watches. */
type Role = 'candidate' | 'observer';

/** Aborts with the reason of the caller's signal, or with an `ElectorClosedError`. */
export class Call implements CallSignal {
  aborted = false;
  reason: unknown;
  private listeners: readonly (() => void)[] = [];
  private readonly unlisten: () => void;

  /** Not by AbortSignal.any, which on Node 20 leaks memory on a long-lived signal. */
  constructor(
    readonly role: Role,
    signal: AbortSignal | undefined,
    private readonly onEnd: (call: Call) => void,
  ) {
    if (signal?.aborted) this.abort(signal.reason);
    this.unlisten = onAbort(signal, () => this.abort(signal?.reason));
  }

  /** From now on only `close` aborts the call. */
  ignoreCaller(): void {
    this.unlisten();
  }

  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  onAbort(listener: () => void): () => void {
    // One function may listen twice: each registration has its own end.
    const own = (): void => listener();
    // Not by a spread, which reserves room for 16 more.
    this.listeners = this.listeners.concat(own);
    return () => {
      this.listeners = this.listeners.filter((each) => each !== own);
    };
  }

  end(): void {
    this.unlisten();
    this.onEnd(this);
  }
}

export class Calls {
  private pending: readonly Call[] = [];
  private whenIdle = (): void => {};
  isClosed = false;
  onChange = (): void => {};

  constructor(private readonly name: string) {}

  checkOpen(): void {
    if (this.isClosed) throw new ElectorClosedError(this.name);
  }

  /** The calls that want to lead and have not been told to end. */
  get candidates(): number {
    return this.pending.filter(({ aborted, role }) => role === 'candidate' && !aborted).length;
  }

  /** The caller ends every call that it begins. */
  begin(signal: AbortSignal | undefined, role: Role): Call {
    this.checkOpen();
    if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
      throw new InputError(`signal must be an AbortSignal, not ${signal === null ? 'null' : typeof signal}`);
    }
    const call = new Call(role, signal, (ended) => {
      this.pending = this.pending.filter((each) => each !== ended);
      this.onChange();
      if (this.pending.length === 0) this.whenIdle();
    });
    this.pending = this.pending.concat(call);
    this.onChange();
    return call;
  }

  /** Ends all calls, and resolves when they have ended. */
  close(): Promise<void> {
    this.isClosed = true;
    for (const call of this.pending) call.abort(new ElectorClosedError(this.name));
    this.onChange();
    if (this.pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.whenIdle = resolve;
    });
  }
}
