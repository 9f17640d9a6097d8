/** Commands of the pages work after `npm install hustings`, which puts no command on the path of a shell. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Block, commandsOf, parseBlocks } from '../readme/blocks.ts';
import { ROOT } from '../source/source-file.ts';

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = ['README.md', ...pagesIn('docs'), ...pagesIn('docs/jobs'), ...pagesIn('docs/stores')];

/** Commands that a shell must find. Those of `hustings lead` have the path of their supervisor. */
const onThePath = (block: Block): string[] =>
  commandsOf(block)
    .map(({ text }) => text)
    .filter((text) => /(?:^|[|;(] ?)hustings /.test(text));

it.each(pages)('%s starts hustings by npx', (page) => {
  const blocks = parseBlocks(readFileSync(join(ROOT, page), 'utf8'));
  const shell = blocks.filter(({ language }) => ['sh', 'bash', 'console'].includes(language));
  expect(shell.flatMap(onThePath)).toEqual([]);
});

it('a command without npx would be found', () => {
  const code =
    'hustings lead\n(sleep 1; echo quit) | hustings cluster\nnpx hustings lead -- sh -c "hustings assert"';
  expect(onThePath({ line: 1, language: 'sh', code, notRun: undefined })).toHaveLength(2);
});
