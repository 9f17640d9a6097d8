import { describe, expect, it } from 'vitest';
import { readFiles, readPackageFiles } from '../source-file.ts';
import { bannedPhrases } from './phrases.ts';

const ROOT_PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const documents = readFiles('.').filter(({ path }) => ROOT_PAGES.includes(path));
const written = [...documents, ...readFiles('docs'), ...readPackageFiles(), ...readFiles('examples')];

describe('the words of the project', () => {
  it('are found in all its documents and sources', () => {
    expect(documents.map(({ path }) => path).sort()).toEqual([...ROOT_PAGES].sort());
    expect(written.length).toBeGreaterThan(300);
  });

  it('are plain: no banned phrase occurs', () => {
    expect(bannedPhrases(written)).toEqual([]);
  });
});

describe('the search for banned phrases', () => {
  const found = (text: string) => bannedPhrases([{ path: 'a.ts', text }]);

  it.each([
    'This mends it.',
    'It runs for ever.',
    'a choice by lot',
    'It takes so much.',
    'as Peterson has it',
    'It was looked\n * into.',
    'Whoever starts',
    'expected 1, got 2: give 1',
    'a time-out',
    'Nobody is registered.',
    '/** Of the sender. */',
    '/**\n * Of the sender.',
    'port(); // Of the sender.',
    'A file. Of a search: the file from which it is resumed.',
  ])('finds one in "%s"', (text) => expect(found(text)).toHaveLength(1));

  it.each([
    'We recommend it.',
    'amended',
    'allotted',
    'slots',
    'It runs forever.',
    'so long as',
    'timeout',
    '// the list\n// of names',
    'a * of',
  ])('finds none in "%s"', (text) => expect(found(text)).toEqual([]));

  it('names the place and what to write', () => {
    expect(found('// fine\n// so\n// many')).toEqual(['a.ts:2 "so // many": write the quantity itself']);
  });
});
