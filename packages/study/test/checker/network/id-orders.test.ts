/** All orders of the ids of a network: there may be millions, and none is built before it is searched. */
import { expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { check, checkInSlices, planCheck } from '../../../src/checker/index.ts';
import { IdOrders } from '../../../src/checker/network/id-orders.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { permutations, ringOrders } from '../../algorithms/orders.ts';

const named = (name: string): AnyAlgorithm => registry.find((one) => one.name === name) as AnyAlgorithm;

const textOf = (orders: Iterable<readonly number[]>): string[] =>
  [...orders].map((order) => order.join()).sort();

it('the orders are all permutations, on a ring one of each class of rotations, and are counted by the place of the largest', () => {
  for (const n of [1, 2, 3, 4, 5]) {
    const ids = Int32Array.from({ length: n }, (_, k) => 3 * k + 2);
    for (const isRing of [false, true]) {
      const orders = new IdOrders(ids, isRing);
      const expected = (isRing ? [...ringOrders(n)] : [...permutations(n)]).length;
      const all = [...orders];
      expect(new Set(textOf(orders)).size).toBe(expected);
      expect(orders.count).toBe(expected);
      const places = all.map((order) => order.indexOf(Math.max(...order)));
      expect(orders.withLargestAt).toEqual(
        Array.from(ids, (_, at) => places.filter((one) => one === at).length),
      );
    }
  }
});

it('the number of instances is that of the searches, also if the node with the largest id is crashed', () => {
  const crashed = registry.filter(({ trigger }) => trigger === 'coordinator dead').map(({ name }) => name);
  expect(crashed.length).toBeGreaterThan(0);
  for (const name of ['chang-roberts', ...crashed]) {
    for (const initiators of ['all', 'subsets', [0], [1, 2]] as const) {
      let searched = 0;
      const options = { nodes: 3, orders: 'all', initiators, invariants: 'none' } as const;
      const { instances } = check(named(name), { ...options, onSearched: () => searched++ });
      expect([name, initiators, instances.all]).toEqual([name, initiators, searched]);
    }
  }
});

it('3,628,800 orders are searched in slices from the first one on', () => {
  const slices = checkInSlices(planCheck(named('bully'), { nodes: 10, orders: 'all' }));
  for (let slice = 0; slice < 5; slice++) expect(slices.next().done).toBe(false);
});

it('a search of few states and very many instances can be interrupted between them', () => {
  let searched = 0;
  const result = check(named('chang-roberts'), {
    nodes: 10,
    orders: 'all',
    initiators: [0],
    reduce: 'none',
    onSearched: () => searched++,
    isInterrupted: () => searched === 3,
  });
  expect(result).toMatchObject({ stopped: 'interrupt', instances: { searched: 3, all: 3_628_800 } });
  const slices = checkInSlices(
    planCheck(named('chang-roberts'), { nodes: 3, orders: 'all', initiators: [0], reduce: 'none' }),
  );
  let count = 0;
  while (slices.next().done !== true) count++;
  expect(count).toBe(6);
});
