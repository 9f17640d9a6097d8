/** The world runs where there is no Node: bundled for a browser, in a bare JavaScript context and in Chromium. */
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../../../../test-kit/programs/describe-with.ts';
import { launchBrowser } from '../../../../../test-kit/programs/launch-browser.ts';

/** Runs an election whose coordinator is dead to its end, goes back to the beginning and forward again. */
const PROGRAM = `
import { History, nodeViews, resolveSetup, World, formatStep } from './packages/study/src/kernel/driver.ts';
import { bully } from './packages/study/src/algorithms/complete/bully.ts';

const setup = resolveSetup(bully, { ids: [4, 2, 3, 1] });
const world = new World(setup);
const history = new History(world);
for (let step = world.enabled()[0]; step !== undefined && history.position < 500; step = world.enabled()[0]) {
  history.take(step);
}
const last = JSON.stringify(world.save());
while (history.back());
const views = nodeViews(world);
while (history.forward() !== null);
export const told = JSON.stringify({
  steps: history.steps.map(formatStep),
  asleep: views.map(({ status }) => status),
  leaders: nodeViews(world).map(({ decision }) => decision?.leader ?? null),
  isSame: JSON.stringify(world.save()) === last,
});
`;

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
let bundle = '';
let inputs: string[] = [];

beforeAll(async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'election',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  bundle = outputFiles[0].text;
  inputs = Object.keys(metafile.inputs);
});

function expectElection(told: string): void {
  const { asleep, isSame, leaders, steps } = JSON.parse(told);
  expect(steps.length).toBeGreaterThan(10);
  expect(asleep).toContain('asleep');
  expect(isSame).toBe(true);
  // The first coordinator, id 4, is dead from the beginning.
  expect(leaders.slice(1)).toEqual([3, 3, 3]);
}

describe('the world in a bundle for browsers', () => {
  it('is made of the kernel alone', () => {
    const outside = inputs.filter(
      (path) =>
        !/^(packages\/(base\/(src|dist)\/[^/]+$|study\/src\/(kernel|algorithms)\/)|<stdin>)/.test(path),
    );
    expect(outside).toEqual([]);
  });

  it('runs in a context that has nothing but the language', () => {
    expectElection(runInNewContext(`${bundle}; election.told`, {}));
  });
});

await describeWith('chromium', 'the world in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  it('elects, goes back to the beginning and forward again', async () => {
    const page = await browser.newPage();
    await page.setContent(`<script>${bundle}</script>`);
    expectElection(await page.evaluate('election.told'));
  }, 60_000);
});
