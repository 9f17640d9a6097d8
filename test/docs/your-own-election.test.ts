import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBefore, hustings, temporaryFolder } from '../cli/command.ts';
import { expectKept } from '../golden/golden.ts';
import { ROOT } from '../source/source-file.ts';
import { fillIn } from './your-own-election.ts';

const docs = (path: string): URL => new URL(`../../docs/${path}`, import.meta.url);

describe('docs/your-own-election.md', () => {
  const folder = temporaryFolder();
  buildBefore();
  beforeAll(() => cpSync(join(ROOT, 'examples'), folder.path, { recursive: true }));

  it('shows the files of examples/, the output of the commands and the picture of the counterexample', () => {
    const print = (command: string): string => {
      const [words, target] = command.split(' > ');
      const { stdout, stderr } = hustings(words.split(' '), folder.path);
      expect(stderr).toBe('');
      return target === undefined ? stdout : '';
    };
    const file = docs('your-own-election.md');
    expectKept(file, fillIn(readFileSync(file, 'utf8'), print));
    expectKept(docs('pictures/my-first-election.svg'), readFileSync(join(folder.path, 'lost.svg'), 'utf8'));
  });

  it('shows a first attempt that passes in lockstep, and a corrected one that passes in every schedule', () => {
    const run = (words: string) => hustings(words.split(' '), folder.path).status;
    expect(run('simulate ./my-first-election.ts --nodes 50 --seed 3')).toBe(0);
    expect(run('check ./my-first-election.ts --nodes 3 --starts together')).toBe(0);
    expect(run('check ./my-first-election.ts --nodes 3')).toBe(1);
    expect(run('check ./my-election.ts --nodes 4 --orders all --initiators subsets')).toBe(0);
  });
});
