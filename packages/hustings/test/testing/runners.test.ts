import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import { createTestKit } from '../../src/testing/index.ts';

describe('the test kit under the fake timers of Vitest', () => {
  afterEach(() => void vi.useRealTimers());

  it('moves its own clock, whether or not they are moved', async () => {
    vi.useFakeTimers();
    const kit = createTestKit();
    const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
    const lead = await elector.acquire();
    await kit.advance(60_000);
    expect(lead.isValid()).toBe(true);
    await kit.loseLease('job');
    expect(lead.signal.aborted).toBe(true);
  });

  it('moves them too if it is told how, so that work may wait with setTimeout', async () => {
    vi.useFakeTimers();
    const kit = createTestKit({ advanceTimers: (ms) => vi.advanceTimersByTimeAsync(ms) });
    const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
    let beats = 0;
    const campaign = elector.campaign(async (lead) => {
      while (!lead.signal.aborted) {
        beats++;
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    });
    await kit.advance(10_000);
    expect(beats).toBeGreaterThanOrEqual(10);
    expect(beats).toBeLessThanOrEqual(11);
    const closed = elector.close();
    await kit.advance(2_000);
    await Promise.all([campaign, closed]);
  });
});

describe('the test kit under node:test', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-runners-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('works with its fake timers', () => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'packages/hustings'), join(folder, 'node_modules', 'hustings'), 'dir');
    const file = join(folder, 'job.test.mjs');
    writeFileSync(
      file,
      `import assert from 'node:assert/strict';
      import { test } from 'node:test';
      import { createElector } from 'hustings';
      import { createTestKit } from 'hustings/testing';
      test('leads, and waits with setTimeout', async ({ mock }) => {
        mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });
        const kit = createTestKit({ advanceTimers: (ms) => mock.timers.tick(ms) });
        const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
        let beats = 0;
        void elector.campaign(async (lead) => {
          while (!lead.signal.aborted) {
            beats++;
            await new Promise((resolve) => setTimeout(resolve, 1_000));
          }
        });
        await kit.advance(10_000);
        assert.ok(beats >= 10 && beats <= 11, String(beats));
        assert.ok(elector.metrics.renewals >= 2);
        await kit.loseLease('job');
        assert.equal(elector.metrics.isLeader, false);
      });
      test('fails if what it claims is false', async () => {
        const kit = createTestKit();
        assert.equal((await kit.store.read(['job']))[0].holder, null);
      });`,
    );
    const { status, stdout, stderr } = runProcess(process.execPath, ['--test', file]);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/pass 2/);
  });
});
