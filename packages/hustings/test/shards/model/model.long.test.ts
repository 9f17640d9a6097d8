import { expect, test } from 'vitest';
import { LARGER_GROUPS, LARGER_RESHARDINGS } from './configurations.ts';
import { GroupSystem } from './group-system.ts';
import { SLOW_RESHARD_MUTANTS } from './mutants.ts';
import { ReshardSystem } from './reshard-system.ts';
import { searchShards } from './searched.ts';

test.each(LARGER_GROUPS)(
  '$text: one owner, moves end, balance',
  { timeout: 900_000 },
  ({ setting, states, transitions }) => {
    const found = searchShards(new GroupSystem(setting));
    expect(found.narration).toEqual([]);
    expect(found).toMatchObject({ complete: true, property: null, states, transitions });
  },
);

test.each(LARGER_RESHARDINGS)(
  '$text: no key has two owners',
  { timeout: 900_000 },
  ({ setting, states, transitions }) => {
    const found = searchShards(new ReshardSystem(setting), false);
    expect(found.narration).toEqual([]);
    expect(found).toMatchObject({ complete: true, property: null, states, transitions });
  },
);

test.each(Object.entries(SLOW_RESHARD_MUTANTS))('mutant: %s', { timeout: 900_000 }, (_, setting) => {
  expect(searchShards(new ReshardSystem(setting), false).property).toBe('one owner');
});
