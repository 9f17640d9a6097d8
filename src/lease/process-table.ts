/**
 * The processes of this host, as the kernel lists them under /proc. `kill -0` says that a zombie is there: here one is
 * told from a process that runs, also where only its first thread has ended.
 *
 * Not known here: processes of another pid namespace, and, where /proc is mounted with hidepid, those of other users.
 * Systems without /proc have no table: `hasProcessTable` is false, and the other functions find nobody.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since the boot: with the pid it names one process for ever, as long as the machine is up. */
  readonly startTicks: number;
  /** False for a zombie: it runs no more, and only its parent has not asked for it yet. */
  readonly isLiving: boolean;
}

export function hasProcessTable(): boolean {
  return readProcess(process.pid) !== null;
}

export function readProcess(pid: number): ProcessEntry | null {
  try {
    return parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

/** Those that run and belong to the session, whatever group of it they are in. */
export function livingInSession(session: number): ProcessEntry[] {
  return living().filter((entry) => entry.session === session);
}

/** Those that run and belong to the process group. */
export function livingInGroup(group: number): ProcessEntry[] {
  return living().filter((entry) => entry.group === group);
}

function living(): ProcessEntry[] {
  return listPids().flatMap((pid) => {
    const entry = readProcess(pid);
    return entry?.isLiving ? [entry] : [];
  });
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The name of the program stands in brackets and may hold brackets itself: the last one ends it. */
function parseStat(pid: number, text: string): ProcessEntry {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group, session] = fields;
  // With its first thread ended a process looks like a zombie, and its other threads run on.
  const isLiving = !'ZXx'.includes(state) || Number(fields[17]) > 1;
  return {
    pid,
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
    isLiving,
  };
}
