import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBefore, hustings, temporaryFolder } from '../cli/command.ts';
import { expectKept } from '../golden/golden.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { createSandbox, runBlock, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

const page = readFileSync(join(ROOT, 'docs/pictures.md'), 'utf8');
const blocks = parseBlocks(page);
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
  .map((line) => line.replace('npx hustings ', ''));

describe('docs/pictures.md', () => {
  buildBefore();
  const folder = temporaryFolder();
  let place: Sandbox;
  beforeAll(() => {
    place = createSandbox(ROOT);
  });
  afterAll(() => place?.remove());

  it.each(commands)('hustings %s draws the picture that the page shows', { timeout: 120_000 }, (command) => {
    const { status, stderr } = hustings(command.split(' '), folder.path);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const [name] of command.matchAll(/[\w-]+\.svg/g)) {
      // A picture that is not shown is not kept.
      if (!page.includes(`pictures/networks/${name}`)) continue;
      const kept = new URL(`../../docs/pictures/networks/${name}`, import.meta.url);
      expectKept(kept, readFileSync(join(folder.path, name), 'utf8'));
    }
  });

  it('has a program that prints the roles of the nodes in three frames', { timeout: 120_000 }, async () => {
    const [block] = blocks.filter(({ language }) => language === 'ts');
    const { status, detail } = await runBlock(block, place, 110_000);
    expect(status, detail).toBe('passed');
    expect(detail).toMatch(/^(candidate ?){5}\n/);
    expect(detail).toMatch(/leader/);
  });
});
