import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBefore } from '../cli/command.ts';
import { expectKept } from '../golden/golden.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { createSandbox, runBlock, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';
import { fillIn } from './your-own-election.ts';

const page = new URL('../../docs/testing.md', import.meta.url);

let place: Sandbox;
buildBefore();
beforeAll(() => {
  place = createSandbox(ROOT);
});
afterAll(() => place?.remove());

describe('docs/testing.md', () => {
  it('shows the file of examples/, whose tests pass', async () => {
    const filled = fillIn(readFileSync(page, 'utf8'), () => '');
    expectKept(page, filled);
    const [example, command, ...others] = parseBlocks(filled);
    expect(others).toEqual([]);
    const { status, detail } = await runBlock(example, place);
    expect(status, detail).toBe('passed');
    expect(detail).toMatch(/# pass 6\n# fail 0/);
    expect(await runBlock(command, place)).toMatchObject({ status: 'passed' });
  });
});
