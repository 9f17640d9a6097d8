import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBefore } from '../cli/command.ts';
import { runProcess } from '../limits/child-process.ts';
import { commandsOf, parseBlocks } from '../readme/blocks.ts';
import { createSandbox, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';

let place: Sandbox;
buildBefore();
beforeAll(() => {
  place = createSandbox(ROOT);
});
afterAll(() => place?.remove());

it('docs/cluster.md shows what a node of Maelstrom answers', () => {
  const page = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
  const block = parseBlocks(page).find(
    ({ code, language }) => language === 'console' && code.includes('hustings maelstrom'),
  );
  if (block === undefined) throw new Error('there is no such block');
  const [{ text }] = commandsOf(block);
  const { stdout } = runProcess('sh', ['-c', text], {
    cwd: place.folder,
    env: place.env,
  });
  expect(stdout.trimEnd().split('\n')).toEqual(block.code.split('\n').slice(1));
});
