// Screenshots of every page of the lab for the docs, in a real Chromium.
//
//   node scripts/lab-pictures.mjs [NAME …]     needs a build and Chromium; CHROME_PATH names the browser

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDER = join(ROOT, 'docs/pictures/lab');
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ id: number, http: string }} Member */
/**
 * With `cluster`, the algorithm of five processes that the lab shows. `act` gets them.
 * @typedef {{ link: string, size?: { width: number, height: number }, dark?: boolean, cluster?: string, act?: (page: Page, members: Member[]) => Promise<unknown> }} Picture
 */

const adversary = async (/** @type {Page} */ page) => {
  await page.getByText('You choose').click();
  await page.keyboard.press('2');
  await page.keyboard.press('3');
};
const paused = async (/** @type {Page} */ page) => {
  await page
    .getByText(/worker-\d leads/)
    .first()
    .waitFor();
  await page.getByRole('region', { name: 'Try it' }).getByRole('button').click();
  await page.waitForTimeout(6000);
  await page
    .getByRole('button', { name: /^Resume worker-\d$/ })
    .first()
    .click();
  await page.getByText('refused').first().waitFor();
};
const killed = async (/** @type {Page} */ page, /** @type {Member[]} */ members) => {
  await page.getByText(/all of them agree/).waitFor();
  await page.waitForTimeout(10_000);
  const statuses = await Promise.all(
    members.map(async ({ http }) => JSON.parse(await (await fetch(`http://${http}/status`)).text())),
  );
  const { id, pid } = statuses.find(({ leads }) => leads);
  process.kill(pid, 'SIGKILL');
  await page.locator('#members [data-state=down]').waitFor();
  await page
    .getByRole('heading', { name: new RegExp(`★(?!${id} )\\d leads`) })
    .first()
    .waitFor();
};
const ring = '#/run?algorithm=chang-roberts&ids=8,4,7,2,6,5,1,3&schedule=random&seed=49&t=20';
const broken = '#/check?algorithm=peterson-without-max&ids=1,2';

/** @type {Record<string, Picture>} */
const PICTURES = {
  run: { link: ring, act: adversary },
  'run-dark': { link: '#/run?algorithm=bully&nodes=6&t=14', dark: true },
  'run-phone': { link: ring, size: PHONE },
  check: { link: broken, act: (page) => page.locator('.found-steps button').last().click() },
  compare: {
    link: '#/compare?algorithms=chang-roberts,peterson,hirschberg-sinclair',
    act: (page) => page.getByRole('progressbar').waitFor({ state: 'detached', timeout: 120_000 }),
  },
  write: {
    link: '#/write',
    act: async (page) => {
      await page.locator('.write-status').getByText('types', { exact: true }).waitFor();
      await page.getByRole('toolbar', { name: 'Steps of the counterexample' }).waitFor();
    },
  },
  learn: { link: '#/learn?lesson=worst-order' },
  leases: { link: '#/leases', act: paused },
  'leases-dark': {
    link: '#/leases',
    dark: true,
    act: (page) =>
      page
        .getByText(/worker-\d leads/)
        .first()
        .waitFor(),
  },
  cluster: { link: '#/cluster', cluster: 'raft', size: { width: 1280, height: 700 }, act: killed },
};

const chosen = process.argv.slice(2);
const { findBrowser } = await import(
  new URL('../packages/study/dist/cli/picture/browser.js', import.meta.url).href
);
mkdirSync(FOLDER, { recursive: true });

/** @param {readonly string[]} args */
function start(args) {
  const child = spawn(process.execPath, [join(ROOT, 'packages/hustings/dist/cli/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30 * 60_000,
    killSignal: 'SIGKILL',
  });
  started.push(child);
  return child;
}

/** @param {readonly string[]} [args] @returns {Promise<string>} its address */
async function startLab(args = []) {
  const [line] = await once(
    createInterface({ input: start(['lab', '--port', '0', '--json', ...args]).stdout }),
  );
  return JSON.parse(line).url.replace(/#.*/, '');
}

/** @param {string} algorithm @returns {Promise<string>} its member file */
function startCluster(algorithm) {
  const { stdout } = start(['cluster', '--nodes', '5', '--algorithm', algorithm]);
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const [, file] = /--cluster (.*)$/.exec(line) ?? [];
      if (file !== undefined) resolve(file);
    });
  });
}

/** @type {import('node:child_process').ChildProcess[]} */
const started = [];
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const lab = await startLab();
  for (const [name, { link, size = WIDE, dark = false, cluster, act }] of Object.entries(PICTURES)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const file = cluster && (await startCluster(cluster));
    const url = file ? await startLab(['--cluster', file]) : lab;
    const page = await browser.newPage({
      viewport: size,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    await page.goto(url + link);
    await page.locator('h1').first().waitFor();
    await act?.(page, file ? JSON.parse(readFileSync(file, 'utf8')).members : []);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    await page.close();
    console.log(`${name}.png`);
  }
} finally {
  await browser.close();
  for (const child of started) child.kill('SIGTERM');
}

/** @param {import('node:readline').Interface} lines @returns {Promise<string[]>} */
function once(lines) {
  return new Promise((resolve) => lines.once('line', (line) => resolve([line])));
}
