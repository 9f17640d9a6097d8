import { describe, expect, it } from 'vitest';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab();

const fragment = (url: string): string => decodeURIComponent(new URL(url).hash);

describe('the sentence', () => {
  it('is edited with the keyboard alone', async () => {
    const page = await lab.open('#/run');
    const focused = page.locator(':focus');
    await page.keyboard.press('s');
    await expect.poll(() => focused.textContent()).toBe('Chang–Roberts');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused.getAttribute('id')).toBe('clause-nodes');

    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Number of nodes' });
    await panel.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await panel.getByText('nodes must be a whole number from 1 to 1,000,000, not 0').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => fragment(page.url())).toMatch(/^#\/run\?nodes=5(&|$)/);
    await expect.poll(() => focused.getAttribute('id')).toBe('clause-nodes');

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const ids = page.getByRole('dialog', { name: 'Ids by position' });
    await ids.waitFor();
    const order = async (): Promise<string> => (await ids.locator('.reorder-item').allTextContents()).join();
    const [first, second, third, ...rest] = (await order()).split(',');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(order).toBe([second, third, first, ...rest].join());
    await page.keyboard.press('Escape');
    await expect.poll(order).toBe([first, second, third, ...rest].join());
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/run?ids=*');
    await expect
      .poll(() => fragment(page.url()))
      .toMatch(`#/run?ids=${[second, first, third, ...rest].join()}`);
    await page.keyboard.press('Escape');
    await ids.waitFor({ state: 'detached' });

    await page.goBack();
    await expect.poll(() => fragment(page.url())).toMatch(/^#\/run\?nodes=5/);
    await expect
      .poll(() => page.locator('#clause-ids').textContent())
      .toBe([first, second, third, ...rest].join(' '));
  });

  it('is edited with a pointer: ids are dragged, initiators toggled, an algorithm is found', async () => {
    const page = await lab.open('#/run?ids=5,3,8,1');
    await page.locator('#clause-ids').click();
    const items = page.locator('.reorder-item');
    const [from, to] = [await items.nth(0).boundingBox(), await items.nth(2).boundingBox()];
    if (from === null || to === null) throw new Error('the ids are not shown');
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x - 10, to.y + 5);
    await page.mouse.move(to.x + 20, to.y + 5);
    await page.mouse.up();
    await page.waitForURL('**/#/run?ids=3,8,5,1*');

    await page.locator('#clause-initiators').click();
    const initiators = page.getByRole('dialog', { name: 'Nodes that start by themselves' });
    await initiators.getByRole('button', { name: '8', exact: true }).click();
    await expect
      .poll(() => page.locator('#clause-initiators').textContent())
      .toBe('positions 0, 2 and 3 initiate');
    await page.mouse.click(5, 780);
    await initiators.waitFor({ state: 'detached' });

    await page.locator('#clause-algorithm').click();
    await page.keyboard.type('bully grant');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/run?algorithm=bully-grant*');
    await expect
      .poll(() => page.locator('h1').textContent())
      .toMatch(/^Bully with a grant on a complete network of 4/);
    await page.locator('#clause-faults').click();
    await page.getByLabel('Crashes').fill('1@0, 2@3');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('#clause-faults').textContent())
      .toBe('positions 1 at 0 and 2 at 3 crash');
    await page.locator('#clause-parameters').click();
    await page.getByLabel('timeout').fill('4');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#clause-parameters').textContent()).toBe('timeout 4');
    await expect.poll(() => fragment(page.url())).toMatch(/&crash=1@0&crash=2@3&set=timeout=4/);
  });

  it('asks before a run that violates an assumption', async () => {
    const page = await lab.open('#/run?algorithm=peterson&schedule=random:nofifo');
    await page.getByRole('button', { name: 'Run it anyway' }).click();
    await page.waitForURL(/despite=fifo/);
    await expect.poll(() => page.locator('#clause-despite').textContent()).toBe('fifo');
  });

  it('is short on a phone, and opens there', async () => {
    const page = await lab.open('#/run', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await expect.poll(() => page.locator('#clause-faults').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    await expect.poll(() => page.locator('#clause-faults').isVisible()).toBe(true);
    await page.locator('#clause-schedule').tap();
    const box = await page.getByRole('dialog', { name: 'When messages arrive' }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  });
});
