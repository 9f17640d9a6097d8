import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBefore } from '../cli/command.ts';
import { expectKept } from '../golden/golden.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { createSandbox, runBlock, type Sandbox } from '../readme/run-blocks.ts';
import { GROUPS, LARGER_GROUPS, LARGER_RESHARDINGS, RESHARDINGS } from '../shards/model/configurations.ts';
import { ROOT } from '../source/source-file.ts';
import { fillIn } from './your-own-election.ts';

const page = new URL('../../docs/shards.md', import.meta.url);

let place: Sandbox;
buildBefore();
beforeAll(() => {
  place = createSandbox(ROOT);
});
afterAll(() => place?.remove());

it('docs/shards.md shows the file of examples/, which runs as it says', async () => {
  const filled = fillIn(readFileSync(page, 'utf8'), () => '');
  expectKept(page, filled);
  const { status, detail } = await runBlock(parseBlocks(filled)[0], place);
  expect(status, detail).toBe('passed');
});

it('docs/shards.md has the size of every state space that is searched', () => {
  const text = readFileSync(page, 'utf8');
  for (const { text: what, states, transitions } of [
    ...GROUPS,
    ...LARGER_GROUPS,
    ...RESHARDINGS,
    ...LARGER_RESHARDINGS,
  ]) {
    expect(text).toContain(
      `| ${what} | ${states.toLocaleString('en')} | ${transitions.toLocaleString('en')} |`,
    );
  }
});
