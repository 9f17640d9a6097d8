import { describe, expect, it } from 'vitest';
import { hasTerm, readGlossary, textOf } from './glossary.ts';

const entries = readGlossary();

describe('docs/glossary.md', () => {
  it('defines each term once, in one to three sentences', () => {
    expect(entries.length).toBeGreaterThan(50);
    const terms = entries.map(({ term }) => term.toLowerCase());
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
    const sentences = ({ definition }: { definition: string }) =>
      definition.match(/[.](?=\s|$)/g)?.length ?? 0;
    expect(
      entries.filter((entry) => sentences(entry) < 1 || sentences(entry) > 3).map(({ term }) => term),
    ).toEqual([]);
  });

  it.each(entries.map(({ term, places }) => [term, places] as const))(
    '%s occurs where it belongs',
    (term, places) => {
      expect(places).not.toEqual([]);
      const missing = places.filter((place) => !hasTerm(textOf(place) ?? '', term));
      expect(missing.join(', '), `"${term}" is not used in these places`).toBe('');
    },
  );
});

describe('the reader of the glossary', () => {
  it('reads the term, its definition and the places of its line See', () => {
    const page =
      '# G\n\n## A\n\n### split brain\nTwo\nlead.\nSee: [R](../README.md#a), [F](fencing.md),\n`packages/hustings/src/lease`.\n';
    expect(readGlossary(page)).toEqual([
      {
        term: 'split brain',
        definition: 'Two lead.',
        places: ['README.md', 'docs/fencing.md', 'packages/hustings/src/lease'],
      },
    ]);
  });

  it.each([
    ['split brain', 'a split-brain', true],
    ['split brain', '// a split\n// brain', true],
    ['candidate', 'candidates', true],
    ['capability', 'its capabilities', true],
    ['PRNG', 'prngState', true],
    ['port', 'report', false],
    ['id', 'idea', false],
  ])('takes %s for used in "%s": %s', (term, text, isUsed) => expect(hasTerm(text, term)).toBe(isUsed));

  it('takes a place that does not exist for one without the term', () => {
    expect(textOf('src/nowhere')).toBeUndefined();
  });
});
