import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import { KeptProcesses } from '../../dist/node/kept-processes.js';
import { readProcess } from '../../src/node/process-table.ts';
import { RunningProcess } from '../../src/node/running-process.ts';

const PARENT = fileURLToPath(new URL('./kept-parent.mjs', import.meta.url));
const isLiving = (pid: number): boolean => readProcess(pid)?.isLiving === true;

it('nothing is left after close, also of a process that is paused, and of one that ended before', async () => {
  const kept = await KeptProcesses.open('hustings-kept-');
  const [paused, ended] = ['setInterval(() => {}, 1000)', ''].map((code) =>
    kept.start(['-e', code], 'channel', process.env),
  );
  await Promise.all([paused.pause(), ended.end]);
  writeFileSync(join(kept.folder, 'file'), 'x');
  await kept.close();
  expect([isLiving(paused.pid), existsSync(kept.folder)]).toEqual([false, false]);
});

it('nothing is left after kill −9 of the whole group of the parent', async () => {
  const parent = new RunningProcess(startProcess(process.execPath, [PARENT], { detached: true }));
  const { folder, pid } = await new Promise<{ folder: string; pid: number }>((resolve) =>
    parent.onMessage(resolve),
  );
  expect([isLiving(pid), existsSync(folder)]).toEqual([true, true]);
  process.kill(-parent.pid, 'SIGKILL');
  await expect.poll(() => isLiving(pid) || existsSync(folder)).toBe(false);
});
