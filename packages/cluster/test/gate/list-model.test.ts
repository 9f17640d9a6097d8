import { describe, expect, test } from 'vitest';
import { majoritiesIntersect } from '../../src/gate/list-succession.ts';
import { allLists, GROWING, MUTANTS, REPLACING, SHRINKING, searchLists } from './list-searches.ts';

const LIMIT = { timeout: 120_000 };

describe('members that are started with any version of the list: majorities share a member, and tokens rise', () => {
  test.each([
    ['one member more each time', { lists: GROWING, tokens: 0 }, 8_678],
    ['one member less each time', { lists: SHRINKING, tokens: 0 }, 4_314],
    ['a member is replaced, with one lead', { lists: REPLACING, tokens: 1 }, 6_256],
  ])('%s', LIMIT, (_, setting, states) => {
    expect(searchLists(setting)).toEqual({ violation: null, complete: true, states });
  });

  test('any three lists of up to three members', LIMIT, () => {
    const lists = allLists(3);
    for (const first of lists)
      for (const second of lists)
        for (const third of lists) {
          const found = searchLists({ lists: [first, second, third], tokens: 1 });
          expect(found, `${first} then ${second} then ${third}`).toMatchObject({
            violation: null,
            complete: true,
          });
        }
  });

  test.each(Object.entries(MUTANTS))('%s is caught', LIMIT, (_, [setting, property]) => {
    expect(searchLists(setting).violation).toBe(property);
  });
});

test('majorities are said to share a member exactly if each two do: all pairs of lists of up to six members', () => {
  const lists = allLists(6);
  const bits = (set: readonly number[]): number => set.reduce((sum, id) => sum + 2 ** id, 0);
  const majorities = lists.map((list) =>
    allLists(6)
      .filter((set) => 2 * set.length > list.length && set.every((id) => list.includes(id)))
      .map(bits),
  );
  let disjoint = 0;
  for (const [a, first] of lists.entries())
    for (const [b, second] of lists.entries()) {
      const share = majorities[a].every((x) => majorities[b].every((y) => (x & y) !== 0));
      expect(majoritiesIntersect(first, second), `${first} and ${second}`).toBe(share);
      if (!share) disjoint++;
    }
  expect(disjoint).toBeGreaterThan(0);
});
