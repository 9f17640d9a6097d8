import { describe, expect, it } from 'vitest';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab();

describe('the shell of the lab', () => {
  it('shows every page at its path, and goes back', async () => {
    const page = await lab.open('');
    const tab = page.locator('[aria-current=page]');
    expect(await tab.textContent()).toBe('Run');
    for (const name of ['Check', 'Compare', 'Write', 'Learn', 'Leases']) {
      await page.getByRole('link', { name }).click();
      await page.waitForURL(`**/#/${name.toLowerCase()}`);
      expect(await tab.textContent()).toBe(name);
      await page.locator('h1').waitFor();
      expect(await page.locator('h1').count()).toBe(1);
      await expectAccessible(page);
    }
    await page.goBack();
    expect(await tab.textContent()).toBe('Learn');
  });
});
