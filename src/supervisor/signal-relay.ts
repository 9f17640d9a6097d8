/**
 * The signals that the wrapper gets. While a command runs they are for the command, except SIGTERM, which asks the wrapper
 * to stop it; while none runs, those that would end a process end the wait.
 *
 * Not passed on: SIGKILL and SIGSTOP, of which a process never hears, and SIGTSTP (Ctrl-Z), which stops the wrapper as
 * it stops every program. The guard then kills the command at its deadline.
 */
const PASSED: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'] as const),
];
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

export class SignalRelay {
  /** Aborts when the wrapper is to stop. */
  readonly stop: AbortSignal;
  /** The signal that asked for it. */
  asked: NodeJS.Signals | null = null;
  /** What runs now and gets the signals. */
  target: { signal(signal: NodeJS.Signals): void } | null = null;
  readonly #controller = new AbortController();
  readonly #listener = (signal: NodeJS.Signals): void => this.#take(signal);

  constructor() {
    this.stop = this.#controller.signal;
    for (const signal of new Set([...PASSED, ...ENDING])) process.on(signal, this.#listener);
  }

  /** Signals do again what they do by default. */
  close(): void {
    for (const signal of new Set([...PASSED, ...ENDING])) process.off(signal, this.#listener);
  }

  #take(signal: NodeJS.Signals): void {
    if (this.target !== null && PASSED.includes(signal)) this.target.signal(signal);
    else if (ENDING.includes(signal)) {
      this.asked ??= signal;
      this.#controller.abort();
    }
  }
}
