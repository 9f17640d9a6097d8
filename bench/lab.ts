/**
 * `npm run bench:lab`: the speed of the lab in Chromium, served by its own server.
 *
 *   npm run bench:lab              about three minutes
 *   npm run bench:lab -- --quick   smaller networks, some seconds
 *   npm run bench:lab -- --json F  where the results go (bench/results/lab.json)
 *   npm run bench:lab -- --docs    also writes the table in docs/benchmarks.md
 *
 * Frames and jumps are measured in processor time of the page's main thread, which other work on the machine does not
 * lengthen; jumps also in elapsed time. A worker and a process of Node run the same module with the same request in turn, so
 * that both see the same load. Each has done the request once before it is measured; the ratio is the median over pairs.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { CheckRequest } from '@hustings/lab/internal/model/check/check-request';
import type { LabSetup } from '@hustings/lab/internal/model/setup/lab-setup';
import { startLabServer } from '@hustings/lab/internal/server/lab-server';
import { findBrowser } from '@hustings/study/internal/cli/picture/browser';
import { build, type Plugin } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { writeFigures } from './docs-table.ts';
import type { BenchedWorker } from './lab-child.ts';
import { firstLoadBytes, jumps, playedFrames, workerMs } from './lab-page.ts';
import { median } from './median.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PAGE_FOLDER = join(ROOT, 'packages/lab/dist/page');
const CHILD = join(dirname(fileURLToPath(import.meta.url)), 'lab-child.js');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    json: { type: 'string', default: join(ROOT, 'bench', 'results', 'lab.json') },
  },
});
const { docs, json, quick } = values;

const GOALS = { frameMs: 8, jumpMs: 100, ratio: 1.5, bytes: 150_000 };
const pairs = quick ? 1 : 5;

/** From time 0 to 5, 527 to 931 messages are in flight; a unit plays in 600 ms. */
const BUSY_MS = 2_900;
const PLAYED = quick
  ? '#/run?algorithm=echo-election&nodes=80&topology=random:160&t=0'
  : '#/run?algorithm=echo-election&nodes=200&topology=random:400&t=0';
const LONG = quick
  ? '#/run?algorithm=lelann&nodes=60&schedule=random&t=0'
  : '#/run?algorithm=lelann&nodes=200&schedule=random&t=0';
const ELECTION: LabSetup = { algorithm: 'chang-roberts', nodes: quick ? 20_000 : 1_000_000 };
const SEARCH: CheckRequest = {
  setup: { algorithm: 'dolev-klawe-rodeh', nodes: quick ? 7 : 12 },
  choices: {
    ...{ orders: 'one', initiators: 'all', crashes: 0, recoveries: 0, losses: 0, fifo: undefined },
    ...{ worst: undefined, stateLimit: 2_000_000, bound: undefined, reduce: 'none' },
  },
};

/** A line of the table. */
export interface LabFigure {
  readonly name: string;
  readonly value: string;
  readonly goal: string;
  readonly isMet: boolean;
}

/** The module of a worker, which the package has only as part of the page. */
async function bundled(worker: BenchedWorker): Promise<string> {
  const outfile = join(ROOT, `dist-bench/${worker}-worker.mjs`);
  const { sourceAliases } = await import(pathToFileURL(join(ROOT, 'scripts/sources.mjs')).href);
  const aliases: readonly { readonly find: RegExp; readonly replacement: string }[] = sourceAliases();
  const ours: Plugin = {
    name: 'ours',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^(@hustings\/|hustings)/ }, ({ path }) => {
        const door = aliases.find(({ find }) => find.test(path));
        return door && { path: path.replace(door.find, door.replacement) };
      }),
  };
  const entryPoints = [join(ROOT, `packages/lab/src/workers/${worker}-worker.ts`)];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', plugins: [ours] });
  return pathToFileURL(outfile).href;
}

