import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSite } from '../../../../scripts/lab.mjs';
import { ROOT } from '../../../../test/source/source-file.ts';
import { launchBrowser } from '../../../../test-kit/programs/launch-browser.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

let folder: string;
let server: Server;
let browser: Browser;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-site-'));
  await buildSite(ROOT, join(folder, 'courses/elections'));
  // Any web host: plain files, no header but the type.
  server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname.replace(/\/$/, '/index.html');
    const content = await readFile(join(folder, path)).catch(() => null);
    response.writeHead(content === null ? 404 : 200, {
      'content-type': TYPES[extname(path)] ?? 'image/svg+xml',
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/courses/elections/`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the static site works in a folder of a web host, also in a frame of another page', async () => {
  const page = await browser.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on(
    'response',
    (response) => response.status() >= 400 && trouble.push(`${response.status()} ${response.url()}`),
  );
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob|about):/.test(request.url()))
      trouble.push(request.url());
  });
  await page.goto(`${url}#/run?nodes=4`);
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'of 4' }).waitFor();
  for (const name of ['Check', 'Compare', 'Write', 'Learn', 'Run']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  await page.setContent(`<iframe src="${url}#/run?embed=1&nodes=5" width="900" height="600"></iframe>`);
  await page.frameLocator('iframe').getByText('Space-time').first().waitFor();
  expect(trouble).toEqual([]);
  expect(await (await page.request.get(url)).text()).toContain("script-src 'self'");
});

it('the static site checks types, with the TypeScript that the build put beside it', async () => {
  const page = await browser.newPage();
  await page.goto(`${url}#/write`);
  await page.locator('.write-status [data-mark="✓"]').getByText('types', { exact: true }).waitFor();
});

it('the page Leases of a static site says that it needs the server', async () => {
  const page = await browser.newPage();
  await page.goto(`${url}#/leases`);
  await page.getByText('npx hustings lab').first().waitFor();
});
