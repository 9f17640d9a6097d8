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
  return living((entry) => entry.session === session).found;
}

/** Those that run and belong to the process group. */
export function livingInGroup(group: number): ProcessEntry[] {
  return living((entry) => entry.group === group).found;
}

/** Nobody runs there, and nobody can have slipped through between two looks. In doubt it is false. */
export function isSessionEmpty(session: number): boolean {
  const { found, isSure } = living((entry) => entry.session === session);
  return isSure && found.length === 0;
}

/** The same for a process group. */
export function isGroupEmpty(group: number): boolean {
  const { found, isSure } = living((entry) => entry.group === group);
  return isSure && found.length === 0;
}

const MOST_LISTS = 10;

/**
 * The table changes while it is read: a process may fork and end between the list and the look at it, and its child is
 * in no list yet. So the list is made at least twice, and again until nobody in it has gone unseen: only then is it sure
 * that whoever is not found is not there.
 */
function living(isWanted: (entry: ProcessEntry) => boolean): { found: ProcessEntry[]; isSure: boolean } {
  const found: ProcessEntry[] = [];
  const seen = new Set<number>();
  for (let list = 0; list < MOST_LISTS; list++) {
    const fresh = listPids().filter((pid) => !seen.has(pid));
    let isMissed = false;
    for (const pid of fresh) {
      const entry = readProcess(pid);
      seen.add(pid);
      // One that has just ended may have left a child that is in no list yet.
      if (entry === null || (isWanted(entry) && !entry.isLiving)) isMissed = true;
      else if (isWanted(entry)) found.push(entry);
    }
    if (found.length > 0) return { found, isSure: true };
    if (!isMissed && list > 0) return { found, isSure: true };
  }
  return { found, isSure: false };
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
