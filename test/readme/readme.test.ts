import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runPages } from '../docs/run-pages.ts';
import { ROOT } from '../source/source-file.ts';
import { parseBlocks } from './blocks.ts';
import { createSandbox, runBlock } from './run-blocks.ts';

/** The commands of docs/why-this-line.md are run by packages/study/test/cli/commands/twins.test.ts. */
runPages({ 'README.md': [], 'CONTRIBUTING.md': [] });

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
