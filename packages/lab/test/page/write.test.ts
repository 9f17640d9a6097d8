import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runToSuccess } from '../../../../test-kit/limits/child-process.ts';
import { check } from '../../../study/src/checker/index.ts';
import { findAlgorithm } from '../../src/model/setup/algorithm-list.ts';
import { encodeCode } from '../../src/page/write/code/link-code.ts';
import { expectAccessible, useLab } from './browser.ts';

const lab = useLab();
const ROOT = new URL('../../../../', import.meta.url);
const example = (name: string): Promise<string> => readFile(new URL(`examples/${name}.ts`, ROOT), 'utf8');

const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict' });

/** The page as it is without TypeScript, where the server sends an empty script: ten megabytes of compiler take seconds. */
const openUntyped = (link = '#/write', options: BrowserContextOptions = {}): Promise<Page> =>
  lab.open(link, options, (context) =>
    context.route('**/typescript.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' })),
  );

/** Waits for a verdict on the text that the editor shows. */
async function expectVerdict(page: Page, pattern: RegExp): Promise<void> {
  await expect
    .poll(
      async () => (await verdict(page).getAttribute('data-stale')) === 'false' && verdict(page).textContent(),
      {
        timeout: 30_000,
      },
    )
    .toMatch(pattern);
}

/** Replaces the text, as an input method does. */
async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Source text' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  // The editor notices an input after it: until then the verdict on the old text is not stale.
  await page.locator('[data-stale=true]').first().waitFor({ state: 'attached' });
}

/** Tries to get out of the sandbox, and says what was refused. */
const RAW_WORKER = `onmessage = async ({ data: origin }) => {
  const tries = {
    fetch: () => fetch(origin + '/api/session'),
    blind: () => fetch(origin + '/api/session', { mode: 'no-cors' }),
    socket: () => new Promise((resolve, reject) => {
      const socket = new WebSocket(origin.replace('http', 'ws'));
      socket.onopen = resolve;
      socket.onerror = reject;
    }),
    scripts: () => importScripts(origin + '/index.html'),
    module: () => import(origin + '/index.html'),
    evaluated: () => eval('1'),
    database: () => new Promise((resolve, reject) => {
      const opening = indexedDB.open('x');
      opening.onsuccess = resolve;
      opening.onerror = reject;
    }),
  };
  const found = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt();
      found[name] = 'reached';
    } catch {
      found[name] = 'refused';
    }
  }
  postMessage(found);
};`;

