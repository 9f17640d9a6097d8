import { expect, test } from 'vitest';
import { allLists, GROWING, REPLACING, SHRINKING, searchLists } from './list-searches.ts';

const LIMIT = { timeout: 600_000 };

test.each([
  ['one member more each time, two leads', { lists: GROWING, tokens: 2 }, 273_625],
  ['one member less each time, one lead', { lists: SHRINKING, tokens: 1 }, 88_127],
  ['a member is replaced, two leads', { lists: REPLACING, tokens: 2 }, 19_464],
])('every run with up to five members: %s', LIMIT, (_, setting, states) => {
  expect(searchLists(setting)).toEqual({ violation: null, complete: true, states });
});

test('any three lists of up to four members', LIMIT, () => {
  const lists = allLists(4);
  for (const first of lists)
    for (const second of lists)
      for (const third of lists) {
        const found = searchLists({ lists: [first, second, third], tokens: 0 });
        expect(found, `${first} then ${second} then ${third}`).toMatchObject({
          violation: null,
          complete: true,
        });
      }
});
