/**
 * From a URL to a store. The module of a store, and with it its client library, is loaded when it is asked for; a
 * missing library is a `StoreError` with the line that installs it.
 */
import { InputError } from '../errors/hustings-error.ts';
import type { LeaseStore, StoreOptions } from './lease-store.ts';
import { parseStoreUrl, type StoreKind } from './store-url.ts';

type Opener = (url: string, options: StoreOptions) => Promise<LeaseStore>;

const OPENERS: Readonly<Record<StoreKind, Opener>> = {
  memory: async (url, options) =>
    (await import('./stores/memory/memory-lease-store.ts')).MemoryLeaseStore.open(url, options),
  sqlite: async (url, options) =>
    (await import('./stores/sqlite/sqlite-lease-store.ts')).SqliteLeaseStore.open(url, options),
  redis: async (url, options) =>
    (await import('./stores/redis/redis-lease-store.ts')).RedisLeaseStore.open(url, options),
  postgres: async (url, options) =>
    (await import('./stores/postgres/postgres-lease-store.ts')).PostgresLeaseStore.open(url, options),
};

/** Rejects with an `InputError` for a URL that cannot be used, with a `StoreError` for a store that cannot. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<LeaseStore> {
  const { kind } = parseStoreUrl(url);
  const { keepTerms } = options;
  if (keepTerms !== undefined && !(Number.isSafeInteger(keepTerms) && keepTerms > 0)) {
    throw new InputError(
      `expected keepTerms to be a whole number over 0, got ${String(keepTerms)}: give one`,
    );
  }
  return OPENERS[kind](url, options);
}
