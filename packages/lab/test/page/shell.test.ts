import { describe, expect, it } from 'vitest';
import { expectAccessible, unreadableTexts, useLab } from './browser.ts';

const lab = useLab();

const fragment = (url: string): string => decodeURIComponent(new URL(url).hash);
const PAGES = ['Run', 'Check', 'Compare', 'Write', 'Learn', 'Leases'];

describe('the shell of the lab', () => {
  it('shows every page at its path, accessible in both themes, and goes back', async () => {
    const page = await lab.open('');
    const tab = page.locator('[aria-current=page]');
    for (const name of PAGES) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await page.locator('h1').waitFor();
      await expect.poll(() => fragment(page.url())).toBe(`#/${name.toLowerCase()}`);
      await expect.poll(() => tab.textContent()).toBe(name);
      await expect.poll(() => page.locator('h1').count()).toBe(1);
      await expectAccessible(page);
    }
    await page.goBack();
    await expect.poll(() => tab.textContent()).toBe('Learn');
    await expect.poll(() => page.title()).toBe('Learn · hustings');
  });

  it('fits every width from phone to projector without scrolling sideways', async () => {
    const page = await lab.open('#/run');
    for (const name of [...PAGES, 'Cluster']) {
      await page.getByRole('navigation').getByRole('link', { name }).click();
      await page.locator('h1').waitFor();
      for (const width of [320, 390, 719, 720, 1099, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        // Drawings follow their frame within two frames of the screen; a busy machine may draw none for long.
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), {
            message: `${name} at ${width}`,
          })
          .toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it.each(['light', 'dark'] as const)(
    'has only readable texts in the forced colours of a %s system',
    async (colorScheme) => {
      const page = await lab.open('#/run?t=9', { forcedColors: 'active', colorScheme });
      for (const link of [
        '#/run?t=9',
        '#/check',
        '#/compare?most=8&runs=2',
        '#/write',
        '#/learn?lesson=bully',
      ]) {
        await page.goto(lab.server.url + link);
        await page.locator('h1').waitFor();
        await expect.poll(() => unreadableTexts(page), { message: link }).toEqual([]);
      }
      // The colours are those of the system.
      const colours = await page.evaluate<string[]>(`(() => {
        const made = document.createElement('p');
        made.style.color = 'CanvasText';
        document.body.append(made);
        return [made, document.querySelector('h1')].map((element) => getComputedStyle(element).color);
      })()`);
      expect(colours[1]).toBe(colours[0]);
      // The test sees a text that cannot be read.
      await page.evaluate("document.querySelector('h1').style.color = 'Canvas'");
      expect(await unreadableTexts(page)).not.toEqual([]);
    },
  );

  it('is operated by keys, which the table of keys lists and which can be switched off', async () => {
    const page = await lab.open('#/learn');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/#/check');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByRole('row', { name: 'G then C Go to Check' }).waitFor();
    await help.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    // With Ctrl it still works, so the keys before it have been handled by now.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(fragment(page.url())).toBe('#/check');
    await expect.poll(() => help.count()).toBe(0);
  });

  it('lets a keyboard skip the header', async () => {
    const page = await lab.open('#/run');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('clause-algorithm');
    expect(new URL(page.url()).hash).toMatch(/^#\/run/);
  });

  it('has a command palette that keeps the theme', async () => {
    const page = await lab.open('#/check', { colorScheme: 'light' });
    const theme = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
    expect(await theme()).toBe('light');
    await page.keyboard.press('Control+k');
    await expectAccessible(page);
    await page.keyboard.type('theme dark');
    expect(await page.getByRole('option').allTextContents()).toEqual(['Dark theme']);
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.reload();
    await page.locator('h1').waitFor();
    expect(await theme()).toBe('dark');
    await page.goto(`${lab.server.url}#/check?theme=light`);
    await page.locator('html[data-theme=light]').waitFor();
  });

  it('says what it did not use of a bad link, and shows the default', async () => {
    const page = await lab.open('#/run?nodes=1.5&seed=7');
    const alert = page.getByRole('alert').filter({ hasText: 'nodes' });
    await alert
      .getByText('`nodes` must be a whole number from 1 to 1,000,000, not 1.5. The default 8 is used.')
      .waitFor();
    await expect.poll(() => page.locator('#clause-nodes').getAttribute('data-wrong')).toBe('true');
    await expect.poll(() => page.locator('#clause-nodes').textContent()).toBe('8');
    await expect.poll(() => page.locator('#clause-seed').textContent()).toBe('7');
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
    await page.goto(`${lab.server.url}#/nowhere`);
    await page.getByText("There is no page 'nowhere'. The page Run is shown.").waitFor();
  });

  it('shows a page alone in a frame', async () => {
    const page = await lab.open('#/run?embed=1&nodes=4');
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await expect.poll(() => page.locator('.page-heading').count()).toBe(0);
    await expect.poll(() => page.locator('h1').textContent()).toContain('of 4');
  });

  it('shows the failure of a page in its place, with a way on', async () => {
    lab.expectTrouble(/planned failure|ERR_FAILED|Failed to (fetch|load)|error loading dynamically/i);
    const page = await lab.open('#/check');
    await page.route('**/assets/compare-page-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'let n = 0; export default () => { if (n++ === 0) throw new Error("planned failure"); return "it works"; }',
      }),
    );
    await page.route('**/assets/learn-page-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByText('planned failure. The other pages still work.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('it works').waitFor();
    await page.getByRole('link', { name: 'Learn' }).click();
    await page.getByRole('heading', { name: 'Learn could not be loaded.' }).waitFor();
    await page.unroute('**/assets/learn-page-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Learn could not be loaded.' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Check' }).click();
    await page.locator('h1').waitFor();
  });
});

describe('the first load', () => {
  it('is at most 150 kB, compressed, and does not include the editor', async () => {
    const page = await lab.open('#/run');
    await page.waitForLoadState('networkidle');
    const loaded = await page.evaluate<{ name: string; bytes: number }[]>(
      "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]" +
        '.map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))',
    );
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.every(({ bytes }) => bytes > 0)).toBe(true);
    const bytes = loaded.reduce((sum, each) => sum + each.bytes, 0);
    expect(bytes, JSON.stringify(loaded)).toBeLessThanOrEqual(150_000);
    expect(loaded.filter(({ name }) => /write|check|compare|learn|leases/.test(name))).toEqual([]);
  });
});
