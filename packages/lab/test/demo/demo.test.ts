import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test-kit/eventually.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { livingInSession, readProcess } from '../../../base/src/node/process-table.ts';
import { openStore } from '../../../hustings/src/lease/open-store.ts';
import { Demo } from '../../dist/demo/demo.js';
import type { DemoProcess } from '../../src/model/leases/demo-snapshot.ts';

const PARENT = fileURLToPath(new URL('./demo-parent.mjs', import.meta.url));
const isLiving = (pid: number | null): boolean => pid !== null && readProcess(pid)?.isLiving === true;

describe('the demo', async () => {
  const demo = await Demo.start({ ttlMs: 2000, stepMs: 50 });
  const store = await openStore(demo.storeUrl);
  afterAll(async () => {
    await store.close();
    await demo.close();
  });

  const process_ = (id: string): DemoProcess => demo.snapshot.processes.find((each) => each.id === id)!;
  /** A process that says that it works, other than the given ones. */
  const worker = (...others: string[]): Promise<DemoProcess> =>
    eventually('a process works', () =>
      demo.snapshot.processes.find(({ id, token }) => token !== null && !others.includes(id)),
    );
  const isPastToken = (token: string): boolean =>
    demo.snapshot.ledger.latest.some((write) => BigInt(write.token) > BigInt(token));
  /** Pauses a leader. A busy machine may end its term just before that: then another one is tried. */
  const pauseLeader = async (): Promise<DemoProcess> => {
    for (;;) {
      const { id } = await worker();
      await demo.act(id, 'pause');
      if (process_(id).token !== null) return process_(id);
      await demo.act(id, 'resume');
    }
  };

  test('a leader that is killed has a successor with a larger token, and writes when it is restarted as a candidate', async () => {
    const first = await worker();
    await eventually('both resources have an entry', () => {
      const { ledger, file } = demo.snapshot;
      return ledger.written > 0 && file.written > 0;
    });
    await demo.act(first.id, 'kill');
    expect(process_(first.id)).toMatchObject({ condition: 'ended', pid: null, problem: null });
    expect(isLiving(first.pid)).toBe(false);
    const next = await worker(first.id);
    expect(BigInt(next.token!)).toBeGreaterThan(BigInt(first.token!));
    const terms = await store.history('nightly-report');
    expect(terms.find(({ token }) => String(token) === first.token)?.endMs).not.toBeNull();
    await demo.act(first.id, 'restart');
    expect(process_(first.id).pid).not.toBe(first.pid);
    await expect(demo.act(first.id, 'resume')).rejects.toThrow(
      `${first.id} is running; the actions that apply are pause, block, kill`,
    );
    await expect(demo.act('worker-9', 'kill')).rejects.toThrow('the process must be one of worker-1');
  });

  test('the late write of a paused leader is refused by the fence and goes through without one', async () => {
    const { refused } = demo.snapshot.ledger;
    const paused = await pauseLeader();
    await eventually('it is stopped', () => readProcess(paused.pid!)?.isStopped);
    await eventually('a successor writes', () => isPastToken(paused.token!));
    expect(demo.snapshot.file.late).toBe(refused);
    await demo.act(paused.id, 'resume');
    await eventually('the fence has refused it', () => demo.snapshot.ledger.refused === refused + 1);
    await eventually('the other resource has it', () => demo.snapshot.file.late === refused + 1);
    const { ledger, file } = demo.snapshot;
    expect(ledger.notable[0]).toMatchObject({ outcome: 'refused', id: paused.id, token: paused.token });
    expect(file.notable[0]).toMatchObject({ outcome: 'late', id: paused.id, token: paused.token });
    expect(file.notable[0].entry).toBe(ledger.notable[0].entry);
    expect(BigInt(ledger.notable[0].newest)).toBeGreaterThan(BigInt(paused.token!));
    const tokensOf = (name: string): bigint[] =>
      readFileSync(join(demo.folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => BigInt(line.split(' ')[0]));
    const isRising = (tokens: bigint[]): boolean =>
      tokens.every((token, i) => i === 0 || tokens[i - 1] <= token);
    expect(isRising(tokensOf('ledger'))).toBe(true);
    expect(isRising(tokensOf('file'))).toBe(false);
  });

  test('a leader that is blocked from the store loses its lease without a late write, and waits again when it is unblocked', async () => {
    const { refused } = demo.snapshot.ledger;
    const blocked = await worker();
    await demo.act(blocked.id, 'block');
    const next = await worker(blocked.id);
    expect(BigInt(next.token!)).toBeGreaterThan(BigInt(blocked.token!));
    expect(isLiving(process_(blocked.id).pid)).toBe(true);
    expect(process_(blocked.id)).toMatchObject({ condition: 'blocked', token: null });
    const isWaiting = async (): Promise<boolean> =>
      (await store.candidates('nightly-report')).some(({ id }) => id === blocked.id);
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(false);
    await demo.act(blocked.id, 'unblock');
    const takesPart = async (): Promise<boolean> =>
      process_(blocked.id).token !== null || (await isWaiting());
    await expect.poll(takesPart, { timeout: 20_000 }).toBe(true);
    expect(demo.snapshot.ledger.refused).toBe(refused);
    expect(demo.snapshot.faults.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['killed', 'restarted', 'paused', 'resumed', 'blocked', 'unblocked']),
    );
  });

  test('a process that is killed from outside is reported as ended', async () => {
    const { id, pid } = demo.snapshot.processes[4];
    process.kill(pid!, 'SIGKILL');
    await eventually('it has ended', () => process_(id).condition === 'ended');
    expect(process_(id).problem).toBe('it ended with SIGKILL');
    expect(demo.snapshot.faults[0]).toMatchObject({ id, type: 'ended' });
  });

  test('nothing is left after it is closed, also of a process that is paused', async () => {
    const pids = demo.snapshot.processes.flatMap(({ pid }) => pid ?? []);
    await demo.act(demo.snapshot.processes[0].id, 'pause');
    await store.close();
    await demo.close();
    expect(pids.filter(isLiving)).toEqual([]);
    expect(existsSync(demo.folder)).toBe(false);
  });
});

test('nothing of the demo is left after kill −9 of its parent, although two processes are paused', async () => {
  const parent = startProcess(process.execPath, [PARENT], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  parent.stdout.on('data', (text) => (said += text));
  await eventually('the parent has started the demo', () => said.endsWith('\n'));
  const { folder, pids }: { folder: string; pids: number[] } = JSON.parse(said);
  expect(pids.filter(isLiving)).toHaveLength(5);
  expect(existsSync(folder)).toBe(true);
  // The whole group, as a terminal that is closed by force.
  process.kill(-parent.pid!, 'SIGKILL');
  await eventually('all processes are gone', () => !pids.some(isLiving));
  await eventually('the folder is gone', () => !existsSync(folder));
  expect(pids.flatMap((pid) => livingInSession(pid))).toEqual([]);
});

/** The living processes whose environment has this text. */
function livingWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

test.each([40, 120, 250, 400])(
  'nothing of the demo is left if its parent is killed after %i ms, while its processes start',
  async (ms) => {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-hasty-'));
    const parent = startProcess(process.execPath, [PARENT], {
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: folder },
    });
    await eventually('the parent has begun', () => readdirSync(folder).length > 0);
    await new Promise((resolve) => setTimeout(resolve, ms));
    parent.kill('SIGKILL');
    await eventually('all processes are gone', () => livingWith(`TMPDIR=${folder}`).length === 0);
    await eventually('its folder is gone', () => readdirSync(folder).length === 0);
    rmSync(folder, { recursive: true });
  },
);
