import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';

const folder = temporaryFolder();

const TEST = `
import { jest } from '@jest/globals';
import { createElector } from 'hustings';
import { createTestKit } from 'hustings/testing';

afterEach(() => jest.useRealTimers());

async function beats(kit) {
  const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
  const seen = { elector, count: 0 };
  void elector.campaign(async (lead) => {
    while (!lead.signal.aborted) {
      seen.count++;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  });
  await kit.advance(10_000);
  return seen;
}

test('loses a lease, with real timers', async () => {
  const kit = createTestKit();
  const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
  const lead = await elector.acquire();
  await kit.advance(60_000);
  expect(lead.isValid()).toBe(true);
  await kit.loseLease('job');
  expect(lead.signal.aborted).toBe(true);
});

test('moves fake timers', async () => {
  jest.useFakeTimers();
  const kit = createTestKit({ advanceTimers: (ms) => jest.advanceTimersByTimeAsync(ms) });
  const { elector, count } = await beats(kit);
  expect([10, 11]).toContain(count);
  await kit.loseLease('job');
  expect(elector.metrics.isLeader).toBe(false);
});

test('works although nobody moves the fake timers', async () => {
  jest.useFakeTimers();
  const { elector, count } = await beats(createTestKit());
  expect(count).toBe(1);
  expect(elector.metrics.isLeader).toBe(true);
});
`;

it('the test kit works under Jest, with real and with fake timers', () => {
  mkdirSync(join(folder.path, 'node_modules'), { recursive: true });
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module", "private": true }');
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', 'jest@30'];
  const installed = runProcess('npm', install, { cwd: folder.path });
  expect(installed.status, installed.stderr).toBe(0);
  symlinkSync(join(ROOT, 'packages/hustings'), join(folder.path, 'node_modules', 'hustings'), 'dir');
  writeFileSync(join(folder.path, 'job.test.js'), TEST);
  writeFileSync(join(folder.path, 'jest.config.js'), 'export default { transform: {}, watchman: false };');
  const { status, stdout, stderr } = runProcess('npx', ['--no-install', 'jest'], {
    cwd: folder.path,
    // Jest waits without end for what a test has left open.
    limitMs: 120_000,
    env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules', CI: 'true' },
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stderr).toMatch(/Tests: +3 passed, 3 total/);
});
