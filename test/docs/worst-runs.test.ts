import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBefore, hustings, temporaryFolder } from '../cli/command.ts';
import { expectKept } from '../golden/golden.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { openWorkplace, runBlock, type Workplace } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';
import { fillIn } from './your-own-election.ts';

const docs = (path: string): URL => new URL(`../../docs/${path}`, import.meta.url);
const LIMIT_MS = 60_000;

describe('docs/worst-runs.md', () => {
  const folder = temporaryFolder();
  let place: Workplace;
  buildBefore();
  beforeAll(() => {
    place = openWorkplace(ROOT);
  });
  afterAll(() => place?.remove());

  it('shows what its commands print and draw, and the file is played again', () => {
    const print = (command: string): string => {
      const { status, stdout, stderr } = hustings(command.split(' '), folder.path);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    const file = docs('worst-runs.md');
    expectKept(file, fillIn(readFileSync(file, 'utf8'), print));
    expectKept(docs('pictures/worst-run.svg'), readFileSync(join(folder.path, 'worst.svg'), 'utf8'));
    expect(print('replay worst.json')).toContain('again the most messages of the election: 10');
  });

  it('has a program that works', { timeout: LIMIT_MS }, async () => {
    const [block] = parseBlocks(readFileSync(docs('worst-runs.md'), 'utf8')).filter(
      ({ language }) => language === 'ts',
    );
    const { status, detail } = await runBlock(block, place, LIMIT_MS);
    expect(status, detail).toBe('passed');
    expect(detail).toContain('10 true');
  });
});
