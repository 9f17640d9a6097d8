import { describe, expect, test } from 'vitest';
import { ANY_THREE, FOUR, LONG_MUTANTS, searched, TWO } from './membership-searches.ts';

const LIMIT = { timeout: 1_800_000 };

describe('every run of larger searches with changes of the list', () => {
  test.each([
    ['three members, any change of one, two candidates in any of two terms', ANY_THREE, 77_635, 281_468],
    ['two members and a third one, three terms', { ...TWO, terms: 3 }, 69_709, 252_452],
    [
      'four members and a fifth one, the changes that lack an overlap without a stamp',
      FOUR,
      4_474_634,
      25_285_544,
    ],
  ])('%s', LIMIT, (_, setting, states, transitions) => {
    expect(searched(setting)).toEqual({ violation: null, complete: true, states, transitions });
  });

  test.each(Object.entries(LONG_MUTANTS))('%s is caught', LIMIT, (_, [mutant, property]) => {
    expect(searched(mutant).violation).toBe(property);
  });
});
