/**
 * The guard: a separate process that starts the command and owns everything that the command forks.
 *
 * Guaranteed: every process of its session receives SIGKILL at the most recent deadline that the supervisor has sent,
 * whatever the supervisor does then, and at once when the supervisor dies. A deadline is a reading of the host's clocks, so a slow pipe
 * cannot move it. At `stopAt` all receive SIGTERM. When the command exits, the processes that it left behind are killed.
 *
 * Not guaranteed: anything while the guard itself is suspended; the supervisor then kills the session. If both are killed or
 * suspended, only the fencing token protects the resource.
 *
 * The guard leads a session and a process group, and the command is in both. The request for the lease can therefore name
 * the processes that must be dead before a waiting candidate on the same host takes over. Killing the session kills the
 * guard too, so every term has its own guard. Signals to the group also reach the guard, and are meant for the command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { ClockReading } from '../lease/core/clock-reading.ts';
import { remainingMs } from './deadline.ts';
import { removeDeadlineFile } from './deadline-file.ts';
import { killOwnSession, signalSession } from './session-kill.ts';

/** SIGTERM at `stopAt`, SIGKILL at `killAt`. */
export interface CommandDeadlines {
  readonly stopAt: ClockReading;
  readonly killAt: ClockReading;
}

export type ToGuard =
  | ({
      readonly type: 'start';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: NodeJS.ProcessEnv;
      /** To be removed at the end. */
      readonly deadlineFile: string | null;
    } & CommandDeadlines)
  /** The lease was renewed. */
  | ({ readonly type: 'extend' } & CommandDeadlines)
  /** SIGTERM now, unless someone else sends it; SIGKILL at `graceEnds`, or at the deadline if that is sooner. */
  | { readonly type: 'stop'; readonly graceEnds: ClockReading; readonly terminates: boolean };

export type FromGuard =
  | { readonly type: 'ready' }
  | { readonly type: 'started'; readonly pid: number }
  /** From now on this is the deadline. */
  | { readonly type: 'acknowledged'; readonly killAt: ClockReading }
  | { readonly type: 'failed'; readonly code: string }
  /** `wasStopped`: the guard had sent SIGTERM before. */
  | {
      readonly type: 'exited';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly wasStopped: boolean;
    }
  | { readonly type: 'killed'; readonly at: 'deadline' | 'grace' };

/** Signals that end or stop a process by default. The command receives them as a member of the group; the guard ignores them. */
const FOR_THE_COMMAND: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGIO', 'SIGXCPU', 'SIGXFSZ'] as const),
];

/** When a machine resumes from sleep, only the wall clock moves, and no timer fires for it. */
const CHECK_EVERY_MS = 100;

let child: ChildProcess | null = null;
let deadlines: CommandDeadlines | null = null;
let graceEnds: ClockReading | null = null;
let isStopping = false;
let deadlineFile: string | null = null;
let timer: NodeJS.Timeout | undefined;

function notify(message: FromGuard, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

function killAll(): never {
  child?.kill('SIGKILL');
  return killOwnSession(() => deadlineFile !== null && removeDeadlineFile(deadlineFile));
}

function terminate(): void {
  isStopping = true;
  signalSession(process.pid, 'SIGTERM');
  // A stopped process receives SIGTERM only after it continues.
  signalSession(process.pid, 'SIGCONT');
}

/** Kills, terminates, or sets a timer for the next check. */
function check(): void {
  clearTimeout(timer);
  if (child === null || deadlines === null) return;
  const untilKillMs = remainingMs(deadlines.killAt);
  const untilGraceEndsMs = graceEnds === null ? untilKillMs : remainingMs(graceEnds);
  if (untilKillMs <= 0 || untilGraceEndsMs <= 0) {
    notify({ type: 'killed', at: untilKillMs <= 0 ? 'deadline' : 'grace' });
    killAll();
  }
  const untilStopMs = remainingMs(deadlines.stopAt);
  if (untilStopMs <= 0 && !isStopping) {
    graceEnds ??= deadlines.killAt;
    terminate();
  }
  const nextMs = Math.min(untilKillMs, untilGraceEndsMs, isStopping ? CHECK_EVERY_MS : untilStopMs);
  timer = setTimeout(check, Math.min(CHECK_EVERY_MS, nextMs));
}

function start(message: ToGuard & { type: 'start' }): void {
  ({ deadlineFile } = message);
  deadlines = message;
  // The supervisor may have been suspended since it was elected.
  if (remainingMs(message.stopAt) <= 0) {
    notify({ type: 'killed', at: 'deadline' }, killAll);
    return;
  }
  const onError = (error: NodeJS.ErrnoException): void =>
    notify({ type: 'failed', code: error.code ?? error.message }, killAll);
  let started: ChildProcess;
  try {
    // Throws some errors, such as ENOTDIR, and emits others.
    started = spawn(message.command, message.args, {
      env: message.env,
      stdio: ['inherit', 'inherit', 'inherit'],
    });
  } catch (error) {
    onError(error as NodeJS.ErrnoException);
    return;
  }
  child = started;
  started.on('spawn', () => notify({ type: 'started', pid: started.pid ?? 0 }));
  started.on('error', onError);
  started.on('exit', (code, signal) =>
    notify({ type: 'exited', code, signal, wasStopped: isStopping }, killAll),
  );
}

process.on('message', (message: ToGuard) => {
  if (message.type === 'start') start(message);
  if (message.type === 'extend') {
    deadlines = message;
    notify({ type: 'acknowledged', killAt: message.killAt });
  }
  if (message.type === 'stop') {
    graceEnds = message.graceEnds;
    if (message.terminates && !isStopping) terminate();
  }
  check();
});
for (const signal of FOR_THE_COMMAND) process.on(signal, () => {});
process.on('disconnect', killAll);
process.on('uncaughtException', killAll);
notify({ type: 'ready' });
