/**
 * The store of a command, open while the command runs and closed whatever happens. A command that only looks makes no
 * file: a slip in a path would else be a new store in which nobody leads.
 */
import { existsSync } from 'node:fs';
import { InputError } from '../kernel/index.ts';
import { type LeaseStore, openStore, parseStoreUrl, StoreError, type StoreOptions } from '../lease/index.ts';
import { storeUrlOf } from './flags/store-flag.ts';

export async function withStore<T>(
  given: string | undefined,
  use: (store: LeaseStore) => Promise<T>,
): Promise<T> {
  const url = storeUrlOf(given);
  if (parseStoreUrl(url).kind === 'memory') {
    throw new InputError(
      'expected a store that other processes see, got memory: nobody leads in the memory of this command; ' +
        'give sqlite:PATH or a server',
    );
  }
  const path = missingFile(url);
  if (path !== null) {
    throw new StoreError(
      'unprepared',
      `expected a file of leases, but there is none at ${path}: nobody has led there yet; ` +
        "correct the path, or make it with 'hustings store init'",
    );
  }
  return withStoreAt(url, use);
}

/** Makes a file that is missing, as the first candidate would. */
export async function withStoreAt<T>(
  url: string,
  use: (store: LeaseStore) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  const store = await openStore(url, options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The path of a file of leases that is not there; null for every other store. */
export function missingFile(url: string): string | null {
  const { kind, path } = parseStoreUrl(url);
  return kind === 'sqlite' && !existsSync(path) ? path : null;
}
