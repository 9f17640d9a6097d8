import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { runProcess } from '../../../../../test-kit/limits/child-process.ts';
import { RequestTimers } from '../../../src/lease/stores/request-timer.ts';

describe('a request timer', () => {
  it('fires for a pending request, and not for one that has ended', async () => {
    const timers = new RequestTimers(true);
    const late: string[] = [];
    const quick = timers.start(30, () => late.push('quick'));
    timers.end(quick);
    await sleep(100);
    const slow = timers.start(30, () => late.push('slow'));
    const other = timers.start(30, () => late.push('other'));
    const longer = timers.start(60_000, () => late.push('longer'));
    await expect.poll(() => late, { timeout: 20_000 }).toEqual(['slow', 'other']);
    expect([slow.isOver, other.isOver, longer.isOver]).toEqual([true, true, false]);
    for (const each of [slow, other, longer]) timers.end(each);
    const again = timers.start(30, () => late.push('again'));
    expect(again.isOver).toBe(false);
    timers.end(again);
  });

  it('keeps the process alive only while a request is pending, also after it has fired before', () => {
    const script = `
      import { RequestTimers } from ${JSON.stringify(join(ROOT, 'packages/hustings/dist/lease/stores/request-timer.js'))};
      const timers = new RequestTimers(true);
      timers.end(timers.start(20, () => console.log('never')));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const last = timers.start(20, () => {
        console.log('late');
        timers.end(last);
        timers.end(timers.start(60_000_000, () => {}));
      });
      new RequestTimers(false).start(60_000_000, () => {});`;
    const { stdout, stderr } = runProcess(process.execPath, ['--input-type=module', '-e', script], {
      limitMs: 60_000,
    });
    expect([stdout, stderr]).toEqual(['late\n', '']);
  });
});
