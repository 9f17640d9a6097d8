import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../../src/lab/model/setup/algorithm-list.ts';
import { sweep } from '../../../src/sweep/index.ts';
import { formatSweepCsv } from '../../../src/sweep/report/sweep-csv.ts';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab();

describe('the page Compare', () => {
  it('measures three algorithms to the end, and exports the figures of the library', async () => {
    const names = ['chang-roberts', 'peterson', 'franklin'];
    const page = await lab.open(`#/compare?algorithms=${names.join(',')}&most=32&runs=10`);
    await page.locator('.curve-frame svg').waitFor();
    await expect.poll(() => page.getByRole('progressbar').count(), { timeout: 30_000 }).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const algorithms = names.flatMap((name) => findAlgorithm(name) ?? []);
    const expected = sweep(algorithms, {
      nodes: [4, 8, 16, 32],
      runs: 10,
      measure: 'messages',
      order: ['random'],
      schedule: ['lockstep'],
    });
    expect(await readFile(await download.path(), 'utf8')).toBe(formatSweepCsv(expected));
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).click(),
    ]);
    expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG');
    await page.getByRole('slider', { name: /messages/ }).press('ArrowRight');
    await expect.poll(() => page.locator('.read-out').textContent()).toContain('n = 4: Chang–Roberts');
    await expectAccessible(page);
  });

  it('keeps two runs in step, and an algorithm that is removed leaves the link', async () => {
    const page = await lab.open('#/compare?algorithms=chang-roberts,lelann&most=8&runs=2');
    const runs = page.getByRole('region', { name: 'Two runs in step' });
    await runs.getByRole('button', { name: 'One unit forward' }).click();
    await expect.poll(() => runs.textContent()).toMatch(/messages sent at time 1.*messages sent at time 1/s);
    await page.getByRole('button', { name: /Remove LeLann/ }).click();
    await page.waitForURL(/algorithms=chang-roberts(&|$)/);
  });
});
