/**
 * The supervisor's handle of the guard process: starts it, sends it the deadlines, and learns how the command ended.
 *
 * Guaranteed: `run` settles only when no process of the guard's session is alive, however the guard ended. Whatever the
 * guard does, this side kills at the last deadline that the guard has acknowledged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HustingsError } from '@hustings/base';
import { readProcess, sendSignal } from '@hustings/base/node';
import type { ClockReading } from '../lease/core/clock-reading.ts';
import { deadlineIn, remainingMs } from './deadline.ts';
import type { CommandDeadlines, FromGuard, ToGuard } from './guard-main.ts';
import { killSession, type SessionLeader, signalSession } from './session-kill.ts';

export interface GuardedCommand extends CommandDeadlines {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly deadlineFile: string | null;
}

/** failed: the command could not be started. guard-lost: the guard died first. */
export type CommandEnd =
  | Extract<FromGuard, { readonly type: 'exited' | 'failed' | 'killed' }>
  | { readonly type: 'guard-lost' };

export class GuardError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_GUARD', cause });
  }
}

const CHECK_EVERY_MS = 1000;
const KILL_AGAIN_MS = 50;
const COMPILED = fileURLToPath(new URL('./guard-main.js', import.meta.url));

export interface GuardOptions {
  /** Shown in the list of processes. */
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  /** The compiled guard, if it is not beside this file. */
  readonly file?: string;
  /** Called once with the processes that SIGKILL does not end. */
  readonly onUnkillable?: (pids: readonly number[]) => void;
}

export class Guard {
  /** The session that the guard leads and the command will belong to. */
  readonly leader: SessionLeader;
  /** Settles when the guard and its whole session are dead. */
  readonly end: Promise<CommandEnd>;
  readonly #process: ChildProcess;
  #report: CommandEnd | null = null;
  #killAt: ClockReading | null = null;
  #graceEnds: ClockReading | null = null;
  #timer: NodeJS.Timeout | undefined;

  private constructor(guard: ChildProcess, pid: number, onUnkillable: GuardOptions['onUnkillable']) {
    this.#process = guard;
    this.leader = { pid, startTicks: readProcess(pid)?.startTicks ?? 0 };
    guard.on('message', (message: FromGuard) => this.#receive(message));
    const exit = new Promise((resolve) => guard.once('exit', resolve));
    // The last message of the guard may be read after its exit.
    const disconnect = new Promise((resolve) => guard.once('disconnect', resolve));
    this.end = Promise.all([exit, disconnect]).then(async () => {
      clearTimeout(this.#timer);
      await killSession(this.leader, onUnkillable);
      return this.#report ?? { type: 'guard-lost' };
    });
  }

  /** Resolves when the guard is ready to start a command. */
  static start({ name, env, file = COMPILED, onUnkillable }: GuardOptions): Promise<Guard> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [file, name], {
        detached: true,
        env,
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      });
      const fail = (why: unknown) =>
        reject(new GuardError(`the guard process did not start: ${why}; try again`));
      child.once('error', (error) => fail(error.message));
      if (child.pid === undefined) return;
      child.on('error', () => {});
      const guard = new Guard(child, child.pid, onUnkillable);
      child.once('exit', (code, signal) => fail(`it ended with ${signal ?? code}`));
      child.once('message', () => resolve(guard));
    });
  }

  /** Resolves like `end`. */
  run(command: GuardedCommand): Promise<CommandEnd> {
    this.#send({ type: 'start', ...command });
    this.#killAt = command.killAt;
    this.#check();
    return this.end;
  }

  /** The lease was renewed. */
  extend(deadlines: CommandDeadlines): void {
    this.#send({ type: 'extend', ...deadlines });
  }

  /**
   * SIGTERM to the command and everything that it has forked, unless `terminates` is false; SIGKILL after the grace period,
   * or at the deadline.
   */
  stop(stopGraceMs: number, terminates = true): void {
    this.#graceEnds = deadlineIn(stopGraceMs);
    this.#send({ type: 'stop', graceEnds: this.#graceEnds, terminates });
    this.#check();
  }

  /** Sends a signal to the process group of the command, as a terminal would. */
  signal(signal: NodeJS.Signals): void {
    sendSignal(-this.leader.pid, signal);
  }

  /** SIGKILL to all processes, the guard included. */
  kill(): void {
    // After the guard has ended, `end` kills what is left: the PID may belong to another process by then.
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      signalSession(this.leader.pid, 'SIGKILL');
    }
  }

  #send(message: ToGuard): void {
    // The death of the guard is noticed by its exit.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  #receive(message: FromGuard): void {
    if (message.type === 'acknowledged') this.#killAt = message.killAt;
    if (message.type === 'exited' || message.type === 'failed' || message.type === 'killed') {
      this.#report ??= message;
    }
    // The guard is killing one process after the other. From here the whole group dies at once.
    if (message.type === 'killed') this.kill();
    this.#check();
  }

  /** The guard has the same deadlines and usually acts first: this is for a guard that is itself suspended. */
  #check(): void {
    clearTimeout(this.#timer);
    if (this.#killAt === null) return;
    const untilKillMs = remainingMs(this.#killAt);
    const untilGraceEndsMs = this.#graceEnds === null ? untilKillMs : remainingMs(this.#graceEnds);
    const leftMs = Math.min(untilKillMs, untilGraceEndsMs);
    if (leftMs <= 0) {
      this.#report ??= { type: 'killed', at: untilKillMs <= 0 ? 'deadline' : 'grace' };
      this.kill();
    }
    const nextMs = leftMs <= 0 ? KILL_AGAIN_MS : Math.min(CHECK_EVERY_MS, leftMs);
    this.#timer = setTimeout(() => this.#check(), nextMs);
  }
}
