import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sweep } from '../../../study/src/sweep/index.ts';
import { formatSweepCsv } from '../../../study/src/sweep/report/sweep-csv.ts';
import { findAlgorithm } from '../../src/model/setup/algorithm-list.ts';
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
    const lowest = (): Promise<string | null> =>
      page.evaluate(`document.querySelector('.curve-frame svg').textContent`);
    expect(await lowest()).toContain('logarithmic axes');
    await page.getByRole('radio', { name: 'linear' }).check();
    await page.waitForURL(/axes=linear/);
    await expect.poll(lowest).not.toContain('logarithmic');
    await expectAccessible(page);
  });

  it('keeps two runs in step', async () => {
    const page = await lab.open('#/compare?algorithms=chang-roberts,lelann&most=8&runs=2');
    const runs = page.getByRole('region', { name: 'Two runs in step' });
    await runs.getByRole('button', { name: 'One unit forward' }).click();
    await expect.poll(() => runs.textContent()).toMatch(/messages sent at time 1.*messages sent at time 1/s);
    await expect.poll(() => runs.locator('.network-view .node-target').count()).toBe(16);
  });

  it('is set up in its sentence, by keyboard, and says what it does not take', async () => {
    const page = await lab.open('#/compare?algorithms=chang-roberts,lelann&most=8&runs=2');
    const sentence = page.locator('h1');
    const shown = (): Promise<string> =>
      page.evaluate(`[...document.querySelector('h1').childNodes].flatMap((node) => (node.tagName === 'SPAN' ? [...node.childNodes] : node)).map((node) =>
        node.tagName === 'SELECT' ? node.selectedOptions[0].text : (node.value || node.textContent)).join('')`);
    await expect
      .poll(shown)
      .toBe(
        'Compare messages of Chang–Roberts and LeLann from 4 to 8 nodes, random ids, in lockstep, 2 runs a point, seed 1.',
      );
    await page.keyboard.press('s');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Algorithms' });
    await panel.getByLabel('LeLann').uncheck();
    await page.waitForURL(/algorithms=chang-roberts(&|$)/);
    expect(await panel.getByLabel('Chang–Roberts', { exact: true }).isDisabled()).toBe(true);
    for (const name of ['LeLann', 'Franklin']) await panel.getByLabel(name, { exact: true }).check();
    await expect.poll(shown).toContain('of three algorithms from');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('clause-algorithms');
    await sentence.getByLabel('Measure').selectOption('bits divided by n');
    await page.waitForURL(/measure=bits.*per=node/);
    await sentence.getByLabel('Order of the ids').selectOption('descending ids');
    await page.waitForURL(/order=descending/);
    await sentence.getByLabel('Largest number of nodes').fill('16');
    await sentence.getByLabel('Largest number of nodes').press('Enter');
    await page.waitForURL(/most=16/);
    const seed = sentence.getByLabel('Seed');
    await seed.fill('one');
    // A point that is measured meanwhile does not take the text away.
    await page.locator('.read-out').waitFor();
    expect(await seed.inputValue()).toBe('one');
    await seed.press('Enter');
    await page.getByText('seed must be a whole number').waitFor();
    await expect
      .poll(shown)
      .toBe(
        'Compare bits divided by n of three algorithms from 4 to 16 nodes, descending ids, in lockstep, 2 runs a point, seed 1.',
      );
    await page.locator('#points').waitFor({ state: 'attached' });
    const smallest = (): Promise<number> =>
      page.evaluate(`Math.min(...[...document.querySelectorAll('.curve-frame text')].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))`);
    // Subscripts are parts of a text, and smaller.
    await expect.poll(smallest).toBeGreaterThanOrEqual(10.9);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(smallest).toBeGreaterThanOrEqual(10.9);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});
