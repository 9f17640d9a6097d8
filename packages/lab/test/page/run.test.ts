import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab();

const place = async (page: Page): Promise<string> =>
  (await page.locator('.transport-place').textContent()) ?? '';

/** The rows of the table twin of the network: position, id, role and all fields of every node. */
const nodes = (page: Page): Promise<string[]> =>
  page.locator('#nodes tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));

const narration = async (page: Page): Promise<string> =>
  ((await page.locator('#narration').textContent()) ?? '').replaceAll('\u00a0', ' ');
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

describe('the page Run', () => {
  it('has the ways on in sight at the end of its first run, in the window of a laptop', async () => {
    const page = await lab.open('#/run?t=35', { viewport: { width: 1366, height: 650 } });
    const way = page.getByRole('link', { name: 'Write your own' });
    await way.waitFor();
    const bottom = async (): Promise<number> => {
      const box = await way.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    await expect.poll(bottom).toBeLessThanOrEqual(650);
  });

  it('plays an election to its end by itself, and steps back to the start and forward to the same state', async () => {
    const page = await lab.open('#/run');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('radio', { name: 'max' }).check();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(await place(page)).toBe('step 35 of 35');
    expect(await narration(page)).toContain('The election is over: id 8 leads');
    await expect.poll(() => page.getByRole('link', { name: 'Make it cost 36' }).count()).toBe(1);
    await expect.poll(() => page.locator('.verdict-sign[data-state=fails]').count()).toBe(0);
    const end = await nodes(page);
    expect(end).toHaveLength(8);
    expect(end.filter((row) => row.includes('leader'))).toHaveLength(1);
    await page.evaluate('document.activeElement.blur()');
    for (let k = 0; k < 20; k++) await page.keyboard.press('ArrowLeft');
    const middle = await nodes(page);
    expect(await place(page)).toBe('step 15 of 35');
    const widthOfPlace = async (): Promise<number> =>
      Math.round((await page.locator('.transport-place').boundingBox())?.width ?? 0);
    const wide = await widthOfPlace();
    for (let k = 0; k < 15; k++) await page.keyboard.press('ArrowLeft');
    expect(await place(page)).toBe('step 0 of 35');
    // A row of buttons that breaks with another digit would move everything above it.
    expect(await widthOfPlace()).toBe(wide);
    expect(await narration(page)).toBe('Nothing has happened yet. All nodes will start.');
    for (let k = 0; k < 15; k++) await page.keyboard.press('ArrowRight');
    expect(await nodes(page)).toEqual(middle);
    await page.keyboard.press('End');
    expect(await nodes(page)).toEqual(end);
    await expectAccessible(page);
  });

  it('forks at a choice of the adversary, keeps both branches, and a reload restores them', async () => {
    const page = await lab.open('#/run?schedule=random&seed=49&t=20');
    expect(await place(page)).toBe('step 20 of 40');
    await page.getByRole('radio', { name: 'You choose' }).check();
    const recorded = await nodes(page);
    const other = page.locator('.step-choice:not(:has(.caption))').first();
    const chosen = (await other.textContent()) ?? '';
    await other.click();
    expect(await place(page)).toBe('step 21 of 21');
    expect(chosen.toLowerCase()).toContain((await narration(page)).split(' reaches')[0].toLowerCase());
    const branches = page.locator('.branches .branch');
    await expect.poll(() => branches.count()).toBe(2);
    const mine = await nodes(page);
    await page.waitForURL(/t=21\.1/);
    await page.reload();
    await page.locator('.branches').waitFor();
    await expect.poll(() => branches.count()).toBe(2);
    expect(await place(page)).toBe('step 21 of 21');
    expect(await nodes(page)).toEqual(mine);
    await page.keyboard.press('ArrowUp');
    expect(await place(page)).toBe('step 21 of 40');
    await page.keyboard.press('ArrowLeft');
    expect(await nodes(page)).toEqual(recorded);
  });

  it('lets the reader break Peterson by hand on links without FIFO', async () => {
    const page = await lab.open('#/run?algorithm=peterson&ids=4,3,2,1&schedule=random:nofifo');
    await page.getByRole('button', { name: 'Run it anyway' }).click();
    await page.getByRole('radio', { name: 'You choose' }).check();
    await page.keyboard.press('Home');
    const texts = [
      ...['id 1 starts', 'id 4 starts', '⟨id⟩ 1 reaches id 4', 'id 3 starts', '⟨id⟩ 4 reaches id 3'],
      ...[
        '⟨id⟩ 4 reaches id 3',
        'id 2 starts',
        '⟨id⟩ 3 reaches id 2',
        '⟨id⟩ 4 reaches id 2',
        '⟨id⟩ 4 reaches id 2',
      ],
      ...['⟨id⟩ 3 reaches id 1', '⟨id⟩ 2 reaches id 1', '⟨id⟩ 4 reaches id 1', '⟨id⟩ 3 reaches id 4'],
      ...['⟨id⟩ 3 reaches id 4', '⟨id⟩ 4 reaches id 4', '⟨id⟩ 3 reaches id 3'],
    ];
    for (const text of texts) await page.locator('.step-choice', { hasText: text }).first().click();
    expect(await narration(page)).toContain(
      'This violates uniqueness: id 3 became the leader, and id 4 leads already.',
    );
    expect((await nodes(page)).filter((row) => row.includes('leader'))).toHaveLength(2);
  });

  it('is walked by keyboard alone: nodes, faults, undo, speed, key moments', async () => {
    const page = await lab.open('#/run?ids=3,1,2&t=3');
    await press(page, 'n', 'n', 'c');
    await expect.poll(() => page.locator('.inspector').textContent()).toMatch(/id 1 position 1, crashed/);
    expect(await narration(page)).toBe('Id 1 crashes.');
    await press(page, 'r');
    await expect.poll(() => page.locator('.inspector').textContent()).toMatch(/id 1 position 1, awake/);
    await press(page, 'z', 'z');
    expect(await place(page)).toBe('step 3 of 11');
    await press(page, 'Shift+Z');
    expect(await narration(page)).toBe('Id 1 crashes.');
    await press(page, 'z', 'r');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('This cannot happen at this step: id 1 recovers.');
    await press(page, 'Shift+ArrowRight');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(await narration(page)).toContain('becomes the leader');
    await press(page, '+', '+');
    expect(await page.getByRole('radio', { name: 'max' }).isChecked()).toBe(true);
    await press(page, 'Home', '2');
    expect(await place(page)).toMatch(/^step 1 of/);
    await press(page, 'Home', 'Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(await narration(page)).toContain('The election is over');
    await press(page, '?');
    const help = await page.getByRole('dialog').textContent();
    for (const title of ['Step back', 'Crash the selected node', 'Next decision or fault'])
      expect(help).toContain(title);
  });

  it('summarises a network that is too large to be drawn, and says what a bad link has', async () => {
    const page = await lab.open('#/run?nodes=5000&br=0.3.zz');
    await page.locator('#run-summary').waitFor();
    const text = await page.locator('#run-summary').textContent();
    expect(text).toContain('nodes5000');
    expect(text).toContain('leaderid 5000');
    await expectAccessible(page);
    // A page of its own: the link is rewritten once it has been read.
    const other = await lab.open('#/run?br=0.3.zz');
    await other.getByText('Branch 1 of the link does not fit this run').waitFor();
    await expect.poll(() => other.locator('.transport-place').count()).toBe(1);
  });

  it('shows one part at a time on a phone', async () => {
    const page = await lab.open('#/run?t=9', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await expect.poll(() => page.locator('.step-choice').first().isVisible()).toBe(false);
    await page.getByRole('radio', { name: /^Choose/ }).check();
    await expect.poll(() => page.locator('.step-choice').first().isVisible()).toBe(true);
    await page.getByRole('radio', { name: 'Counts' }).check();
    await expect.poll(() => page.locator('.counters').isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  it('keeps 200 nodes legible: no label covers another, names appear on focus, long lists on request', async () => {
    const page = await lab.open('#/run?algorithm=echo-election&nodes=200&topology=random:400&t=800');
    await page.locator('.row-head text').first().waitFor();
    const labels = await page.locator('.row-head text, .network-frame text').evaluateAll((texts) =>
      texts.map((text) => {
        const { bottom, top, left, right } = text.getBoundingClientRect();
        return { bottom, top, left, right };
      }),
    );
    expect(labels.length).toBeGreaterThan(20);
    const covered = labels.filter((a, k) =>
      labels.some(
        (b, other) =>
          other < k && a.top < b.bottom - 3 && b.top < a.bottom - 3 && a.left < b.right && b.left < a.right,
      ),
    );
    expect(covered).toEqual([]);
    await page.locator('.node-target').nth(77).focus();
    await expect.poll(() => page.locator('.node-name').textContent()).toBe('id 28: candidate');
    await expectAccessible(page);
    const listed = page.locator('.more-steps li');
    expect(await listed.count()).toBe(0);
    await page.locator('.more-steps summary').click();
    await expect.poll(() => listed.count()).toBe(894);
  });

  it('says which rules a step ran, counts bits, and marks the step of the schedule with a star while the reader chooses', async () => {
    const page = await lab.open('#/run?schedule=random&seed=49&t=20');
    expect(await narration(page)).toBe('Token 4 reaches id 8 and ends there: 4 < 8.');
    const source = readFileSync('packages/study/src/algorithms/ring/chang-roberts.ts', 'utf8').split('\n');
    const discards = 1 + source.findIndex((line) => line.endsWith('ctx.initiator) return; // R3'));
    const tags = page.locator('.rule-tags code');
    expect(await tags.allTextContents()).toEqual([`R3 · line ${discards}`]);
    await press(page, 'ArrowRight');
    await expect.poll(() => tags.first().textContent()).toMatch(/^R2, R3 · line \d+$/);
    await press(page, 'End');
    await expect.poll(() => tags.first().textContent()).toMatch(/^R5 · line \d+$/);
    const counts = page.locator('.counters .count');
    await expect.poll(() => counts.nth(1).textContent()).toBe('8');
    const [election, announcement, bits] = (await counts.allTextContents()).map(Number);
    // One bit for the type, four for an id from 1 to 8.
    expect(bits).toBe(5 * (election + announcement));
    await press(page, 'Home');
    expect(await page.locator('.step-choice', { hasText: '★' }).count()).toBe(0);
    await page.getByRole('radio', { name: 'You choose' }).check();
    await expect.poll(() => page.locator('.step-choice', { hasText: '★ schedule' }).count()).toBe(1);
  });

  it('breaks the network that is shown, and cancels a long recording', async () => {
    const page = await lab.open('#/run?ids=5,2,4,1,3&t=0');
    await press(page, 'End');
    await page.getByRole('link', { name: 'Break it' }).click();
    await page.getByText('The ids are 5 2 4 1 3 by position').waitFor();
    await expect.poll(() => page.locator('.verdict-text[data-kind=violated]').count()).toBe(1);
    const long = await lab.open('#/run');
    // Within the page, because the recording may be over before a click from outside arrives.
    await long.evaluate(`
      const observer = new MutationObserver(() => {
        const cancel = [...document.querySelectorAll('button')].find((each) => each.textContent === 'Cancel');
        if (cancel === undefined) return;
        observer.disconnect();
        cancel.click();
      });
      observer.observe(document.body, { childList: true, subtree: true });
      location.hash = '#/run?algorithm=lelann&nodes=200&schedule=random';`);
    await long.getByText(/^Cancelled after [\d,]+ steps/).waitFor();
    await expectAccessible(long);
    await long.getByRole('button', { name: 'Record it again' }).click();
    await expect.poll(() => long.getByText(/^Cancelled after/).count()).toBe(0);
  });

  it('leaves most of a low window to the drawing, as at a zoom of 200 %', async () => {
    const page = await lab.open('#/run?t=9', { viewport: { width: 640, height: 400 } });
    const frame = page.locator('.network-frame');
    await frame.evaluate((element) => element.scrollIntoView());
    const visible = await page.evaluate<number>(`(() => {
      const { top, bottom } = document.querySelector('.network-frame').getBoundingClientRect();
      return Math.min(bottom, document.querySelector('.transport').getBoundingClientRect().top) - Math.max(0, top);
    })()`);
    expect(visible).toBeGreaterThan(220);
  });
});
