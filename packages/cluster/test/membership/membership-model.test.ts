import { describe, expect, test } from 'vitest';
import { QUICK_MUTANTS, searched, THREE, TWO } from './membership-searches.ts';

const LIMIT = { timeout: 120_000 };

describe('every run with changes of the list: one leader in each term, no committed list lost, one list with a majority', () => {
  test('two leaders change a list of three members', LIMIT, () => {
    expect(searched(THREE)).toEqual({ violation: null, complete: true, states: 6_728, transitions: 21_215 });
  });

  test('two members and a third one are added and removed in any order', LIMIT, () => {
    expect(searched(TWO)).toEqual({ violation: null, complete: true, states: 4_129, transitions: 11_318 });
  });

  test.each(Object.entries(QUICK_MUTANTS))('%s is caught', LIMIT, (_, [mutant, property]) => {
    expect(searched(mutant).violation).toBe(property);
  });
});
