import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setup } from '../../../scripts/setup.mjs';
import { type Block, parseBlocks } from '../../readme/blocks.ts';
import { checkScripts, createSandbox, isRunnable, runBlock, type Sandbox } from '../../readme/run-blocks.ts';
import { ROOT } from '../source-file.ts';

const LIMIT_MS = 120_000;
/** The commands of docs/why-this-line.md are run by test/cli/commands/twins.test.ts. */
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/your-own-election.md',
  'docs/checked.md',
  'docs/handlers.md',
  'docs/lead.md',
  'docs/simulator.md',
  'docs/checker.md',
  'docs/reproduce.md',
  'docs/cluster.md',
];

const blocksOf = (name: string): readonly Block[] =>
  existsSync(join(ROOT, name)) ? parseBlocks(readFileSync(join(ROOT, name), 'utf8')).filter(isRunnable) : [];

const places = new Map<string, Sandbox>();
beforeAll(async () => {
  await setup({ mayInstall: false });
  for (const name of DOCUMENTS) places.set(name, createSandbox(ROOT));
  checkScripts([...places].map(([name, place]) => [place, blocksOf(name)]));
}, LIMIT_MS);
afterAll(() => {
  for (const place of places.values()) place.remove();
});

describe.each(DOCUMENTS)('what %s tells the reader to do works', (name) => {
  const path = join(ROOT, name);
  const blocks = blocksOf(name);

  it('exists and has code blocks', () => {
    expect(existsSync(path), `${name} does not exist: write it`).toBe(true);
    expect(blocks.length, `${name} has no code block of sh, console, ts or js`).toBeGreaterThan(0);
  });

  for (const block of blocks) {
    const title = block.code.split('\n')[0];
    it(`line ${block.line}: ${title}`, { timeout: LIMIT_MS }, async ({ skip }) => {
      const { status, detail } = await runBlock(block, places.get(name)!, LIMIT_MS - 5_000);
      if (status === 'skipped') skip(detail);
      expect(status, `${name}:${block.line}\n${detail}`).toBe('passed');
    });
  }
});

it('of three processes that start the first job of the README, exactly one runs it', async () => {
  const place = createSandbox(ROOT);
  try {
    const [job] = parseBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8')).filter(({ code }) =>
      code.startsWith('for i in 1 2 3;'),
    );
    const { status, detail } = await runBlock(job, place);
    expect(status, detail).toBe('passed');
    expect(detail.match(/^only one of us says this$/gm)).toHaveLength(1);
    expect(detail.match(/did not become leader/g)).toHaveLength(2);
  } finally {
    place.remove();
  }
});
