import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { openStore } from '../../../hustings/src/lease/index.ts';
import { lead } from '../../../hustings/test/cli/commands/lease-claim.ts';
import { LeaseApi } from '../../dist/server/lease-api.js';
import { startLabServer } from '../../src/server/lab-server.ts';
import { expectAccessible, useLab } from './browser.ts';

/** Walks with waits for leases, on a machine that may be busy. */
const WALK_MS = 240_000;
const POLL = { timeout: 60_000, interval: 100 };

const folder = temporaryFolder();
const lab = useLab({
  apis: () => ({ leases: new LeaseApi({ storeUrl: null, demo: { stepMs: 100 } }) }),
});

const headline = (page: Page): Locator => page.locator('.lease-board h2');
const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Waits until somebody else than `before` leads. */
async function nextLeader(page: Page, before = 'nobody'): Promise<string> {
  const text = async (): Promise<string> => (await headline(page).textContent()) ?? '';
  await expect.poll(text, POLL).toMatch(new RegExp(`^★(?!${before} ).* leads$`));
  return /^★(.*) leads$/.exec(await text())?.[1] ?? nextLeader(page, before);
}

/** Until the store has said that a term of this process ended for this reason. */
async function termEnded(page: Page, id: string, reason: string): Promise<void> {
  const rows = page.locator('#terms-table tbody tr');
  await expect
    .poll(() => rows.filter({ hasText: id }).filter({ hasText: reason }).count(), POLL)
    .toBeGreaterThan(0);
}

/** Neither a text nor a mark says that somebody leads now. */
async function expectNoLeader(page: Page): Promise<void> {
  expect(await page.locator('.leases').textContent()).not.toMatch(/\bleads\b|★/);
  await expect
    .poll(() => page.getByRole('img').first().getAttribute('aria-label'))
    .toMatch(/^When last seen, .* led/);
  await expect.poll(() => page.locator('.lease-term[data-current]').count()).toBe(0);
}

// First: the tests of the demo end its server.
describe('the Leases page with a slow server', () => {
  it('does not follow an election that was left before the server had answered', async () => {
    const followed: string[] = [];
    let answerFirst = (): void => {};
    let asked = 0;
    const page = await lab.open('#/leases?election=left', {}, async (context) => {
      await context.route('**/api/session', (route) =>
        route.fulfill({ json: { token: 'any', apis: ['leases'] } }),
      );
      await context.route('**/api/leases/open', async (route) => {
        if (asked++ === 0)
          await new Promise<void>((resolve) => {
            answerFirst = resolve;
          });
        await route.fulfill({ json: {} });
      });
      await context.route('**/api/leases/events*', (route) => {
        followed.push(new URL(route.request().url()).searchParams.get('election') ?? '');
        return route.fulfill({ contentType: 'text/event-stream', body: ': nothing yet\n\n' });
      });
    });
    await expect.poll(() => asked).toBe(1);
    await page.evaluate("location.hash = '#/leases?election=chosen'");
    await expect.poll(() => followed).toContain('chosen');
    const late = page.waitForResponse('**/api/leases/open');
    answerFirst();
    await late;
    // A stream that is opened now is asked for before the next one of the election that was chosen.
    const count = followed.length;
    await expect.poll(() => followed.length).toBeGreaterThan(count);
    expect(followed).not.toContain('left');
  });
});

