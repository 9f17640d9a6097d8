import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessEntry } from '../../../base/src/node/process-table.ts';
import { killOwnSession, signalSession } from '../../src/supervisor/session-kill.ts';

const own = process.pid;
/** A process table of the test, and what was done with it, in order: the PID of a process that was read, or `kill TARGET`. */
const table = new Map<number, ProcessEntry>();
const steps: (string | number)[] = [];

vi.mock(import('../../../base/src/node/process-table.ts'), async (importOriginal) => {
  const readProcess = (pid: number) => {
    steps.push(pid);
    return table.get(pid) ?? null;
  };
  const livingInSession = (session: number) =>
    [...table.keys()].flatMap((pid) => readProcess(pid) ?? []).filter((entry) => entry.session === session);
  return { ...(await importOriginal()), listPids: () => [...table.keys()], readProcess, livingInSession };
});

function add(pid: number, group: number, session: number): void {
  table.set(pid, { pid, parent: 1, group, session, startTicks: 1, isLiving: true, isStopped: false });
}

beforeEach(() => {
  table.clear();
  steps.length = 0;
  vi.spyOn(process, 'kill').mockImplementation((target) => {
    steps.push(`kill ${target}`);
    for (const { pid, group } of table.values()) if (pid === target || -group === target) table.delete(pid);
    return true;
  });
  vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
});

describe('a session is killed', () => {
  it('by its first group, before the process table is read for other groups', () => {
    for (const [pid, group] of [
      [2, 2],
      [70, 70],
      [71, 70],
      [72, 72],
    ])
      add(pid, group, pid === 2 ? 2 : 70);
    signalSession(70, 'SIGKILL');
    expect(steps).toEqual(['kill -70', 2, 72, 'kill -72']);
  });

  it('by its leader: each process when it is found, the youngest processes of the host first', () => {
    for (const pid of [1, 2, own - 1]) add(pid, pid, pid);
    add(own, own, own);
    add(own + 1, own, own);
    add(own + 2, own + 2, own + 2);
    add(own + 3, own + 3, own);
    // The numbers of PIDs have begun again.
    add(3, own, own);
    expect(() => killOwnSession()).toThrow('exit');
    const firstPass = steps.slice(0, steps.indexOf(own - 1) + 1);
    expect(firstPass).toEqual([
      ...[own + 1, `kill ${own + 1}`, own + 2, own + 3, `kill ${-own - 3}`],
      ...[1, 2, 3, 'kill 3', own - 1],
    ]);
    expect(steps.at(-1)).toBe(`kill ${-own}`);
    expect([...table.keys()].sort((a, b) => a - b)).toEqual([1, 2, own - 1, own + 2]);
  });
});
