/**
 * The guard: a process of its own, which starts the command and owns all that the command forks.
 *
 * Guaranteed: every process of its session gets SIGKILL at the latest deadline that it was told, whatever the wrapper
 * does, and at once when the wrapper is gone. A deadline is a moment on the clocks of the host, so that a slow pipe never
 * moves it. At the soft deadline all get SIGTERM. When the command itself ends, what it leaves behind is killed.
 *
 * Not guaranteed: anything while the guard itself is stopped; then the wrapper kills. With both of them killed or
 * stopped, only the fencing token protects.
 *
 * It is the leader of a session and of a group, and the command is in both: that a waiter on the same host can be told
 * before the lease is asked for which processes must be gone. So it dies of the same signal as the command, and
 * every term has a guard of its own. Signals to the group reach it too, and are for the command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Deadline, remainingMs } from './deadline.ts';
import { killOwnSession, signalSession } from './session-kill.ts';

export type ToGuard =
  | {
      readonly kind: 'start';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: NodeJS.ProcessEnv;
      readonly soft: Deadline;
      readonly hard: Deadline;
    }
  /** The lease was renewed. */
  | { readonly kind: 'extend'; readonly soft: Deadline; readonly hard: Deadline }
  /** SIGTERM now, SIGKILL at `kill`, or at the hard deadline if that is sooner. */
  | { readonly kind: 'stop'; readonly kill: Deadline };

export type FromGuard =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly pid: number }
  /** From now on this is the hard deadline. */
  | { readonly kind: 'heard'; readonly hard: Deadline }
  | { readonly kind: 'failed'; readonly code: string }
  /** `asked`: after SIGTERM from the guard. */
  | {
      readonly kind: 'ended';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly asked: boolean;
    }
  | { readonly kind: 'killed'; readonly at: 'deadline' | 'grace' };

/** What a group may be sent that would end or stop a process. The command gets them as always; the guard goes on. */
const FOR_THE_COMMAND: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGIO', 'SIGXCPU', 'SIGXFSZ'] as const),
];

/** A machine that wakes up moves the wall clock only: no timer tells of it. */
const LOOK_MS = 100;

let child: ChildProcess | null = null;
let soft: Deadline | null = null;
let hard: Deadline | null = null;
let kill: Deadline | null = null;
let isAsked = false;
let timer: NodeJS.Timeout | undefined;

function tell(message: FromGuard, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

function killAll(): never {
  child?.kill('SIGKILL');
  return killOwnSession();
}

function ask(): void {
  isAsked = true;
  signalSession(process.pid, 'SIGTERM');
  // One that is stopped hears nothing before it goes on.
  signalSession(process.pid, 'SIGCONT');
}

/** Strikes, asks, or comes back when there may be something to do. */
function look(): void {
  clearTimeout(timer);
  if (child === null || hard === null || soft === null) return;
  const hardMs = remainingMs(hard);
  const killMs = kill === null ? hardMs : remainingMs(kill);
  if (hardMs <= 0 || killMs <= 0) {
    tell({ kind: 'killed', at: hardMs <= 0 ? 'deadline' : 'grace' });
    killAll();
  }
  const softMs = remainingMs(soft);
  if (softMs <= 0 && !isAsked) {
    kill = hard;
    ask();
  }
  timer = setTimeout(look, Math.min(LOOK_MS, hardMs, killMs, isAsked ? LOOK_MS : softMs));
}

function start(message: ToGuard & { kind: 'start' }): void {
  ({ soft, hard } = message);
  // The wrapper may have been stopped since it was elected.
  if (remainingMs(soft) <= 0) {
    tell({ kind: 'killed', at: 'deadline' }, killAll);
    return;
  }
  child = spawn(message.command, message.args, {
    env: message.env,
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  child.on('spawn', () => tell({ kind: 'started', pid: child!.pid! }));
  child.on('error', (error: NodeJS.ErrnoException) => {
    tell({ kind: 'failed', code: error.code ?? error.message }, killAll);
  });
  child.on('exit', (code, signal) => tell({ kind: 'ended', code, signal, asked: isAsked }, killAll));
}

process.on('message', (message: ToGuard) => {
  if (message.kind === 'start') start(message);
  if (message.kind === 'extend') {
    ({ soft, hard } = message);
    tell({ kind: 'heard', hard });
  }
  if (message.kind === 'stop') {
    kill = message.kill;
    if (!isAsked) ask();
  }
  look();
});
for (const signal of FOR_THE_COMMAND) process.on(signal, () => {});
process.on('disconnect', killAll);
process.on('uncaughtException', killAll);
tell({ kind: 'ready' });
