/**
 * Timeouts of requests. A timer is created once and restarted for the next request, because creating and clearing a timer
 * costs more than everything else that a request does in this process.
 */
export class RequestTimers {
  readonly #holdsProcess: boolean;
  #idle: RequestTimer | null = null;

  /** `holdsProcess` false: a pending request does not keep the process alive. */
  constructor(holdsProcess: boolean) {
    this.#holdsProcess = holdsProcess;
  }

  start(ms: number, onLate: () => void): RequestTimer {
    const idle = this.#idle;
    this.#idle = null;
    if (idle?.ms === ms) return idle.restart(onLate, this.#holdsProcess);
    idle?.clear();
    return new RequestTimer(ms).restart(onLate, this.#holdsProcess);
  }

  end(timer: RequestTimer): void {
    if (this.#idle === null) this.#idle = timer.rest();
    else timer.clear();
  }
}

export class RequestTimer {
  readonly ms: number;
  readonly #timer: NodeJS.Timeout;
  #onLate: (() => void) | null = null;
  isOver = false;

  constructor(ms: number) {
    this.ms = ms;
    this.#timer = setTimeout(() => {
      if (this.#onLate === null) return;
      this.isOver = true;
      this.#onLate();
    }, ms);
  }

  restart(onLate: () => void, holdsProcess: boolean): this {
    this.#onLate = onLate;
    this.isOver = false;
    this.#timer.refresh();
    if (holdsProcess) this.#timer.ref();
    else this.#timer.unref();
    return this;
  }

  rest(): this {
    this.#onLate = null;
    this.#timer.unref();
    return this;
  }

  clear(): void {
    this.#onLate = null;
    clearTimeout(this.#timer);
  }
}
