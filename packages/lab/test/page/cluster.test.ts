import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAIN } from '../../../../test-kit/command.ts';
import { startProcess } from '../../../../test-kit/limits/child-process.ts';
import type { NodeLine } from '../../../cluster/src/cli/node-line.ts';
import { readRecordings } from '../../../cluster/src/cli/replay-folder.ts';
import { parseMemberList } from '../../../cluster/src/member-list/member-list.ts';
import { ClusterApi } from '../../src/server/cluster-api.ts';
import { RecordingApi } from '../../src/server/recording-api.ts';
import { expectAccessible, unreadableTexts, useLab } from './browser.ts';

const POLL = { timeout: 60_000, interval: 50 };
const home = mkdtempSync(join(tmpdir(), 'hustings-lab-cluster-'));
const recordings = join(home, 'recordings');
const lines: NodeLine[] = [];
let cluster: ReturnType<typeof start>;

/** Three real processes, which record their steps. */
function start() {
  const options = '--nodes 3 --algorithm chang-roberts --heartbeat 50ms --events'.split(' ');
  return startProcess(process.execPath, [MAIN, 'cluster', ...options, '--record', recordings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: home },
  });
}

beforeAll(async () => {
  cluster = start();
  createInterface({ input: cluster.stdout }).on('line', (text) => lines.push(JSON.parse(text)));
  // The member file is written before the first process starts.
  await vi.waitFor(() => expect(lines).not.toEqual([]), POLL);
}, 180_000);

const lab = useLab({
  apis() {
    const folder = readdirSync(home).find((name) => name.startsWith('hustings-cluster-')) ?? '';
    return {
      cluster: new ClusterApi(() =>
        parseMemberList(readFileSync(join(home, folder, 'members.json'), 'utf8')),
      ),
      recording: new RecordingApi(() => ({ folder: 'recordings', texts: readRecordings(recordings) })),
    };
  },
});

afterAll(async () => {
  if (cluster.exitCode === null && cluster.signalCode === null) {
    const exit = once(cluster, 'exit');
    cluster.kill('SIGTERM');
    await exit;
  }
  rmSync(home, { recursive: true, force: true });
});

const headline = (page: Page): Promise<string | null> => page.locator('.cluster-board h2').textContent();
const member = (page: Page, id: number): Locator => page.locator('#members tbody tr').nth(id - 1);
const steps = (page: Page): Locator => page.locator('#live-steps tbody tr');

describe('the page Cluster', () => {
  it('shows a running cluster: its leader, its next leader after kill -9, and the messages between them', async () => {
    const page = await lab.open('#/cluster');
    await expect.poll(() => headline(page), POLL).toBe('★3 leads');
    await expect
      .poll(() => page.locator('h1').textContent())
      .toBe('Chang–Roberts between 3 processes of the cluster local, without a quorum gate.');
    // The election before the page was opened is there.
    await page.locator('#live-steps summary').click();
    await expect.poll(() => steps(page).filter({ hasText: 'is elected' }).count(), POLL).toBeGreaterThan(0);
    await expect.poll(() => page.locator('#hearing [data-hearing=hears]').count(), POLL).toBe(6);
    cluster.stdin.write('kill 3\n');
    await expect.poll(() => headline(page), POLL).toBe('★2 leads');
    await expect.poll(() => member(page, 3).textContent()).toMatch(/^× 3down/);
    await expect.poll(() => page.locator('#hearing [data-hearing=suspects]').count(), POLL).toBe(2);
    const [gone] = await steps(page).filter({ hasText: 'is gone' }).allTextContents();
    expect(gone).toMatch(/3is gone$/);
    await expect
      .poll(() => steps(page).first().textContent(), POLL)
      .toMatch(/receives|sends|follows|is elected/);
    // Each message on the diagram is an arrow: as many as the table has sends. Steps may still arrive.
    const shown = async (): Promise<string> => {
      const sends = (await steps(page).allTextContents()).join().match(/sends (token|elected)/g) ?? [];
      const caption = (await page.locator('.live-diagram > .caption').textContent()) ?? '';
      const isSame = caption.includes(` ${sends.length} messages`);
      return sends.length > 3 && isSame ? 'as many' : `${sends.length} sends; ${caption}`;
    };
    await expect.poll(shown, POLL).toBe('as many');
    await expectAccessible(page);
    expect(await unreadableTexts(page)).toEqual([]);
    cluster.stdin.write('restart 3\n');
    await expect.poll(() => headline(page), POLL).toBe('★3 leads');
    await expect.poll(() => steps(page).filter({ hasText: 'is back' }).count(), POLL).toBe(1);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'))
      .toBeLessThanOrEqual(0);
  });

  it('replays the recording of the same cluster: each epoch is a part, with its steps and states', async () => {
    const page = await lab.open('#/cluster', {}, async (context) => {
      await context.route('**/api/session', (route) =>
        route.fulfill({ json: { token: 'any', apis: ['recording'] } }),
      );
    });
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await expect
      .poll(() => verdict.textContent(), POLL)
      .toContain('Every step is one that chang-roberts may take, and its properties hold.');
    const parts = await page.getByLabel('Part of the recording').locator('option').allTextContents();
    expect(parts.at(-1)).toMatch(/^epoch \d+ of 1: members 1, 2, 3; \d+ steps; leader 3$/);
    // After 3 was killed; perhaps also at the start, before 3 was there.
    expect(parts.some((text) => /members 1, 2; \d+ steps; leader 2$/.test(text))).toBe(true);
    const run = page.getByRole('region', { name: 'Recorded run' });
    const states = run.getByRole('region', { name: 'The nodes at the cursor' }).last();
    await expect.poll(() => states.textContent()).toMatch(/leads/);
    await run.getByRole('button', { name: 'First step' }).click();
    await expect.poll(() => states.textContent()).not.toMatch(/leads/);
    await run.locator('.found-steps button').last().click();
    await expect.poll(() => states.textContent()).toMatch(/leads/);
    await expectAccessible(page);
  });
});