describe('the Leases page in the demo', () => {
  it(
    'shows the successor of a leader that is killed, and what a fence does to a leader that was paused',
    async () => {
      const page = await lab.open('#/leases');
      await page.locator('.text-alternative summary').click();
      const processes = page.getByRole('region', { name: 'Processes' });
      const killed = await nextLeader(page);
      await expect
        .poll(() => page.locator('h1').textContent())
        .toContain('Election nightly-report on the demo’s SQLite store, five processes, lease of 3 s.');
      await processes.getByRole('button', { name: `Kill ${killed}` }).click();
      await expect
        .poll(() => dialog(page).textContent())
        .toContain(`${killed} gets SIGKILL and cannot release its lease.`);
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => processes.getByRole('button', { name: `Kill ${killed}` }).count()).toBe(1);
      await processes.getByRole('button', { name: `Kill ${killed}` }).click();
      await dialog(page)
        .getByRole('button', { name: `Kill ${killed}` })
        .click();
      await nextLeader(page, killed);
      await processes.getByRole('button', { name: `Restart ${killed}` }).click();
      await processes.getByRole('button', { name: `Pause ${killed}` }).waitFor();

      // The button in the suggestion. A busy machine may end the term before the pause: then it is tried again.
      const suggestion = page.getByRole('region', { name: 'Try it' });
      let paused = '';
      for (;;) {
        const pause = suggestion.getByRole('button', { name: /^Pause / });
        paused = ((await pause.textContent()) ?? '').replace('Pause ', '');
        await pause.click();
        const row = processes.locator('li').filter({ hasText: paused });
        await row.getByRole('button', { name: /^Resume/ }).waitFor();
        if ((await row.textContent())?.includes('stopped before a write')) break;
        await row.getByRole('button', { name: /^Resume/ }).click();
      }
      const ledger = page.getByRole('region', { name: 'Ledger with a fence' });
      const file = page.getByRole('region', { name: 'File without a fence' });
      await nextLeader(page, paused);
      await termEnded(page, paused, 'expired, paused');
      await expect.poll(() => file.textContent()).toContain('✓ in order');
      await suggestion.getByRole('button', { name: `Resume ${paused}` }).click();
      await ledger.locator('tr[data-outcome=refused]').waitFor();
      await file.locator('tr[data-outcome=late]').waitFor();
      await expect
        .poll(() => ledger.textContent())
        .toContain(`${paused} woke up after its pause and wrote with token`);
      await expect
        .poll(() => ledger.locator('tr[data-outcome=refused]').textContent())
        .toMatch(/⊣ refused: .* is newer/);
      await expect.poll(() => ledger.textContent()).toContain('✓ in order');
      await expect
        .poll(() => file.locator('tr[data-outcome=late]').textContent())
        .toMatch(/! written .* too late/);
      await expect.poll(() => file.textContent()).toContain('! 1 late write');
      await expect.poll(() => page.locator('.lease-mark[data-type=refused]').count()).toBe(1);
      await expectAccessible(page);
    },
    WALK_MS,
  );

  it(
    'evicts and transfers after a confirmation, and says who led at an instant',
    async () => {
      const page = await lab.open('#/leases?last=7', { viewport: { width: 390, height: 844 } });
      await page.getByText('last must be one of 30, 60, 300, 3600, not 7. The default 30 is used.').waitFor();
      await page.locator('.text-alternative summary').click();
      const operate = async (open: RegExp, effect: string, verb: RegExp): Promise<string> => {
        for (;;) {
          const leader = await nextLeader(page);
          await page.getByRole('button', { name: open }).click();
          await expect.poll(() => dialog(page).textContent()).toContain(effect);
          await dialog(page).getByRole('button', { name: verb }).click();
          // Refused if another term began while the dialog was read: the reason is shown, and the way back.
          const refusal = dialog(page).getByRole('alert');
          await expect
            .poll(async () => (await dialog(page).count()) === 0 || (await refusal.count()) > 0, POLL)
            .toBe(true);
          if ((await dialog(page).count()) === 0) return leader;
          await expect.poll(() => refusal.textContent()).toContain('nothing was changed');
          await dialog(page).getByRole('button', { name: 'Cancel' }).click();
        }
      };
      const evicted = await operate(
        /^Evict worker/,
        'may not renew its lease, and is told to stop.',
        /^Evict/,
      );
      await nextLeader(page, evicted);
      await termEnded(page, evicted, 'evicted');
      const handed = await operate(/^Transfer to/, 'is asked to stop its work', /^Transfer to worker/);
      await termEnded(page, handed, 'transferred');

      await page.keyboard.press('t');
      const status = dialog(page).getByRole('status');
      await expect.poll(() => status.textContent(), POLL).toMatch(/(worker-\d|Nobody) led at/);
      const [newest] = await page.locator('#terms-table tbody tr').all();
      const token = await newest.locator('td').first().textContent();
      const soon = new Date(Date.now() + 3_600_000);
      const local = new Date(soon.getTime() - soon.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
      await dialog(page).locator('input').fill(local);
      await dialog(page).locator('input').blur();
      await expect.poll(() => status.textContent(), POLL).toContain(token ?? 'a token');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
    WALK_MS,
  );
});

/** As the browser tells a page whose tab is behind another one. Pages of playwright are all in front. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

describe('the Leases page in many tabs', () => {
  it(
    'has a stream only while it is seen, so that a seventh tab works, and the first one when it is seen again',
    async () => {
      const first = await lab.open('#/leases');
      await nextLeader(first);
      const tabs = [first];
      while (tabs.length < 7) {
        await setHidden(tabs[tabs.length - 1], true);
        const tab = await first.context().newPage();
        await tab.goto(`${lab.server.url}#/leases`);
        await nextLeader(tab);
        tabs.push(tab);
      }
      await first.getByText('This tab was hidden. Reading the store again…').waitFor();
      await setHidden(first, false);
      await nextLeader(first);
    },
    WALK_MS,
  );
});

describe('the Leases page on a store of the user', () => {
  it(
    'says that the server or the store is away, never shows the old leader as the present one, and comes back',
    async () => {
      lab.expectTrouble(
        /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/,
      );
      const page = await lab.open('#/leases');
      await nextLeader(page);
      await lab.server.close();
      await page.getByText('The lab’s server does not answer. Reconnecting…').waitFor();
      await expect.poll(() => headline(page).textContent()).toBe('The leader is unknown');
      await expect.poll(() => page.locator('.lease-board').textContent()).toMatch(/Last seen \d\d:\d\d:\d\d/);
      expect(await page.getByRole('button', { name: /^Evict/ }).isDisabled()).toBe(true);
      await expectNoLeader(page);

      const path = join(folder.path, 'leases.db');
      const store = await openStore(`sqlite:${path}`);
      await lead(store, 'billing', 'replica-1', { ttlMs: 3_600_000 });
      await lead(store, 'jobs', 'replica-2', { ttlMs: 3_600_000 });
      await lead(store, 'jobs', 'replica-3', { registerMs: 3_600_000 }).catch(() => {});
      const { port } = lab.server;
      const server = await startLabServer({
        port,
        apis: { leases: new LeaseApi({ storeUrl: `sqlite:${path}` }) },
      });
      try {
        expect(server.port).toBe(port);
        expect(await nextLeader(page)).toBe('replica-1');
        await expect.poll(() => page.getByRole('button', { name: /Pause|Block|Kill/ }).count()).toBe(0);
        await page.getByRole('combobox', { name: 'Election' }).selectOption('jobs');
        await page.waitForURL('**/#/leases?election=jobs');
        expect(await nextLeader(page, 'replica-1')).toBe('replica-2');
        const waiting = page.getByRole('region', { name: 'Waiting' });
        await expect.poll(() => waiting.textContent()).toContain('replica-3');
        await expectAccessible(page);

        renameSync(path, `${path}.away`);
        await page.getByText('The store cannot be read, so the leader is unknown.').waitFor();
        await expect.poll(() => headline(page).textContent()).toBe('The leader is unknown');
        expect(await page.getByText(`${path} does not exist; correct the path`).count()).toBeLessThanOrEqual(
          1,
        );
        renameSync(`${path}.away`, path);
        expect(await nextLeader(page)).toBe('replica-2');
      } finally {
        await server.close();
        await store.close();
      }
    },
    WALK_MS,
  );
});
