import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TermLog } from '../../src/leases/term-log.ts';

let folder = '';
const failures: unknown[] = [];
const open = (): Promise<TermLog> => TermLog.open(join(folder, 'terms'), (error) => failures.push(error));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-terms-'));
  failures.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps the terms over a restart, and a term that still lasts stays one term', async () => {
  const before = await open();
  before.see(1, 5, 100);
  before.end('released', 150);
  before.see(2, 6, 200);
  await before.close();
  const after = await open();
  expect(after.latestToken).toBe(6);
  // The member starts, and hears the leader after a while.
  after.see(null, null, 300);
  after.see(2, 6, 400);
  after.see(3, 7, 500);
  await after.close();
  expect((await open()).newest).toEqual([
    { token: 7, leader: 3, startMs: 500, endMs: null, cause: null },
    { token: 6, leader: 2, startMs: 200, endMs: 500, cause: null },
    { token: 5, leader: 1, startMs: 100, endMs: 150, cause: 'released' },
  ]);
  expect(failures).toEqual([]);
});

it('keeps the latest 1,000 terms, in the order of time, also if the clock was set back', async () => {
  const log = await open();
  for (let token = 1; token <= 1_200; token++) log.see(token % 3, token, token === 1_200 ? 5 : token);
  await log.close();
  const { newest } = await open();
  expect(newest).toHaveLength(1_000);
  expect([newest[0].token, newest[0].startMs, newest.at(-1)?.token]).toEqual([1_200, 1_199, 201]);
});

it('begins again without a file that is damaged, and goes on in memory where none can be written', async () => {
  writeFileSync(join(folder, 'terms'), 'nonsense');
  const log = await open();
  expect(String(failures)).toMatch(/terms is damaged/);
  log.see(1, 1, 100);
  await log.close();
  expect((await open()).latestToken).toBe(1);
  rmSync(folder, { recursive: true });
  log.see(2, 2, 200);
  await log.close();
  expect([failures.length, log.latestToken]).toEqual([2, 2]);
});
