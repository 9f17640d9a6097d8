/**
 * The signals that the supervisor receives. While a command runs they are passed on to it, except SIGTERM, which tells the
 * supervisor to stop the command. The command then receives SIGTERM, unless systemd has sent it one already. While none runs, or if signals are not passed on, each signal that ends a process does.
 *
 * Not passed on: SIGKILL and SIGSTOP, which a process cannot receive, and SIGTSTP (Ctrl-Z), which stops the supervisor as
 * it stops every program. The guard then kills the command at its deadline.
 */
const PASSED: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'] as const),
];
const ENDING: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

export interface SignalPolicy {
  /** False if a service manager signals the command itself: the command would receive each signal twice. */
  readonly forwards: boolean;
  /** Whether SIGHUP is ignored, as after nohup. */
  readonly ignoresHangup: boolean;
}

export class SignalRelay {
  /** Aborts when the supervisor must stop. */
  readonly stop: AbortSignal;
  /** The signal that told it to stop. */
  received: NodeJS.Signals | null = null;
  /** The running command, which receives the signals. */
  target: { signal(signal: NodeJS.Signals): void } | null = null;
  /** Whether the command receives SIGTERM when it is to stop; known when `stop` aborts. */
  terminates: boolean;
  readonly #controller = new AbortController();
  readonly #listener = (signal: NodeJS.Signals): void => this.#take(signal);

  /** `isUnitSignalled`: whether systemd has sent SIGTERM to the command too. */
  constructor(
    private readonly policy: SignalPolicy,
    private readonly isUnitSignalled: () => Promise<boolean>,
  ) {
    this.stop = this.#controller.signal;
    this.terminates = policy.forwards;
    for (const signal of new Set([...PASSED, ...ENDING])) process.on(signal, this.#listener);
  }

  /** Restores the default actions of all signals. */
  close(): void {
    for (const signal of new Set([...PASSED, ...ENDING])) process.off(signal, this.#listener);
  }

  #take(signal: NodeJS.Signals): void {
    const { forwards, ignoresHangup } = this.policy;
    if (signal === 'SIGHUP' && ignoresHangup) return;
    if (this.target !== null && forwards && PASSED.includes(signal)) this.target.signal(signal);
    else if (ENDING.includes(signal)) {
      this.received ??= signal;
      if (signal === 'SIGTERM' && this.target !== null && forwards) void this.#stopCommand();
      else this.#controller.abort();
    }
  }

  async #stopCommand(): Promise<void> {
    const isSignalled = await this.isUnitSignalled();
    if (isSignalled) this.terminates = false;
    this.#controller.abort();
  }
}
