import { readFileSync } from 'node:fs';
import { listPids, readProcess, sendSignal } from '../../packages/base/src/node/process-table.ts';

/** The environment variable that all processes of one run of the tests inherit. */
export const RUN_MARK = 'HUSTINGS_TEST_RUN';

/** The living descendants of a process, parents first. Empty on a system without /proc. */
export function descendantsOf(root: number): number[] {
  const byParent = new Map<number, number[]>();
  for (const pid of listPids()) {
    const entry = readProcess(pid);
    if (entry?.isLiving !== true) continue;
    byParent.set(entry.parent, [...(byParent.get(entry.parent) ?? []), pid]);
  }
  const found: number[] = [];
  const visit = (pid: number): void => {
    for (const child of byParent.get(pid) ?? []) {
      found.push(child);
      visit(child);
    }
  };
  visit(root);
  return found;
}

/** Kills a process and its descendants. The parent is first, so that it starts no other child meanwhile. */
export function killTree(root: number): void {
  for (const pid of [root, ...descendantsOf(root)]) sendSignal(pid, 'SIGKILL');
}

/** The living processes of a run, orphans included, without this one. A process that was given another environment is not found. */
export function processesOfRun(mark: string): number[] {
  const wanted = `${RUN_MARK}=${mark}`;
  return listPids().filter((pid) => {
    if (pid === process.pid || readProcess(pid)?.isLiving !== true) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(wanted);
    } catch {
      return false;
    }
  });
}

/** The command line of a process, as it would be typed. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  } catch {
    return '';
  }
}
