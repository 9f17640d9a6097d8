/**
 * A process that this one has started: messages to it and from it, its end, and the signals that stop, continue and kill it.
 *
 * A message is a JSON value: over the channel if the process was started with one, otherwise a line of its stdin or stdout.
 */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from './process-table.ts';

/** How a process ended. Both are null if it could not be started. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** In words, with the last line that it wrote to stderr. */
  readonly reason: string;
}

const MAX_ERROR_TEXT = 20_000;

export class RunningProcess {
  /** Resolves when everything that it has written is read. */
  readonly end: Promise<ProcessEnd>;
  /** What it has written to stderr, without the beginning if that is long. */
  errors = '';
  isPaused = false;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    // A process that has just ended does not read.
    child.stdin?.on('error', () => {});
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.errors = `${this.errors}${text}`.slice(-MAX_ERROR_TEXT);
    });
    this.end = new Promise((resolve) => {
      // A failure of a signal or a message is an event of the same name.
      child.on('error', ({ message }) => {
        if (child.pid !== undefined) return;
        this.errors = message;
        resolve({ code: null, signal: null, reason: message });
      });
      child.once('close', (code, signal) => {
        const how = `it ended with ${signal ?? `code ${code}`}`;
        resolve({ code, signal, reason: this.lastError === '' ? how : `${how}: ${this.lastError}` });
      });
    });
  }

  /** 0 if it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    const { exitCode, pid, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** The last line of `errors`. */
  get lastError(): string {
    return this.errors.trim().split('\n').at(-1) ?? '';
  }

  /** Sends nothing to a process that has ended. */
  send(message: object): void {
    const { connected, stdin } = this.#child;
    if (connected) this.#child.send(message, () => {});
    else if (stdin?.writable) stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Calls `listener` with each message. */
  onMessage<Message>(listener: (message: Message) => void): void {
    const { channel, stdout } = this.#child;
    if (channel != null) this.#child.on('message', (message) => listener(message as Message));
    else if (stdout) createInterface({ input: stdout }).on('line', (line) => listener(JSON.parse(line)));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends SIGSTOP at once. Resolves when the process stands still, or has ended. */
  async pause(): Promise<void> {
    this.isPaused = true;
    this.signal('SIGSTOP');
    while (this.isRunning && readProcess(this.pid)?.isStopped === false) await sleep(1);
  }

  resume(): void {
    this.isPaused = false;
    this.signal('SIGCONT');
  }

  /** Sends SIGKILL, which also ends a process that is paused. */
  kill(): Promise<ProcessEnd> {
    this.signal('SIGKILL');
    return this.end;
  }

  /** Ends its stdin, and kills it if it has not ended after `limitMs`. */
  async endInput(limitMs: number): Promise<ProcessEnd> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.kill(), limitMs);
    const end = await this.end;
    clearTimeout(timer);
    return end;
  }
}
