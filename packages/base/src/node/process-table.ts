/**
 * The processes of this host, from /proc, and signals to them. Unlike `kill -0`, it distinguishes a zombie from a running
 * process, also if only the first thread of the process has ended.
 *
 * Not visible: processes of another pid namespace and, if /proc is mounted with hidepid, processes of other users. On a
 * system without /proc `hasProcessTable` is false, and the other functions find no process.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  /** Changes when the parent ends: an orphan belongs to the first process, or to the nearest ancestor that adopts orphans. */
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since the boot. Pid and start time identify one process until the next boot. */
  readonly startTicks: number;
  /** False for a zombie, which has ended and waits for its parent. */
  readonly isLiving: boolean;
  /** True from SIGSTOP, or a stop by the terminal, until SIGCONT. */
  readonly isStopped: boolean;
}

/** A negative target is a process group. A target that does not exist is no error. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {}
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

/** The parent of a process, its parent, and so on. Ends with the first process, or with one that cannot be read. */
export function* ancestorsOf(entry: ProcessEntry): Generator<ProcessEntry> {
  // A parent may end and its pid be used again while this reads.
  for (let depth = 0; depth < 1_000; depth++) {
    const parent = readProcess(entry.parent);
    if (parent === null) return;
    yield parent;
    entry = parent;
  }
}

/** The living processes of a session, in all of its groups. */
export function livingInSession(session: number): ProcessEntry[] {
  return examineSession(session, false).found;
}

/** True only if certainly no process of the session runs, also none that was forked during the check. */
export function isSessionEmpty(session: number): boolean {
  const { found, isSure } = examineSession(session, false);
  return isSure && found.length === 0;
}

const MAX_LISTS = 10;

/**
 * The table changes while it is read: a process may fork and end after it was listed and before it is read, and its child is
 * in no list yet. So the table is listed at least twice, and again until every listed process could be read. Only then is
 * the answer certain. If `isAll` is false, the first list with a living process of the session is enough.
 */
export function examineSession(session: number, isAll = true): { found: ProcessEntry[]; isSure: boolean } {
  const found: ProcessEntry[] = [];
  const seen = new Set<number>();
  for (let list = 0; list < MAX_LISTS; list++) {
    const fresh = listPids().filter((pid) => !seen.has(pid));
    let isMissed = false;
    for (const pid of fresh) {
      const entry = readProcess(pid);
      seen.add(pid);
      // A process that has just ended may have left a child that is in no list yet.
      if (entry === null || (entry.session === session && !entry.isLiving)) isMissed = true;
      else if (entry.session === session) found.push(entry);
    }
    if (!isAll && found.length > 0) return { found, isSure: true };
    if (!isMissed && list > 0) return { found, isSure: true };
  }
  return { found, isSure: false };
}

/** In no order. */
export function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The program name stands in brackets and may contain brackets: the last bracket ends it. */
function parseStat(pid: number, text: string): ProcessEntry {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  // A process whose first thread has ended looks like a zombie while its other threads run.
  const isLiving = !'ZXx'.includes(state) || Number(fields[17]) > 1;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(fields[19]),
    isLiving,
    isStopped: state === 'T',
  };
}
