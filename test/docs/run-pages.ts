/**
 * Runs the code blocks of pages in order, as a reader does. A `run` section shows what its commands print; a picture that
 * a command writes and the page shows is kept in docs/pictures.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKept } from '../../test-kit/golden/golden.ts';
import { fillRegions } from '../../test-kit/golden/regions.ts';
import { type Block, commandsOf, parseBlocks } from '../readme/blocks.ts';
import { checkScripts, createSandbox, isRunnable, runBlock, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

const LIMIT_MS = 120_000;
/** They serve until they are stopped: jobs.test.ts runs them. */
const ENDLESS = /^\/\/ (worker|nightly-report|queue-consumer|http-service|bullmq)\.ts\n/;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const blocksOf = (page: string): Block[] =>
  parseBlocks(read(page)).filter((block) => isRunnable(block) && !ENDLESS.test(block.code));

/** The pages, each with what its programs print. */
export function runPages(pages: Readonly<Record<string, readonly RegExp[]>>): void {
  const places = new Map<string, Sandbox>();
  beforeAll(async () => {
    for (const page of Object.keys(pages)) places.set(page, createSandbox(ROOT, ['@photostructure/sqlite']));
    checkScripts([...places].map(([page, place]) => [place, blocksOf(page)]));
  }, LIMIT_MS);
  afterAll(() => {
    for (const place of places.values()) place.remove();
  });

  describe.each(Object.entries(pages))('what %s tells the reader to do works', (page, prints) => {
    const blocks = blocksOf(page);
    const printed = new Map<string, string>();

    it('has code blocks', () => expect(blocks.length).toBeGreaterThan(0));

    for (const block of blocks) {
      const title = block.code.split('\n')[0];
      it(`line ${block.line}: ${title}`, { timeout: LIMIT_MS }, async ({ skip }) => {
        const isConsole = block.language === 'console' && block.notRun === undefined;
        const parts = isConsole
          ? commandsOf(block).map(({ text }) => ({ ...block, code: `$ ${text}` }))
          : [block];
        for (const part of parts) {
          const { status, detail } = await runBlock(part, places.get(page)!, LIMIT_MS - 5_000);
          if (status === 'skipped') skip(detail);
          expect(status, `${page}:${block.line}\n${detail}`).toBe('passed');
          printed.set(part.code, detail.trimEnd());
        }
      });
    }

    it('shows what its commands print and draw', () => {
      for (const pattern of prints) {
        expect([...printed.values()]).toContainEqual(expect.stringMatching(pattern));
      }
      const text = read(page);
      const filled = fillRegions(text, {
        run: (_, inside) => {
          const [block] = parseBlocks(inside);
          const lines = commandsOf(block).flatMap(({ text: command }) => {
            const output = printed.get(`$ ${command}`);
            if (output === undefined) throw new Error(`this command has not been run: ${command}`);
            return output === '' ? [`$ ${command}`] : [`$ ${command}`, output];
          });
          return ['```console', ...lines, '```'];
        },
      });
      expectKept(new URL(page, `file://${ROOT}/`), filled);
      for (const [, path, file] of text.matchAll(/\]\((pictures\/(?:[a-z]+\/)*([\w-]+\.svg))\)/g)) {
        const drawn = join(places.get(page)!.folder, file);
        if (existsSync(drawn)) expectKept(new URL(path, `file://${ROOT}/docs/`), readFileSync(drawn, 'utf8'));
      }
    });
  });
}
