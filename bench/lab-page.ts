/** Measures the page of the lab in Chromium: frames while a run plays, jumps in a long run, jobs in workers, the first load. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { BenchedWorker } from './lab-child.ts';
import { frameCosts, type TraceRecord } from './lab-frames.ts';

/** A busy machine records a long run in this time. */
const PATIENCE_MS = 300_000;
const VIEWPORT = { width: 1280, height: 800 };

/** The shares of a list of figures. */
export interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), most: at(1) };
}

/** Opens a run and waits until it is recorded and drawn. */
async function openRun(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.transport-place').waitFor();
  await page.locator('.diagram').waitFor();
  return page;
}

/** The processor time of each frame while a run plays from its start, several times. */
export async function playedFrames(
  browser: Browser,
  url: string,
  plays: number,
  milliseconds: number,
): Promise<Spread> {
  const page = await openRun(browser, url);
  const costs: number[] = [];
  for (let play = 0; play <= plays; play++) {
    await page.keyboard.press('Home');
    await page.waitForTimeout(500);
    await browser.startTracing(page, {
      categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    });
    await page.keyboard.press('Space');
    await page.waitForTimeout(milliseconds);
    const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceRecord[] };
    await page.keyboard.press('Space');
    // The first play compiles the code; compiled code is what a reader sees after the first seconds.
    if (play > 0) costs.push(...frameCosts(trace.traceEvents));
  }
  await page.context().close();
  return spreadOf(costs);
}

/** Jumps of the scrubber until the frame is painted: elapsed time, and processor time of the main thread. */
export async function jumps(
  browser: Browser,
  url: string,
  count: number,
): Promise<{ readonly elapsed: Spread; readonly processor: Spread; readonly steps: number }> {
  const page = await openRun(browser, url);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskSeconds = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const steps = Number(await page.locator('.scrubber').getAttribute('max'));
  const elapsed: number[] = [];
  const processor: number[] = [];
  for (let k = 0; k < count; k++) {
    const before = await taskSeconds();
    elapsed.push(await page.evaluate<number>(jumpScript((k * 7_919 * 104_729) % steps)));
    processor.push(1000 * ((await taskSeconds()) - before));
  }
  await page.context().close();
  return { elapsed: spreadOf(elapsed), processor: spreadOf(processor), steps };
}

/** A message that is sent in an animation frame arrives after the frame was painted. */
function jumpScript(position: number): string {
  return `new Promise((resolve) => {
    const scrubber = document.querySelector('.scrubber');
    const start = performance.now();
    scrubber.value = ${position};
    scrubber.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - start);
      port2.postMessage(null);
    });
  })`;
}

/** Milliseconds of a job in a worker that has done the same job before: its code is loaded and compiled. */
export async function workerMs(
  page: Page,
  folder: string,
  worker: BenchedWorker,
  request: unknown,
): Promise<number> {
  const file = readdirSync(join(folder, 'assets')).find((name) => name.startsWith(`${worker}-worker-`));
  if (file === undefined) throw new Error(`${folder} has no worker ${worker}: run npm run build`);
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    let start = null;
    const worker = new Worker(new URL('assets/${file.replace(/\.br$/, '')}', location.href), { type: 'module' });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      if (data.type === 'progress') return;
      if (data.type === 'result' && start === null) {
        start = performance.now();
        worker.postMessage(${JSON.stringify(request)});
        return;
      }
      worker.terminate();
      if (data.type === 'error') reject(new Error(data.message));
      else resolve(performance.now() - start);
    };
    worker.postMessage(${JSON.stringify(request)});
  })`);
}

/** The compressed bytes of everything that the first visit of the page Run loads. */
export async function firstLoadBytes(browser: Browser, url: string): Promise<number> {
  const page = await openRun(browser, url);
  await page.waitForLoadState('networkidle');
  const bytes = await page.evaluate<number>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  await page.context().close();
  return bytes;
}
