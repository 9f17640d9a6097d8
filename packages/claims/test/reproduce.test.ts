/** The whole report, measured once in quick mode, and its page in a real browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hustings, startHustings, temporaryFolder } from '../../../test-kit/command.ts';
import { describeWith } from '../../../test-kit/programs/describe-with.ts';
import { launchBrowser } from '../../../test-kit/programs/launch-browser.ts';
import { measureStudy, type Reproduction, type Result, studies, VERDICTS } from '../src/index.ts';
import { refutations } from './refutations.ts';

const folder = temporaryFolder();
let report: Reproduction;
let results: Result[] = [];
const pagePath = () => join(folder.path, 'page.html');

beforeAll(async () => {
  const args = ['reproduce', '--quick', '--json', '--out', pagePath()];
  const { status, stdout, stderr } = await startHustings(args, undefined, {}, { limitMs: 280_000 }).ended;
  expect([status, stderr]).toEqual([0, '']);
  report = JSON.parse(stdout);
  results = report.families.flatMap(({ rows }) => rows.flatMap(({ claims }) => claims));
}, 300_000);

describe('the report', () => {
  test('has every claim, each with a verdict and a figure', () => {
    expect(results.map(({ id }) => id)).toEqual(studies.flatMap(({ claims }) => claims.map(({ id }) => id)));
    for (const { id, verdict, measured } of results) {
      expect([id, VERDICTS.includes(verdict), measured !== '']).toEqual([id, true, true]);
    }
  });

  test('counts what sources state, what follows and what is ours apart', () => {
    for (const kind of ['stated', 'follows', 'ours'] as const) {
      for (const verdict of VERDICTS) {
        const those = results.filter((each) => each.origin.type === kind && each.verdict === verdict);
        expect([kind, verdict, report.counts[kind][verdict]]).toEqual([kind, verdict, those.length]);
      }
    }
    const stated = results.filter(({ origin }) => origin.type === 'stated').length;
    expect(readFileSync(pagePath(), 'utf8')).toContain(`${stated} claims stated by the sources`);
  });

  test('refutes exactly the wrong claims, each with a command that shows it', () => {
    const refuted = results.filter(({ verdict }) => verdict === 'refuted');
    expect(refuted.map(({ id }) => id)).toEqual(Object.keys(refutations));
    for (const { id, replay } of refuted) expect([id, replay?.slice(0, 9)]).toEqual([id, 'hustings ']);
  });

  test('leaves only out-of-scope claims undecided, and says why', () => {
    const undecided = results.filter(({ verdict }) => verdict === 'undecided');
    for (const { id, method, why } of undecided) {
      expect([id, method, (why ?? '').length > 20]).toEqual([id, 'out of scope', true]);
    }
  });

  test.each(['chang-roberts/literal', 'peterson-bidirectional/floor', 'sun/as-printed', 'bully/middle'])(
    'the command of %s shows the refutation; a long test runs all of them',
    (id) => {
      const { replay } = results.find((each) => each.id === id) as Result;
      const { status, stdout } = hustings((replay ?? '').split(' ').slice(1));
      expect([status, refutations[id](stdout), refutations[id]('')]).toEqual([0, true, false]);
    },
  );

  test('another seed changes the means and no verdict; the same seed changes nothing', () => {
    const place = studies.findIndex(({ claims }) => claims[0].id === 'itai-rodeh/rounds');
    const [first, again, other] = [1, 1, 2].map((seed) => measureStudy(place, { seed, quick: true }));
    expect(again).toEqual(first);
    expect(other.findings.map(({ verdict }) => verdict)).toEqual(['confirmed', 'confirmed']);
    expect(other.findings[0].measured).not.toBe(first.findings[0].measured);
  });
});

describe('the page', () => {
  test('is self-contained: no address, style or script outside the file', () => {
    const html = readFileSync(pagePath(), 'utf8');
    const asked = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(asked.filter((address) => !/^(#|data:,$)/.test(address))).toEqual([]);
    expect(html).not.toMatch(/@import|url\((?!#)/);
    expect(html).toContain("default-src 'none'");
  });
});

await describeWith('chromium', 'the page in Chromium', () => {
  let browser: Browser;
  const consoleMessages: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  async function open(
    colorScheme: 'light' | 'dark' = 'light',
    device: { viewport?: { width: number; height: number }; javaScriptEnabled?: boolean } = {},
  ): Promise<Page> {
    const page = await browser.newPage({ colorScheme, ...device });
    page.on('console', (message) => consoleMessages.push(message.text()));
    page.on('pageerror', (error) => consoleMessages.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(pagePath()).href);
    return page;
  }

  test('opens without an error, a warning or a request, and shows all claims with a verdict', async () => {
    const page = await open();
    const rows = await page
      .locator('#claims tbody tr')
      .evaluateAll((all) => all.map((row) => [row.dataset.claim, row.dataset.verdict]));
    expect(rows).toEqual(results.map(({ id, verdict }) => [id, verdict]));
    const details = await page
      .locator('[data-detail]')
      .evaluateAll((all) => all.map((each) => each.dataset.detail ?? ''));
    expect(details.toSorted()).toEqual(results.map(({ id }) => id).toSorted());
    expect(await page.locator('figure.plot svg').count()).toBeGreaterThan(4);
    expect(consoleMessages).toEqual([]);
    expect(
      requests.filter((address) => !address.startsWith('file:') && !address.startsWith('data:')),
    ).toEqual([]);
    await page.close();
  });

  test('sorts by any column and filters by text', async () => {
    const page = await open();
    const verdicts = () =>
      page
        .locator('#claims tbody tr:not([hidden])')
        .evaluateAll((all) => all.map((row) => row.dataset.verdict));
    await page.getByRole('button', { name: 'Verdict' }).click();
    const sorted = (await verdicts()).map((verdict) =>
      VERDICTS.toSorted().indexOf(verdict as Result['verdict']),
    );
    expect(sorted).toEqual(sorted.toSorted((one, other) => one - other));
    await page.locator('input[name=verdict][value=confirmed]').uncheck();
    expect(await verdicts()).not.toContain('confirmed');
    await page.locator('input[name=kind][value=ours]').uncheck();
    await page.locator('input[name=kind][value=follows]').uncheck();
    const kinds = await page
      .locator('#claims tbody tr:not([hidden])')
      .evaluateAll((all) => [...new Set(all.map((row) => row.dataset.kind))]);
    expect(kinds).toEqual(['stated']);
    await page.locator('#words').fill('transmission');
    expect(await verdicts()).toEqual(['refuted', 'refuted']);
    expect(consoleMessages).toEqual([]);
    await page.close();
  });

  test('follows the light or dark mode of the reader, and prints on white', async () => {
    const paperOf = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await open('light');
    const dark = await open('dark');
    expect([await paperOf(light), await paperOf(dark)]).toEqual(['rgb(250, 249, 245)', 'rgb(16, 22, 29)']);
    await dark.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await paperOf(dark)).toBe('rgb(255, 255, 255)');
    expect((await light.pdf()).subarray(0, 4).toString()).toBe('%PDF');
    await Promise.all([light.close(), dark.close()]);
  });

  test.each([360, 390])(
    'fits a phone that is %i wide: nothing scrolls sideways but wide tables',
    async (width) => {
      const page = await open('light', { viewport: { width, height: 844 } });
      const found = (await page.evaluate(`(() => {
      const seen = (element) => element.getClientRects().length > 0;
      const outside = Array.from(document.querySelectorAll('main *')).filter((each) =>
        seen(each) && !each.closest('.wide') && each.getBoundingClientRect().right > innerWidth + 0.5);
      const texts = Array.from(document.querySelectorAll('figure.plot text')).filter(seen);
      const scale = (text) => text.ownerSVGElement.getBoundingClientRect().width / text.ownerSVGElement.viewBox.baseVal.width;
      return {
        overflow: document.documentElement.scrollWidth - innerWidth,
        outside: outside.map((each) => each.outerHTML.slice(0, 80)),
        plots: Array.from(document.querySelectorAll('figure.plot')).map((each) => Array.from(each.querySelectorAll('svg')).filter(seen).length),
        smallest: Math.min(...texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * scale(text))),
      };
    })()`)) as { overflow: number; outside: string[]; plots: number[]; smallest: number };
      expect([found.overflow, found.outside]).toEqual([0, []]);
      expect(found.plots.length).toBeGreaterThan(4);
      expect(new Set(found.plots)).toEqual(new Set([1]));
      expect(found.smallest).toBeGreaterThan(10.5);
      expect(consoleMessages).toEqual([]);
      await page.close();
    },
  );

  test.each([390, 1280])(
    'shows each verdict before its details on a screen that is %i wide',
    async (width) => {
      const page = await open('light', { viewport: { width, height: 800 } });
      const late =
        (await page.evaluate(`Array.from(document.querySelectorAll('[data-claim], [data-detail]')).filter((entry) => {
      const verdict = entry.querySelector('.verdict').getBoundingClientRect();
      if (verdict.width === 0) return true;
      const others = Array.from(entry.querySelectorAll('h4, p, figure, pre, a, .source')).filter((each) => each.getClientRects().length > 0);
      return others.some((each) => {
        const box = each.getBoundingClientRect();
        return box.top < verdict.top - 8 || (box.top < verdict.bottom - 8 && box.left < verdict.left);
      });
    }).map((entry) => entry.dataset.claim ?? entry.dataset.detail)`)) as string[];
      expect(late).toEqual([]);
      // The counts of the verdicts come first of all.
      const [counts, lead] = await Promise.all(
        ['.counts', '.lead'].map((each) => page.locator(each).boundingBox()),
      );
      expect(counts?.y).toBeLessThan(lead?.y ?? 0);
      await page.close();
    },
  );

  test('opens the run of a row, and its button copies the command from a file', async () => {
    const page = await open();
    const without = await page
      .locator('#claims tbody tr:not(:has(details code)), [data-detail]:not(:has(.command code))')
      .evaluateAll((all) => all.map((each) => each.dataset.claim ?? each.dataset.detail ?? ''));
    const undecidable = results.filter(({ method }) => method === 'out of scope').map(({ id }) => id);
    expect(without.toSorted()).toEqual([...undecidable, ...undecidable].toSorted());
    const [first] = results;
    const row = page.locator(`#claims tr[data-claim="${first.id}"]`);
    await row.locator('summary').focus();
    await page.keyboard.press('Enter');
    await row.locator('button.copy').click();
    await row.getByText('Copied').waitFor();
    await page.locator('#words').focus();
    await page.keyboard.press('Control+V');
    expect(await page.locator('#words').inputValue()).toBe(first.replay);
    expect(consoleMessages).toEqual([]);
    await page.close();
  });

  test('shows the commands without its script, and no button that would do nothing', async () => {
    const page = await open('light', { javaScriptEnabled: false });
    const row = page.locator('#claims tr', { has: page.locator('summary') }).first();
    await row.locator('summary').click();
    expect(await row.locator('pre').isVisible()).toBe(true);
    expect(await page.locator('button.copy:visible').count()).toBe(0);
    await page.close();
  });
});

describe('hustings reproduce', () => {
  test('leaves the previous file unchanged when interrupted', async () => {
    const before = readFileSync(pagePath(), 'utf8');
    // A progress line, which only a terminal gets, shows that claims are being measured.
    const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };
    const started = startHustings(['reproduce', '--out', pagePath()], undefined, terminal);
    await vi.waitFor(() => expect(started.errors()).toMatch(/\d+ of \d+ claims/), 50_000);
    started.end('SIGINT');
    const { status, stderr } = await started.ended;
    expect([status, /stopped after \d+ of \d+ claims; nothing was written/.test(stderr)]).toEqual([
      130,
      true,
    ]);
    expect(readFileSync(pagePath(), 'utf8')).toBe(before);
    expect(readdirSync(folder.path)).toEqual(['page.html']);
  });

  test('measures one claim by its id, and writes no page', () => {
    const text = hustings(['reproduce', '--quick', '--claim', 'bully/middle'], folder.path);
    expect([text.status, text.stderr]).toEqual([0, '']);
    expect(text.stdout).toMatch(/^refuted: 1024 at n = 64/m);
    expect(text.stdout).toContain('section 2, lines 45–47');
    const json = hustings(['reproduce', '--quick', '--claim', 'bully/middle', '--json'], folder.path);
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'bully/middle', verdict: 'refuted' });
    expect(readdirSync(folder.path)).toEqual(['page.html']);
  });

  test.each([
    [['--seed', 'x'], 2, "--seed must be a whole number, as in 1, not 'x'"],
    [['--claim', 'nothing'], 2, '--claim must be the id of a claim of the report'],
    [['--seed', '-1'], 2, '--seed must be a whole number from 0'],
    [['--out', '/nowhere/at/all.html'], 3, '/nowhere/at/all.html cannot be written'],
  ])('refuses %j in one line, before any work', (words, status, text) => {
    const ended = hustings(['reproduce', '--quick', ...words]);
    expect([ended.status, ended.stdout, ended.stderr.trim().split('\n').length]).toEqual([status, '', 1]);
    expect(ended.stderr).toContain(text);
  });
});
