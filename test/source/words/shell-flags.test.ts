import { describe, expect, it } from 'vitest';
import { readSources } from '../source-file.ts';
import { shellFlags } from './shell-flags.ts';

describe('the library', () => {
  it('writes no shell flag: an error has remedies, and the command line writes the flags', () => {
    expect(shellFlags(readSources())).toEqual([]);
  });
});

describe('the search for shell flags', () => {
  it.each(["'use --nodes 4'", '`--despite ${name}`', '"(--set a=1)"'])('finds %s', (text) =>
    expect(shellFlags([{ path: 'packages/study/src/kernel/x.ts', text: `let a;\nf(${text});` }])).toEqual([
      expect.stringMatching(/^packages\/study\/src\/kernel\/x\.ts:2 writes --/),
    ]),
  );

  it.each(['// the flag --nodes', '/** As `--json` prints it. */', 'n--;', 'a = b - -c;'])(
    'lets pass %s',
    (text) => expect(shellFlags([{ path: 'packages/study/src/kernel/x.ts', text }])).toEqual([]),
  );

  it('lets the command line write flags', () => {
    expect(shellFlags([{ path: 'packages/hustings/src/cli/x.ts', text: "'--nodes'" }])).toEqual([]);
  });
});
