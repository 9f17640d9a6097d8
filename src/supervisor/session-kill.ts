/**
 * Ends every process of a session, and knows when none runs any more. A session holds all that a command has forked, in
 * whatever process groups; only a process that asked for a session of its own (setsid, a daemon) is outside.
 *
 * Not done: processes that this user may not signal, and those that the kernel cannot end because a device or a
 * network file system holds them. Neither is ever taken for dead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  hasProcessTable,
  isSessionEmpty,
  livingInSession,
  readProcess,
} from '../lease/host/process-table.ts';

/** The process that founded the session: its pid is the session's number and that of its first group. */
export interface SessionLeader {
  readonly pid: number;
  readonly startTicks: number;
}

const PASSES = 20;
const POLL_MS = 10;

/** A negative target is a group. Nobody there to get it is no error. */
export function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {}
}

/** To every group of the session, the leader's own among them. */
export function signalSession(session: number, signal: NodeJS.Signals): void {
  const groups = new Set([session, ...livingInSession(session).map(({ group }) => group)]);
  for (const group of groups) send(-group, signal);
}

/**
 * For the leader itself, whose last act it is: the others first, wherever they are, and then its own group at one
 * kill, which the kernel gives nobody a chance to fork out of.
 */
export function killOwnSession(): never {
  const { pid: own } = process;
  for (let pass = 0; pass < PASSES; pass++) {
    const others = livingInSession(own).filter(({ pid }) => pid !== own);
    if (others.length === 0) break;
    for (const { pid, group } of others) send(group === own ? pid : -group, 'SIGKILL');
  }
  send(-own, 'SIGKILL');
  process.exit(1);
}

/** Kills what is left, and returns when nothing of the session runs. `onDelay` is told once what does not die. */
export async function killSession(
  leader: SessionLeader,
  onDelay: (pids: readonly number[]) => void = () => {},
): Promise<void> {
  const delayedAt = performance.now() + 1000;
  let isTold = false;
  for (;;) {
    const left = livingOf(leader);
    if (left.length === 0) return;
    signalSession(leader.pid, 'SIGKILL');
    if (!isTold && performance.now() > delayedAt) {
      isTold = true;
      onDelay(left);
    }
    await sleep(POLL_MS);
  }
}

function livingOf({ pid, startTicks }: SessionLeader): number[] {
  const presence = presenceOf(pid);
  if (presence === 'none' && !hasProcessTable()) return [];
  // A number is given to a new process only when no process, group or session has it: then the old ones are gone.
  const founder = readProcess(pid);
  if (founder !== null && founder.startTicks !== startTicks) return [];
  const living = livingInSession(pid).map((entry) => entry.pid);
  // Of another user, and perhaps hidden from the table; or there is no table, and a zombie counts: late, never wrong.
  const isHidden = presence === 'foreign' || (presence === 'some' && !hasProcessTable());
  if (living.length > 0) return living;
  return isHidden || !isSessionEmpty(pid) ? [pid] : [];
}

function presenceOf(group: number): 'none' | 'some' | 'foreign' {
  try {
    process.kill(-group, 0);
    return 'some';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'none' : 'foreign';
  }
}
