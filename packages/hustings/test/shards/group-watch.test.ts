import { expect, test } from 'vitest';
import { StoreError } from '../../src/lease/core/store-error.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { watchGroup } from '../../src/shards/group-watch.ts';

function failing(...errors: (StoreError | null)[]): MemoryLeaseStore {
  const store = new MemoryLeaseStore();
  const candidates = store.candidates.bind(store);
  store.candidates = async (name) => {
    const error = errors.shift() ?? null;
    if (error !== null) throw error;
    return candidates(name);
  };
  return store;
}

test('a store that does not answer for a while is one view of a watch, and the watch goes on', async () => {
  const slow = new StoreError('unreachable', 'no answer in time');
  const types: string[] = [];
  const ending = new AbortController();
  for await (const view of watchGroup(failing(null, slow, slow, null), 'orders', ending.signal, 1)) {
    types.push(view.type);
    if (types.length === 3) ending.abort();
  }
  expect(types).toEqual(['known', 'unknown', 'known']);
});

test('a store that rejects the reader ends the watch', async () => {
  const store = failing(null, new StoreError('denied', 'no permission'));
  const views = watchGroup(store, 'orders', new AbortController().signal, 1);
  expect((await views.next()).value).toMatchObject({ type: 'known' });
  await expect(views.next()).rejects.toThrow('no permission');
});