async function nodeMs(worker: BenchedWorker, request: unknown): Promise<number> {
  const module = await bundled(worker);
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, module, JSON.stringify(request)]);
  return Number(stdout);
}

async function compare(browser: Browser, url: string, worker: BenchedWorker, request: unknown) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}#/leases`);
  const rounds: { readonly page: number; readonly node: number }[] = [];
  for (let k = 0; k < pairs; k++) {
    const inPage = await workerMs(page, PAGE_FOLDER, worker, request);
    rounds.push({ page: inPage, node: await nodeMs(worker, request) });
  }
  await context.close();
  return {
    pageMs: median(rounds.map((round) => round.page)),
    nodeMs: median(rounds.map((round) => round.node)),
    ratio: median(rounds.map((round) => round.page / round.node)),
  };
}

const load = loadavg()[0];
const server = await startLabServer({ port: 0, folder: PAGE_FOLDER });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
const measure = async () => ({
  bytes: await firstLoadBytes(browser, server.url),
  frames: await playedFrames(browser, server.url + PLAYED, quick ? 1 : 4, BUSY_MS),
  jumps: await jumps(browser, server.url + LONG, quick ? 20 : 200),
  election: await compare(browser, server.url, 'summary', ELECTION),
  search: await compare(browser, server.url, 'check', SEARCH),
});
const result = await measure().finally(async () => {
  await browser.close();
  await server.close();
});

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const { bytes, election, frames, jumps: jumped, search } = result;
const figures: LabFigure[] = [
  {
    name: `frame while a run plays, 200 nodes, at least 500 messages in flight: p50 / p95 of ${frames.count}`,
    value: `${ms(frames.p50)} / ${ms(frames.p95)}`,
    goal: `p95 < ${GOALS.frameMs} ms`,
    isMet: frames.p95 < GOALS.frameMs,
  },
  {
    name: `jump in a run of ${jumped.steps.toLocaleString('en')} steps, processor time: p50 / p95 / maximum of ${jumped.processor.count}`,
    value: `${ms(jumped.processor.p50)} / ${ms(jumped.processor.p95)} / ${ms(jumped.processor.most)}`,
    goal: `< ${GOALS.jumpMs} ms`,
    isMet: jumped.processor.most < GOALS.jumpMs,
  },
  {
    name: 'the same, elapsed time',
    value: `${ms(jumped.elapsed.p50)} / ${ms(jumped.elapsed.p95)} / ${ms(jumped.elapsed.most)}`,
    goal: `< ${GOALS.jumpMs} ms`,
    isMet: jumped.elapsed.most < GOALS.jumpMs,
  },
  {
    name: 'Chang–Roberts with a million nodes in a worker / in Node',
    value: `${election.ratio.toFixed(2)}`,
    goal: `≤ ${GOALS.ratio}`,
    isMet: election.ratio <= GOALS.ratio,
  },
  {
    name: 'model checker in a worker / in Node, 575,747 states',
    value: `${search.ratio.toFixed(2)}`,
    goal: `≤ ${GOALS.ratio}`,
    isMet: search.ratio <= GOALS.ratio,
  },
  {
    name: 'first load, compressed',
    value: `${(bytes / 1000).toFixed(0)} kB`,
    goal: `≤ ${GOALS.bytes / 1000} kB`,
    isMet: bytes <= GOALS.bytes,
  },
];
if (quick) console.log('--quick: smaller networks than the rows say; the goals do not apply\n');
for (const { goal, isMet, name, value } of figures) {
  console.log(`${isMet ? '✓' : '✗'} ${name}\n    ${value}; goal ${goal}`);
}
mkdirSync(dirname(json), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
writeFileSync(json, `${JSON.stringify({ version: 1, quick, machine, ...result }, null, 2)}\n`);
console.log(`\nwritten to ${json}`);
if (docs && !quick) writeFigures(join(ROOT, 'docs', 'benchmarks.md'), figures);
