import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Deadlines } from '../../../src/lease/stores/deadline.ts';
import { buildBefore } from '../../cli/command.ts';
import { ROOT } from '../../source/source-file.ts';

describe('a deadline', () => {
  it('passes for calls that last, and for no call that has ended', async () => {
    const deadlines = new Deadlines(true);
    const late: string[] = [];
    const quick = deadlines.start(30, () => late.push('quick'));
    deadlines.end(quick);
    await sleep(100);
    const slow = deadlines.start(30, () => late.push('slow'));
    const other = deadlines.start(30, () => late.push('other'));
    const longer = deadlines.start(60_000, () => late.push('longer'));
    await expect.poll(() => late, { timeout: 20_000 }).toEqual(['slow', 'other']);
    expect([slow.isOver, other.isOver, longer.isOver]).toEqual([true, true, false]);
    for (const each of [slow, other, longer]) deadlines.end(each);
    const again = deadlines.start(30, () => late.push('again'));
    expect(again.isOver).toBe(false);
    deadlines.end(again);
  });

  buildBefore();

  it('keeps the process alive while a call is under way, also with a timer that had run down, and no longer', () => {
    const script = `
      import { Deadlines } from ${JSON.stringify(join(ROOT, 'dist/lease/stores/deadline.js'))};
      const deadlines = new Deadlines(true);
      deadlines.end(deadlines.start(20, () => console.log('never')));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const last = deadlines.start(20, () => {
        console.log('late');
        deadlines.end(last);
        deadlines.end(deadlines.start(60_000_000, () => {}));
      });
      new Deadlines(false).start(60_000_000, () => {});`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect([stdout, stderr]).toEqual(['late\n', '']);
  });
});
