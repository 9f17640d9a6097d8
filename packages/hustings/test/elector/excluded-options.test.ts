/** The type checker refuses what createElector refuses: a mistake is seen in the editor. */
import { expect, test } from 'vitest';
import { createElector, type Elector } from '../../src/index.ts';

const store = 'memory:excluded-options';

test('options that exclude each other, and options without a store or a name, have no type', () => {
  const refused: [() => Elector, string][] = [
    // @ts-expect-error neither a store nor a cluster
    [() => createElector({ name: 'a' }), 'store is required'],
    // @ts-expect-error a store that may be undefined
    [() => createElector({ store: undefined as string | undefined, name: 'a' }), 'store is required'],
    // @ts-expect-error neither a name nor names
    [() => createElector({ store }), 'name'],
    // @ts-expect-error a name and names
    [() => createElector({ store, name: 'a', names: ['b'] }), 'give name or names, not both'],
    // @ts-expect-error names and slots
    [() => createElector({ store, names: ['a', 'b'], slots: 2 }), 'names exclude slots'],
    // @ts-expect-error slots in fair order
    [() => createElector({ store, name: 'a', slots: 2, order: 'fair' }), "order 'fair' needs one lease"],
    // @ts-expect-error names in fair order
    [() => createElector({ store, names: ['a', 'b'], order: 'fair' }), "order 'fair' needs one lease"],
  ];
  for (const [create, message] of refused) expect(create).toThrow(message);
});

test('every other combination has one', async () => {
  const slots: number = Number('3');
  const electors = [
    createElector({ store, name: 'a' }),
    createElector({ store, name: 'a', slots }),
    createElector({ store, name: 'a', slots: 3, order: 'any' }),
    createElector({ store, name: 'a', slots: 1, order: 'fair' }),
    createElector({ store, names: ['a', 'b'], order: 'any' }),
  ];
  expect(electors.map(({ name }) => name)).toEqual(['a', 'a', 'a', 'a', 'a + b']);
  await Promise.all(electors.map((elector) => elector.close()));
});