describe('the page Write', () => {
  it('shows the counterexample of a wrong algorithm beside its lines, verifies the repaired one, and keeps it', async () => {
    const page = await openUntyped();
    await type(page, `\n${await example('my-first-election')}`);
    await expectVerdict(page, /violates termination: no node has decided/);
    const steps = page.getByRole('toolbar', { name: 'Steps of the counterexample' });
    await steps.getByRole('button', { name: 'First step' }).click();
    await steps.getByRole('button', { name: 'Step', exact: true }).click();
    await expect.poll(() => page.locator('.write-narration').textContent()).toMatch(/starts: sends token/);
    // The lines of this step are marked, and the steps stand beside them.
    const now = page.locator('.write-editor .line-now');
    await expect.poll(() => now.textContent()).toContain("ctx.send(NEXT, 'token', ctx.id)");
    await expect
      .poll(() => page.locator('.write-editor .step-mark[data-now=true]').first().textContent())
      .toBe('1');
    await expectAccessible(page);

    await type(page, await example('my-election'));
    await expectVerdict(page, /Every schedule on 2 to 4 nodes elects one leader/);
    await expect.poll(() => page.locator('.write-editor .step-mark').count()).toBe(0);

    await page.evaluate(`{
      const region = document.querySelector('.write-verdict');
      const look = () => {
        if (region.dataset.stale === 'true' && region.textContent.includes('Line 2:'))
          document.body.dataset.isEarly = 'true';
      };
      new MutationObserver(look).observe(region, { attributes: true, childList: true, subtree: true });
    }`);
    await type(page, 'export const a: number = 1;\nconst = 2;\n');
    await expectVerdict(page, /Line 2:/);
    // The error stood there before the old verdict was replaced.
    expect(await page.evaluate('document.body.dataset.isEarly')).toBe('true');
    await expect.poll(() => page.locator('.write-editor .line-problem').count()).toBe(1);
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Source text' }).textContent(), { timeout: 30_000 })
      .toContain('const = 2;');
  });

  it('keeps the place in a counterexample that is found again, and drops results of older texts', async () => {
    const page = await openUntyped();
    await expectVerdict(page, /violates termination/);
    await page.evaluate(`{
      document.querySelector('.write-transport').dataset.isFirst = 'true';
      addEventListener('message', ({ data }) => {
        if (data.message?.type === 'done') document.body.dataset.searches = '2';
      });
    }`);
    const steps = page.getByRole('toolbar', { name: 'Steps of the counterexample' });
    await steps.getByRole('button', { name: 'First step' }).click();
    await steps.getByRole('button', { name: 'Step', exact: true }).click();
    await page.keyboard.press('ControlOrMeta+k');
    // A blank that is typed before would press the button Step again.
    await page.locator('dialog [role=combobox]:focus').waitFor();
    await page.keyboard.type('Run and check the text again');
    await page.keyboard.press('Enter');
    await page.locator('body[data-searches]').waitFor();
    await expect.poll(() => verdict(page).getAttribute('aria-busy')).toBe('false');
    await expect.poll(() => steps.locator('output').textContent()).toContain('step 1 of');
    expect(await steps.getAttribute('data-is-first')).toBe('true');

    const text = await example('my-election');
    // In one task, so that no timer comes between: the text changes, then a result of the old one arrives.
    const stale = await page.evaluate<string>(`(async () => {
      const editor = document.querySelector('.write-editor').shadowRoot.querySelector('[contenteditable]');
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      const source = document.querySelector('iframe[sandbox]').contentWindow;
      const message = { type: 'failed', stage: 'load', text: 'a late result', line: 1 };
      for (let job = 0; job < 9; job++) dispatchEvent(new MessageEvent('message', { data: { job, message }, source }));
      await null;
      const region = document.querySelector('.write-verdict');
      return region.dataset.stale + ': ' + region.textContent;
    })()`);
    expect(stale).toMatch(/^true: /);
    expect(stale).not.toContain('a late result');
  });

  it('shows type errors at their lines as warnings, runs the text all the same, and completes the kernel', async () => {
    const page = await lab.open('#/write');
    const status = page.locator('.write-status');
    const text = await example('my-election');
    await type(page, `${text}\nexport const size: number = 'three';\n`);
    const line = text.split('\n').length + 1;
    const found = page.getByRole('region', { name: 'Type errors' });
    await expect.poll(() => found.textContent()).toContain(`Line ${line}: Type 'string' is not assignable`);
    await expect
      .poll(() => page.locator('.write-editor .line-warning').allTextContents())
      .toEqual(["⚠ Type 'string' is not assignable to type 'number'"]);
    await expectVerdict(page, /Every schedule on 2 to 4 nodes elects one leader/);
    expect(await status.textContent()).toContain(`a type error, line ${line}`);
    expect(await page.locator('.write-problem').count()).toBe(0);
    await expectAccessible(page);

    await type(page, text);
    await expect.poll(() => status.locator('[data-mark="✓"]').allTextContents()).toContain('types');
    expect(await found.count()).toBe(0);
    await expect.poll(() => page.locator('.write-editor .line-warning').count()).toBe(0);

    // A completion of the kernel brings its import.
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('export const most = MAX_');
    await page.locator('.cm-tooltip-autocomplete').getByText('MAX_WORD').waitFor();
    // The editor takes no key for a list that has just appeared.
    await page.waitForTimeout(200);
    await page.keyboard.press('Enter');
    const content = page.getByRole('textbox', { name: 'Source text' });
    await expect.poll(() => content.textContent()).toContain('export const most = MAX_WORD');
    await page.keyboard.press('ControlOrMeta+Home');
    await expect
      .poll(() => content.textContent())
      .toMatch(/import \{[^}]*, MAX_WORD \} from '@hustings\/study\/kernel'/);
    await expectVerdict(page, /elects one leader/);
    expect(await found.count()).toBe(0);
  });

  it('says what to install without TypeScript; deletes a file after a question, and brings it back', async () => {
    const page = await openUntyped();
    await expectVerdict(
      page,
      /Types are not checked: run npm install typescript@6 where hustings is installed/,
    );
    await expectVerdict(page, /violates termination/);

    const heading = page.getByRole('heading', { level: 1 });
    const choose = page.getByRole('button', { name: 'Delete…' });
    expect(await choose.count()).toBe(0);
    await page.getByRole('combobox', { name: 'Start from' }).selectOption('my-election');
    await page.getByRole('combobox', { name: 'Start from' }).selectOption('lelann');
    await expect.poll(() => heading.textContent()).toContain('my-lelann.ts');
    const topOf = async (name: string): Promise<number | undefined> =>
      (await page.getByRole('button', { name }).boundingBox())?.y;
    expect(await topOf('Delete…'), 'in one row at a width of 1280').toBe(await topOf('Link to this code'));
    // With the keyboard alone: the question, a refusal, then the deletion.
    await choose.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete my-lelann.ts?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await heading.textContent()).toContain('my-lelann.ts');
    await choose.press('Enter');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await expect.poll(() => heading.textContent()).toContain('my-election.ts');
    const kept = (): Promise<string> => page.evaluate("localStorage.getItem('hustings.write.files')");
    expect(await kept()).not.toContain('my-lelann');
    await page.getByText('my-lelann.ts was deleted.').getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => heading.textContent()).toContain('my-lelann.ts');
    expect(await kept()).toContain('my-lelann');
    await expect.poll(() => page.getByText('was deleted').count()).toBe(0);
  });

  it('stops an endless loop, and names the handler and its line', async () => {
    const page = await openUntyped();
    const endless = (await example('my-election')).replace(
      'if (id === ctx.id) {',
      'for (;;) {}\n      if (id === ctx.id) {',
    );
    const line = endless.split('\n').findIndex((text) => text.includes('token(state')) + 1;
    await type(page, endless);
    await expectVerdict(page, new RegExp(`did not return from \`token\` \\(line ${line}\\)`));
    await type(page, await example('my-election'));
    await expectVerdict(page, /elects one leader/);
  });

  it('gives a fork the counts of the built-in algorithm, and exports a file with the same verdict', async () => {
    const page = await openUntyped('#/write', { acceptDownloads: true });
    await page.getByRole('combobox', { name: 'Start from' }).selectOption('peterson');
    await expectVerdict(page, /elects one leader/);
    const algorithm = findAlgorithm('peterson');
    if (algorithm === undefined) throw new Error('there is no Peterson');
    const rows = await verdict(page).locator('.write-counts tbody tr').allTextContents();
    const expected = [2, 3, 4].map((nodes) => {
      const { states, transitions } = check(algorithm, { nodes, orders: 'all' });
      return `${nodes}${states.toLocaleString('en-US')}${transitions.toLocaleString('en-US')}✓ holds`;
    });
    expect(rows).toEqual(expected);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export .ts' }).click(),
    ]);
    // In the repository, so that the file finds the package by its name.
    const folder = await mkdtemp(new URL('packages/lab/test/page/exported-', ROOT).pathname);
    try {
      const file = join(folder, download.suggestedFilename());
      await download.saveAs(file);
      const { stdout } = runToSuccess(process.execPath, [
        ...[new URL('packages/hustings/dist/cli/main.js', ROOT).pathname, 'check', file],
        ...['--nodes', '4', '--orders', 'all', '--json'],
      ]);
      const { states, transitions } = check(algorithm, { nodes: 4, orders: 'all' });
      expect(JSON.parse(stdout)).toMatchObject({ states, transitions, violations: [] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('runs linked code only when asked to, and lets it reach nothing', async () => {
    lab.expectTrouble(/Content Security Policy|Refused to|violates the following/);
    const hostile = `import { defineAlgorithm } from '@hustings/study/kernel';
const reached: string[] = [];
const tries: Record<string, () => unknown> = {
  fetch: () => (globalThis as any).fetch('/api/session'),
  request: () => new (globalThis as any).XMLHttpRequest(),
  socket: () => new (globalThis as any).WebSocket('ws://127.0.0.1:1'),
  scripts: () => (globalThis as any).importScripts('/index.html'),
  parent: () => (globalThis as any).parent.document.title,
  page: () => (globalThis as any).document.title,
  storage: () => (globalThis as any).localStorage.length,
  database: () => (globalThis as any).indexedDB.open('x'),
  post: () => (globalThis as any).postMessage({ type: 'done' }),
  worker: () => new (globalThis as any).Worker('data:text/javascript,'),
  evaluated: () => (globalThis as any).eval('1'),
};
for (const [name, attempt] of Object.entries(tries)) {
  try {
    attempt();
    reached.push(name);
  } catch {}
}
(Object.prototype as any).isAdmin = true;
throw new Error('reached: ' + (reached.join(' ') || 'nothing'));
export const a = defineAlgorithm;
`;
    const code = await encodeCode(hostile);
    const page = await openUntyped(`#/write?code=${code}`);
    const run = page.getByRole('button', { name: 'Run this code' });
    await run.waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Source text' }).textContent())
      .toContain('reached');
    await page.waitForTimeout(1000);
    await expect.poll(() => page.locator('.write-problem').count()).toBe(0);
    await run.click();
    await expectVerdict(page, /Line 23: reached: nothing/);
    expect(page.url()).not.toContain('code=');
    expect(await page.evaluate('({}).isAdmin')).toBeUndefined();
    // The policy of the frame holds also for a worker that keeps everything that a worker has.
    const refused = await page.evaluate<Record<string, string>>(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => data.job === 'raw' && resolve(data.message));
      const engine = ${JSON.stringify(RAW_WORKER)};
      const { contentWindow } = document.querySelector('iframe[sandbox]');
      contentWindow.postMessage({ type: 'start', job: 'raw', engine, request: location.origin }, '*');
    })`);
    expect(Object.values(refused)).toEqual(Object.keys(refused).map(() => 'refused'));
    expect(Object.keys(refused)).toHaveLength(7);
    // A flood of messages ends the worker, and the page goes on.
    const flood = await page.evaluate<object>(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => {
        if (data.job === 'flood' && data.message.type === 'died') resolve(data.message);
      });
      const engine = 'onmessage = () => { for (;;) postMessage({ type: "alive", states: 1 }); }';
      const { contentWindow } = document.querySelector('iframe[sandbox]');
      contentWindow.postMessage({ type: 'start', job: 'flood', engine, request: null }, '*');
    })`);
    expect(flood).toEqual({ type: 'died', text: 'it sent too many messages' });
    // Its origin is opaque, so the frame cannot be read from here either.
    expect(await page.evaluate('document.querySelector("iframe[sandbox]").contentDocument')).toBeNull();
  });
});
