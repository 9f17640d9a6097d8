/** Tests of a page with commands, a picture and a program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildBefore, hustings, temporaryFolder } from '../cli/command.ts';
import { expectKept } from '../golden/golden.ts';
import { parseBlocks } from '../readme/blocks.ts';
import { createSandbox, runBlock, type Sandbox } from '../readme/run-blocks.ts';
import { ROOT } from '../source/source-file.ts';
import { fillIn } from './your-own-election.ts';

const docs = (path: string): URL => new URL(`../../docs/${path}`, import.meta.url);
const LIMIT_MS = 60_000;

export interface PageClaims {
  /** The file of docs/. */
  readonly page: string;
  /** The picture of docs/pictures, and the file that the commands write. */
  readonly picture: { readonly kept: string; readonly written: string };
  /** What the program prints. */
  readonly says: RegExp;
  /** Further commands, in the folder where those of the page were run. */
  readonly afterwards?: (print: (command: string) => string) => void;
}

export function pageClaims({ page, picture, says, afterwards }: PageClaims): void {
  const folder = temporaryFolder();
  let place: Sandbox;
  buildBefore();
  beforeAll(() => {
    place = createSandbox(ROOT);
  });
  afterAll(() => place?.remove());

  it('shows what its commands print and draw', () => {
    const print = (command: string): string => {
      const { status, stdout, stderr } = hustings(command.split(' '), folder.path);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    const file = docs(page);
    expectKept(file, fillIn(readFileSync(file, 'utf8'), print));
    expectKept(docs(`pictures/${picture.kept}`), readFileSync(join(folder.path, picture.written), 'utf8'));
    afterwards?.(print);
  });

  it('has a program that works', { timeout: LIMIT_MS }, async () => {
    const [block] = parseBlocks(readFileSync(docs(page), 'utf8')).filter(({ language }) => language === 'ts');
    const { status, detail } = await runBlock(block, place, LIMIT_MS);
    expect(status, detail).toBe('passed');
    expect(detail).toMatch(says);
  });
}
