/**
 * The wrapper's side of the guard: starts it, tells it the deadlines, and knows how the command ended.
 *
 * Guaranteed: `run` settles only when no process of the guard's session runs any more, however the guard ended; and
 * whatever the guard does or does not, this side kills at the last deadline that the guard has acknowledged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HustingsError } from '../errors/hustings-error.ts';
import { readProcess } from '../lease/host/process-table.ts';
import { type Deadline, deadlineIn, remainingMs } from './deadline.ts';
import type { FromGuard, ToGuard } from './guard-main.ts';
import { killSession, type SessionLeader, send, signalSession } from './session-kill.ts';

/** What runs, and until when: SIGTERM at `soft`, SIGKILL at `hard`. */
export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly soft: Deadline;
  readonly hard: Deadline;
}

/** failed: it could not be started. killed: it was killed. guard-lost: the guard was gone first. */
export type CommandEnd =
  | Extract<FromGuard, { readonly kind: 'ended' | 'failed' | 'killed' }>
  | { readonly kind: 'guard-lost' };

export class GuardError extends HustingsError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HUSTINGS_GUARD', cause });
  }
}

const LOOK_MS = 1000;
const KILL_AGAIN_MS = 50;
const COMPILED = fileURLToPath(new URL('./guard-main.js', import.meta.url));

export interface GuardOptions {
  /** Shown in the list of processes. */
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  /** The compiled guard, if it is not beside this file. */
  readonly file?: string;
  /** Told once, what does not die of SIGKILL. */
  readonly onDelay?: (pids: readonly number[]) => void;
}

export class Guard {
  /** The session that the guard has founded, which the command will be in. */
  readonly leader: SessionLeader;
  /** Settles when the guard and all of its session are gone. */
  readonly end: Promise<CommandEnd>;
  readonly #process: ChildProcess;
  #report: CommandEnd | null = null;
  #hard: Deadline | null = null;
  #kill: Deadline | null = null;
  #timer: NodeJS.Timeout | undefined;

  private constructor(guard: ChildProcess, onDelay: GuardOptions['onDelay']) {
    const pid = guard.pid!;
    this.#process = guard;
    this.leader = { pid, startTicks: readProcess(pid)?.startTicks ?? 0 };
    guard.on('message', (message: FromGuard) => this.#hear(message));
    const exit = new Promise((resolve) => guard.once('exit', resolve));
    // The last words of the guard may be read after its exit.
    const silence = new Promise((resolve) => guard.once('disconnect', resolve));
    this.end = Promise.all([exit, silence]).then(async () => {
      clearTimeout(this.#timer);
      await killSession(this.leader, onDelay);
      return this.#report ?? { kind: 'guard-lost' };
    });
  }

  /** Resolves when the guard is ready to start a command; until it is told to, it only waits. */
  static start({ name, env, file = COMPILED, onDelay }: GuardOptions): Promise<Guard> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [file, name], {
        detached: true,
        env,
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      });
      const refuse = (why: unknown) =>
        reject(new GuardError(`expected the guard process to start, but ${why}: try again`));
      child.once('error', (error) => refuse(error.message));
      if (child.pid === undefined) return;
      child.on('error', () => {});
      const guard = new Guard(child, onDelay);
      child.once('exit', (code, signal) => refuse(`it ended with ${signal ?? code}`));
      child.once('message', () => resolve(guard));
    });
  }

  /** Resolves as `end` does. */
  run(command: GuardedCommand): Promise<CommandEnd> {
    this.#tell({ kind: 'start', ...command });
    this.#hard = command.hard;
    this.#look();
    return this.end;
  }

  /** The lease was renewed. */
  extend(soft: Deadline, hard: Deadline): void {
    this.#tell({ kind: 'extend', soft, hard });
  }

  /** SIGTERM to the command and all that it has forked; SIGKILL after the grace, or at the hard deadline. */
  stop(graceMs: number): void {
    this.#kill = deadlineIn(graceMs);
    this.#tell({ kind: 'stop', kill: this.#kill });
    this.#look();
  }

  /** To the group of the command, as a terminal would send it. */
  signal(signal: NodeJS.Signals): void {
    send(-this.leader.pid, signal);
  }

  /** SIGKILL to everything, the guard included. */
  kill(): void {
    // Once the guard has ended, `end` kills what is left: the number may be another's by then.
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      signalSession(this.leader.pid, 'SIGKILL');
    }
  }

  #tell(message: ToGuard): void {
    // A guard that is gone is heard of by its end.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  #hear(message: FromGuard): void {
    if (message.kind === 'heard') this.#hard = message.hard;
    if (message.kind === 'ended' || message.kind === 'failed' || message.kind === 'killed') {
      this.#report ??= message;
    }
    this.#look();
  }

  /** The guard has the same deadlines and is first, as a rule: this is for one that is stopped itself. */
  #look(): void {
    clearTimeout(this.#timer);
    if (this.#hard === null) return;
    const hardMs = remainingMs(this.#hard);
    const killMs = this.#kill === null ? hardMs : remainingMs(this.#kill);
    const leftMs = Math.min(hardMs, killMs);
    if (leftMs <= 0) {
      this.#report ??= { kind: 'killed', at: hardMs <= 0 ? 'deadline' : 'grace' };
      this.kill();
    }
    this.#timer = setTimeout(() => this.#look(), leftMs <= 0 ? KILL_AGAIN_MS : Math.min(LOOK_MS, leftMs));
  }
}
