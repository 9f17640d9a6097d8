import type { ChildProcess } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { eventually } from '../../../../../test-kit/eventually.ts';
import { runProcess, startProcess } from '../../../../../test-kit/limits/child-process.ts';
import {
  hasProcessTable,
  livingInSession,
  readProcess,
  sendSignal,
} from '../../../../base/src/node/process-table.ts';
import { isGone, type ProofExtras, processProof } from '../../../src/lease/host/process-proof.ts';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
/** Groups of their own, so that everything in them can be ended. */
function start(command: string, args: readonly string[]): number {
  const child = startProcess(command, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child.pid!;
}
afterEach(() => {
  for (const { pid } of children.splice(0)) sendSignal(-pid!, 'SIGKILL');
});

const NO_SESSION = 2 ** 30;

/** The proof that another process would leave: ours, without ourselves. */
const proofOf = (pid: number, extras: ProofExtras = {}): string => {
  const proof = processProof({ session: NO_SESSION, ...extras, pids: [pid, ...(extras.pids ?? [])] });
  expect(proof).toContain(` ${process.pid}:`);
  return proof.replace(/ \d+:\d+,/, ' ');
};

const programOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1');
  } catch {
    return '';
  }
};

/** One that the shell has started and told us of. */
const toldPid = (index = children.length - 1): Promise<number> =>
  new Promise((resolve) => {
    children[index].stdout!.once('data', (data) => resolve(Number(String(data).trim())));
  });

describe.skipIf(!hasProcessTable())('the proof that a holder is gone (where there is a /proc)', () => {
  it('does not hold for a running process, including this one', () => {
    expect(isGone(processProof())).toBe(false);
    expect(isGone(proofOf(start('sleep', ['1000'])))).toBe(false);
  });

  it('holds for a killed process', async () => {
    const pid = start('sleep', ['1000']);
    const proof = proofOf(pid);
    process.kill(pid, 'SIGKILL');
    await eventually('it is gone', () => isGone(proof));
  });

  it('holds for a zombie', async () => {
    const parent = start('bash', ['-c', 'sleep 1000 & echo $!; exec sleep 1001']);
    const pid = await toldPid();
    const proof = proofOf(pid);
    // Until then the shell would reap it.
    await eventually(
      'the parent is no shell',
      () => readFileSync(`/proc/${parent}/comm`, 'utf8') === 'sleep\n',
    );
    process.kill(pid, 'SIGKILL');
    await eventually('it is a zombie', () => readProcess(pid)?.isLiving === false);
    expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) Z /);
    expect(isGone(proof)).toBe(true);
  });

  it('does not hold for a stopped process', async () => {
    const pid = start('sleep', ['1000']);
    const proof = proofOf(pid);
    process.kill(pid, 'SIGSTOP');
    await eventually('it is stopped', () => readProcess(pid)?.isStopped);
    expect(isGone(proof)).toBe(false);
  });

  it('holds if the pid belongs to a process with another start time', () => {
    const pid = start('sleep', ['1000']);
    const { startTicks } = readProcess(pid)!;
    expect(isGone(proofOf(pid).replace(`${pid}:${startTicks}`, `${pid}:${startTicks - 1}`))).toBe(true);
  });

  it('is not misled by the name of a program', () => {
    const program = join(folder.path, ') Z 1 (');
    copyFileSync('/bin/sleep', program);
    expect(isGone(proofOf(start(program, ['1000'])))).toBe(false);
  });

  it('waits for the other processes that it names', async () => {
    const [holder, guard] = [start('sleep', ['1000']), start('sleep', ['1000'])];
    const proof = proofOf(holder, { pids: [guard] });
    process.kill(holder, 'SIGKILL');
    await eventually('the holder is gone', () => readProcess(holder) === null);
    expect(isGone(proof)).toBe(false);
    process.kill(guard, 'SIGKILL');
    await eventually('both are gone', () => isGone(proof));
  });

  it('waits until no process lives in the session that it names', async () => {
    const pid = start('bash', ['-c', 'sleep 1000 & echo $!; wait']);
    const forked = await toldPid();
    const proof = proofOf(pid, { session: pid });
    process.kill(pid, 'SIGKILL');
    await eventually('the leader is gone', () => !readProcess(pid)?.isLiving);
    expect(isGone(proof)).toBe(false);
    process.kill(forked, 'SIGKILL');
    await eventually('the session is empty', () => isGone(proof));
    expect(livingInSession(pid)).toEqual([]);
  });

  it('does not hold while a command keeps forking, so that each listed process has already ended', async () => {
    const on = 'on() { if [ $1 -gt 0 ]; then on $(($1 - 1)) & else exec sleep 1000; fi; }; on 500';
    const pid = start('bash', ['-c', on]);
    const proof = proofOf(pid, { session: pid });
    const answers = new Set<boolean>();
    await eventually('it has come to rest', () => {
      for (let look = 0; look < 20; look++) answers.add(isGone(proof));
      return livingInSession(pid).some((entry) => programOf(entry.pid) === 'sleep\n');
    });
    expect([...answers]).toEqual([false]);
  });

  it('does not hold across boots, hosts and pid namespaces, nor for other texts', () => {
    const gone = proofOf(start('sleep', ['1000'])).replace(/ (\d+):\d+ /, ' $1:1 ');
    expect(isGone(gone)).toBe(true);
    const [, boot, host, namespace] = gone.split(' ');
    const spoilt = [
      gone.replace(
        boot,
        boot.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
      gone.replace(` ${host} `, ` ${host}x `),
      gone.replace(namespace, 'pid:[1]'),
      gone.replace('proof2', 'proof1'),
      gone.replace(/ \d+:1 /, ' '),
      gone.replace(/:1 /, ':x '),
      gone.replace(/ \d+:1 /, ' 0:1 '),
      gone.replace(/ \d+:1 /, ' 99999999999999999999:1 '),
      `${gone} `,
      `${gone}\n`,
      gone.replace(/ s\d+$/, ''),
      '',
      '{}',
      'proof2',
    ];
    expect(spoilt.filter((proof) => isGone(proof))).toEqual([]);
  });

  // As root on a kernel with time namespaces; elsewhere nobody can make one.
  const inOtherTime = ['-T', '--boottime', '100000'];
  const hasTimeNamespaces = runProcess('unshare', [...inOtherTime, 'true']).status === 0;

  it.skipIf(!hasTimeNamespaces)(
    'does not hold in another time namespace, where every start time looks different',
    () => {
      const proof = processProof();
      const module = new URL('../../../dist/lease/host/process-proof.js', import.meta.url).href;
      const ask = `import('${module}').then(({ isGone }) => console.log(isGone('${proof}')))`;
      const { stdout } = runProcess('unshare', [...inOtherTime, process.execPath, '-e', ask]);
      expect(stdout.trim()).toBe('false');
    },
  );

  it('cannot be made for a process that has already ended', () => {
    expect(processProof({ pids: [2 ** 22 + 1] })).toBe('');
  });
});
