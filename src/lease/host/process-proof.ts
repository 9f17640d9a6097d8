/**
 * A holder stores a process proof with its lease. Other processes on the same host can use it to prove that the holder has
 * ended, and need not wait for the end of the lease.
 *
 * `isGone` is true only with a proof: the same boot, host name, pid namespace and time namespace, no process with one of the
 * pids and start times, and no living process in the group or session, if one was named. It is false in every doubt: a
 * stopped process is not gone, and neither is a process that cannot be seen.
 *
 * Not covered: two machines that resume from copies of one memory image under one host name. They share the boot id.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { bootName, pidNamespace, timeNamespace } from './host-clock.ts';
import { hasProcessTable, isGroupEmpty, isSessionEmpty, readProcess } from './process-table.ts';

/** More that must have ended before the holder counts as gone. */
export interface ProofExtras {
  /** Other processes than this one. */
  readonly pids?: readonly number[];
  /** A process group: none of its processes may live. */
  readonly group?: number;
  /** A session, with all of its groups. */
  readonly session?: number;
}

const FORM = /^proof1 (\S+) (\S+) (\S+) (\d+:\d+(?:,\d+:\d+)*) g(\d*) s(\d*)$/;

/** '' if nothing can be proved: there is no /proc, or it shows another pid namespace. */
export function processProof({ pids = [], group, session }: ProofExtras = {}): string {
  const place = placeName();
  if (place === null) return '';
  const entries = [process.pid, ...pids].map(readProcess);
  // The start time of a process that has ended is lost, and without it the pid may be another process.
  if (entries.some((entry) => entry === null)) return '';
  const named = entries.map((entry) => `${entry!.pid}:${entry!.startTicks}`).join(',');
  return `proof1 ${place} ${named} g${group ?? ''} s${session ?? ''}`;
}

export function isGone(proof: string): boolean {
  const match = FORM.exec(proof);
  if (match === null) return false;
  const [, boot, host, namespace, processes, group, session] = match;
  if (`${boot} ${host} ${namespace}` !== placeName()) return false;
  const areGone = processes.split(',').every((each) => {
    const [pid, startTicks] = each.split(':').map(Number);
    return isProcessGone(pid, startTicks);
  });
  if (!areGone) return false;
  if (group === '' && session === '') return true;
  return (
    seesEverybody() &&
    (group === '' || isGroupEmpty(Number(group))) &&
    (session === '' || isSessionEmpty(Number(session)))
  );
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
