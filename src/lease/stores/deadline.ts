/**
 * The time that a call has. A timer is made once and wound up again for each call that follows another, since making one
 * and clearing it costs more than all else that a call does in this process.
 */
export class Deadlines {
  readonly #holdsProcess: boolean;
  #idle: Deadline | null = null;

  /** `holdsProcess` false: a call under way keeps no process alive. */
  constructor(holdsProcess: boolean) {
    this.#holdsProcess = holdsProcess;
  }

  start(ms: number, onLate: () => void): Deadline {
    const idle = this.#idle;
    this.#idle = null;
    if (idle?.ms === ms) return idle.restart(onLate, this.#holdsProcess);
    idle?.clear();
    return new Deadline(ms).restart(onLate, this.#holdsProcess);
  }

  end(deadline: Deadline): void {
    if (this.#idle === null) this.#idle = deadline.rest();
    else deadline.clear();
  }
}

export class Deadline {
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
