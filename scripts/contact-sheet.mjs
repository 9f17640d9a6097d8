// Draws every algorithm's default picture (`simulate NAME --svg`) on one sheet, to be looked at before a release.
//
//   node scripts/contact-sheet.mjs [FILE.png] [--dark] [--size page] [NAME …]     needs a build and Chromium
//
// CHROME_PATH names the browser, as it does for the command line.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { runLimited } from './limited.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const COLUMNS = 4;
const WIDTH = 640;

const words = process.argv.slice(2);
/** @type {string[]} */
const options = [];
if (words.includes('--dark')) options.push('--dark');
if (words.includes('--size')) options.push('--size', words[words.indexOf('--size') + 1]);
const rest = words.filter((word) => !options.includes(word));
const file = rest.find((word) => word.endsWith('.png')) ?? 'contact-sheet.png';
const chosen = rest.filter((word) => word !== file);

const { registry } = await import(
  new URL('../packages/study/dist/algorithms/index.js', import.meta.url).href
);
const { findBrowser } = await import(
  new URL('../packages/study/dist/cli/picture/browser.js', import.meta.url).href
);
const names = chosen.length > 0 ? chosen : registry.map((/** @type {{ name: string }} */ { name }) => name);
const folder = mkdtempSync(join(tmpdir(), 'contact-sheet-'));
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox'],
});
try {
  const pictures = names.map((/** @type {string} */ name) => {
    const svg = join(folder, `${name}.svg`);
    const command = [
      join(ROOT, 'packages/hustings/dist/cli/main.js'),
      'simulate',
      name,
      '--svg',
      svg,
      ...options,
    ];
    const { status } = runLimited(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`the picture of ${name} was not drawn`);
    const source = `data:image/svg+xml;base64,${readFileSync(svg).toString('base64')}`;
    return `<figure><img src="${source}"><figcaption>${name}</figcaption></figure>`;
  });
  const columns = Math.min(COLUMNS, names.length);
  const page = await browser.newPage({ viewport: { width: columns * WIDTH, height: 100 } });
  await page.setContent(
    `<style>body{margin:0;display:grid;grid-template-columns:repeat(${columns},1fr);gap:8px;background:#888}` +
      `figure{margin:0;background:#fff}img{width:100%;display:block}figcaption{font:14px sans-serif;padding:4px}</style>` +
      pictures.join(''),
  );
  await page.screenshot({ path: file, fullPage: true });
  console.log(`${names.length} pictures: ${file}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
