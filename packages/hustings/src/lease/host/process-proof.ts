/**
 * A holder stores a process proof with its lease. Other processes on the same host can use it to prove that the holder has
 * ended, with everything that it may have started, and need not wait for the end of the lease.
 *
 * `isGone` is true only with a proof: the same boot, host name, pid namespace and time namespace, no process with one of the
 * pids and start times, and no process that may work for the holder (survivors.ts). It is false in every doubt: a stopped
 * process is not gone, and neither is a process that cannot be seen.
 *
 * Not covered: a child that the holder put into a session of its own (`detached: true`, setsid), statements that a database
 * still executes for the holder, and two machines that resume from copies of one memory image under one host name.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import {
  ancestorsOf,
  hasProcessTable,
  isSessionEmpty,
  type ProcessEntry,
  readProcess,
} from '@hustings/base/node';
import { bootName, pidNamespace, timeNamespace } from './host-clock.ts';
import { NO_SURVIVORS, type Survivors, survivorsOf } from './survivors.ts';

/** More that must have ended before the holder counts as gone. */
export interface ProofExtras {
  /** Other processes than this one. */
  readonly pids?: readonly number[];
  /**
   * A session that contains everything that this process starts. It must be empty, and the session of this process itself is
   * not examined.
   */
  readonly session?: number;
}

const FORM = /^proof2 (\S+) (\S+) (\S+) (\d+:\d+(?:,\d+:\d+)*) (?:s(\d+)|o(\d+) a(\d+:\d+(?:,\d+:\d+)*)?)$/;

/** '' if nothing can be proved: there is no /proc, or it shows another pid namespace. */
export function processProof({ pids = [], session }: ProofExtras = {}): string {
  const place = placeName();
  if (place === null) return '';
  const entries = [process.pid, ...pids].map(readProcess);
  // The start time of a process that has ended is lost, and without it the pid may be another process.
  if (entries.some((entry) => entry === null)) return '';
  const own = entries[0]!;
  const rest = session === undefined ? `o${own.session} a${named([...ancestorsOf(own)])}` : `s${session}`;
  return `proof2 ${place} ${named(entries)} ${rest}`;
}

const named = (entries: readonly (ProcessEntry | null)[]): string =>
  entries.map((entry) => `${entry!.pid}:${entry!.startTicks}`).join(',');

/** True if the holder has ended, and what is left of its session belongs to candidates in the election. */
export function isGone(proof: string, election = ''): boolean {
  return remainsOf(proof)?.areCandidates(election) ?? false;
}

/** What may still work for a holder that has ended. Null if it has not provably ended. */
export function remainsOf(proof: string): Survivors | null {
  const match = FORM.exec(proof);
  if (match === null) return null;
  const [, boot, host, namespace, processes, session, ownSession, ancestors] = match;
  if (`${boot} ${host} ${namespace}` !== placeName()) return null;
  const areGone = processes.split(',').every((each) => {
    const [pid, startTicks] = each.split(':').map(Number);
    return isProcessGone(pid, startTicks);
  });
  if (!areGone || !seesEverybody()) return null;
  if (session !== undefined) return isSessionEmpty(Number(session)) ? NO_SURVIVORS : null;
  const startTicks = Number(processes.split(',')[0].split(':')[1]);
  return survivorsOf({ session: Number(ownSession), startTicks, ancestors: new Set(ancestors?.split(',')) });
}

/** Computed once: it never changes for a process, and waiting candidates ask many times a second. */
let place: string | null | undefined;

function placeName(): string | null {
  if (place === undefined) place = findPlace();
  return place;
}

/** Where a pid and a start time are valid: boot, host and namespaces. Null without /proc, or if it shows another namespace. */
function findPlace(): string | null {
  const boot = bootName();
  const namespace = pidNamespace();
  if (boot === '' || namespace === '' || !hasProcessTable()) return null;
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return null;
  } catch {
    return null;
  }
  // Start times depend on the time namespace of the reader: in another one, a living process looks like a new one.
  return `${boot} ${encodeURIComponent(hostname()) || '-'} ${namespace}${timeNamespace()}`;
}

function isProcessGone(pid: number, startTicks: number): boolean {
  const entry = readProcess(pid);
  if (entry !== null) return entry.startTicks !== startTicks || !entry.isLiving;
  // With hidepid, /proc hides the processes of other users, but signal 0 still detects them.
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The first process of a namespace always exists. If it is hidden, others may be hidden too. */
function seesEverybody(): boolean {
  return readProcess(1) !== null;
}
