import { describe, expect, it } from 'vitest';
import {
  drawers,
  MAX_LINES,
  machinePaths,
  misspelt,
  notesToSelf,
  resolvedAddresses,
  tooLong,
} from './files.ts';
import { readFiles, readSources } from './source-file.ts';

/** Long files of src, each with the reason why it is not split. */
const LONG_FILES: Readonly<Record<string, string>> = {};

const all = readFiles('.');
const paths = all.map(({ path }) => path);
const locks = all.filter(({ path }) => path.endsWith('package-lock.json'));

describe('the files of the repository', () => {
  it('are found', () => expect(paths).toContain('package.json'));
  it('have names in kebab-case', () => expect(misspelt(paths)).toEqual([]));
  it('have names that say what they contain', () => expect(drawers(paths)).toEqual([]));
  it(`in src have at most ${MAX_LINES} lines, or a reason`, () => {
    expect(tooLong(readSources(), LONG_FILES)).toEqual([]);
  });
  it('contain no notes to self', () => expect(notesToSelf(all)).toEqual([]));
  it('contain no path of a particular machine', () => expect(machinePaths(all)).toEqual([]));
  it('lock versions, not download addresses', () => {
    expect(locks.map(({ path }) => path)).toContain('package-lock.json');
    expect(resolvedAddresses(locks)).toEqual([]);
  });
});

describe('the reader of files finds', () => {
  it('a name that is not in kebab-case', () => {
    const good = [
      'src/a/two-words.ts',
      'test/a.long.test.ts',
      'README.md',
      'LICENSE',
      '.github/PULL_REQUEST_TEMPLATE.md',
      '.ci/run',
      '.editorconfig',
    ];
    expect(misspelt(['src/a/twoWords.ts', 'src/Two.ts', 'src/two_words.ts', ...good])).toEqual([
      'src/a/twoWords.ts',
      'src/Two.ts',
      'src/two_words.ts',
    ]);
  });

  it('a catch-all name', () => {
    expect(
      drawers(['src/a/utils.ts', 'src/a/lease-manager.ts', 'src/types.ts', 'src/a/prototypes.ts']),
    ).toEqual(['src/a/utils.ts', 'src/a/lease-manager.ts', 'src/types.ts']);
  });

  it('a long file without a reason, and a reason without a long file', () => {
    const long = { path: 'src/long.ts', text: 'a\n'.repeat(MAX_LINES + 1) };
    const short = { path: 'src/short.ts', text: 'a\n'.repeat(MAX_LINES) };
    expect(tooLong([long, short], {})).toEqual([
      expect.stringContaining(`src/long.ts has ${MAX_LINES + 1} lines`),
    ]);
    expect(tooLong([long, short], { 'src/long.ts': 'one table' })).toEqual([]);
    expect(tooLong([short], { 'src/short.ts': 'one table' })).toEqual([
      expect.stringContaining('remove the reason'),
    ]);
  });

  it('a note to self', () => {
    const text = ['a', `// TO${'DO'}: later`, 'todos'].join('\n');
    expect(notesToSelf([{ path: 'a.ts', text }])).toEqual([expect.stringMatching(/^a\.ts:2 /)]);
  });

  it.each(['root', 'home', 'work'])('a path of a particular machine: %s', (folder) => {
    const text = `see "/${folder}/me/x"\nsee a/${folder}/b`;
    expect(machinePaths([{ path: 'a.md', text }])).toEqual([expect.stringMatching(/^a\.md:1 /)]);
  });

  it('an address in the lock file', () => {
    const text = `{\n"resolved": "${'https:'}//host.example/a.tgz" }`;
    expect(resolvedAddresses([{ path: 'package-lock.json', text }])).toHaveLength(1);
  });
});
