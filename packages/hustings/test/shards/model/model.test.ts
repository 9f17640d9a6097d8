import { describe, expect, test } from 'vitest';
import { GROUPS, RESHARDINGS } from './configurations.ts';
import { GroupSystem } from './group-system.ts';
import { GROUP_MUTANTS, RESHARD_MUTANTS } from './mutants.ts';
import { ReshardSystem } from './reshard-system.ts';
import { searchShards } from './searched.ts';

describe('every run of a shard group: one owner for each shard, moves end, and every shard has an owner then', () => {
  test.each(GROUPS)('$text', { timeout: 120_000 }, ({ setting, states, transitions }) => {
    const found = searchShards(new GroupSystem(setting));
    expect(found.narration).toEqual([]);
    expect(found).toMatchObject({ complete: true, property: null, states, transitions });
  });

  test.each(Object.entries(GROUP_MUTANTS))('mutant: %s', { timeout: 120_000 }, (_, { setting, property }) => {
    expect(searchShards(new GroupSystem(setting)).property).toBe(property);
  });
});

describe('every run with splits and merges: no key has two owners, and no child waits for one that works', () => {
  test.each(RESHARDINGS)('$text', { timeout: 120_000 }, ({ setting, states, transitions }) => {
    const found = searchShards(new ReshardSystem(setting), false);
    expect(found.narration).toEqual([]);
    expect(found).toMatchObject({ complete: true, property: null, states, transitions });
  });

  test.each(Object.entries(RESHARD_MUTANTS))(
    'mutant: %s',
    { timeout: 120_000 },
    (_, { setting, property }) => {
      expect(searchShards(new ReshardSystem(setting), false).property).toBe(property);
    },
  );
});
