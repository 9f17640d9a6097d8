/**
 * What a holder leaves with its lease so that others on the same host can prove that it is gone, and need not wait for
 * the end of the lease.
 *
 * `isGone` is true only if it is proved: the same boot, host name and namespaces of pids and time, no process with any of the pids
 * and start times, and no living process in the group or session, if one was named. Whatever is doubtful is false: a
 * stopped process is not gone, nor is one that cannot be seen.
 *
 * Not covered: machines that run on from copies of one memory image under one host name. They share the name of the boot.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { bootName, pidNamespace, timeNamespace } from './host-clock.ts';
import { hasProcessTable, isGroupEmpty, isSessionEmpty, readProcess } from './process-table.ts';

export interface ProofExtras {
  /** Processes, beside this one, that must be gone too. */
  readonly pids?: readonly number[];
  /** A process group that must have no living process. */
  readonly group?: number;
  /** The same for a session, with all its groups. */
  readonly session?: number;
}

const FORM = /^proof1 (\S+) (\S+) (\S+) (\d+:\d+(?:,\d+:\d+)*) g(\d*) s(\d*)$/;

/** '' where nothing can be proved: there is no /proc, or it shows another pid namespace than ours. */
export function processProof({ pids = [], group, session }: ProofExtras = {}): string {
  const place = placeName();
  if (place === null) return '';
  const entries = [process.pid, ...pids].map(readProcess);
  // A process that is gone already need not be waited for, but its start time, which tells it from another, is lost.
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

/** Looked up once, since no process changes its own, and waiting candidates ask many times a second. */
let place: string | null | undefined;

function placeName(): string | null {
  if (place === undefined) place = findPlace();
  return place;
}

/** Where a pid and a start time mean something: boot, host and namespaces; null where /proc is missing or speaks of another namespace. */
function findPlace(): string | null {
  const boot = bootName();
  const namespace = pidNamespace();
  if (boot === '' || namespace === '' || !hasProcessTable()) return null;
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return null;
  } catch {
    return null;
  }
  // A start time counts from the boot as the reader's time namespace has it: in another one a living process looks new.
  return `${boot} ${encodeURIComponent(hostname()) || '-'} ${namespace}${timeNamespace()}`;
}

function isProcessGone(pid: number, startTicks: number): boolean {
  const entry = readProcess(pid);
  if (entry !== null) return entry.startTicks !== startTicks || !entry.isLiving;
  // With hidepid /proc does not show the processes of other users; a signal still tells that they are there.
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The first process of a namespace is always there: if it is hidden, so are others. */
function seesEverybody(): boolean {
  return readProcess(1) !== null;
}
