// The lab in a real Chromium, served by its real server.
//
// Guarantees: after every test, no console error, no page error and no request to another host was seen, or the test fails.

import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../../../test-kit/programs/launch-browser.ts';
import type { LabApi } from '../../src/server/lab-api.ts';
import { type LabServer, startLabServer } from '../../src/server/lab-server.ts';

/** A busy machine builds the page and starts the browser in this time. */
const START_MS = 180_000;
/** How long an expectation of the page may take to come true. */
const PATIENCE_MS = 30_000;

export interface LabInBrowser {
  readonly server: LabServer;
  /** Opens a page with its own storage, and waits until it has its heading. `prepare` comes before the first request. */
  open(
    link?: string,
    options?: BrowserContextOptions,
    prepare?: (context: BrowserContext) => Promise<unknown>,
  ): Promise<Page>;
  /** Accepts messages that this test causes on purpose. */
  expectTrouble(pattern: RegExp): void;
}

/** One server and one browser for the tests of a file. `apis` makes new APIs for the server; `windows`: of several pages one has the focus. */
export function useLab({ apis = (): Record<string, LabApi> => ({}), windows = false } = {}): LabInBrowser {
  let server: LabServer;
  let browser: Browser;
  let trouble: string[] = [];
  let expected: RegExp[] = [];

  beforeAll(async () => {
    server = await startLabServer({ port: 0, apis: apis() });
    browser = await launchBrowser({ windows });
  }, START_MS);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    const unexpected = trouble.filter((text) => !expected.some((pattern) => pattern.test(text)));
    trouble = [];
    expected = [];
    expect(unexpected).toEqual([]);
  });

  const watch = (page: Page): void => {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        trouble.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => trouble.push(`page: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !/^(data|blob|about):/.test(url)) trouble.push(`request: ${url}`);
    });
  };

  return {
    get server() {
      return server;
    },
    open: async (link = '#/run', options = {}, prepare = async () => {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      context.on('page', watch);
      await prepare(context);
      const page = await context.newPage();
      await page.goto(server.url + link);
      await page.locator('h1').first().waitFor({ state: 'attached' });
      return page;
    },
    expectTrouble: (pattern) => expected.push(pattern),
  };
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** No serious or critical finding of axe-core, in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The themes differ in their colours alone.
    const rules = colorScheme === 'dark' ? "runOnly: ['color-contrast'], " : '';
    const findings = await page.evaluate<Finding[]>(
      `axe.run(document, { ${rules}resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    );
    const serious = findings.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const texts = serious.map(
      ({ id, help, nodes }) =>
        `${colorScheme}: ${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`,
    );
    expect(texts).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** The texts of a page whose place in a screenshot has one colour only: they cannot be read. */
export async function unreadableTexts(page: Page): Promise<string[]> {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate<string[]>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    canvas.drawImage(image, 0, 0);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (!/[\\p{L}\\p{N}]/u.test(data) || parentElement.closest('option, .only-read') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { left, top, width, height } of range.getClientRects()) {
        const isOnScreen = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight;
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!isOnScreen || width < 4 || height < 4 || !parentElement.contains(seen)) continue;
        // The middle: what a browser paints behind a text does not reach the edges of its box.
        const middle = [left + width / 8, top + height / 4, (3 * width) / 4, height / 2];
        const pixels = new Uint32Array(canvas.getImageData(...middle).data.buffer);
        if (pixels.every((pixel) => pixel === pixels[0])) found.push(data.trim());
      }
    }
    return found;
  })()`);
}
