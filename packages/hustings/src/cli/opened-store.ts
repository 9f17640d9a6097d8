/**
 * The store of a command, open while the command runs and always closed. A command that only reads creates no file:
 * otherwise a misspelt path would create an empty store.
 */
import { StoreError } from '../lease/core/store-error.ts';
import type { LeaseStore, StoreOptions } from '../lease/lease-store.ts';
import { openStore } from '../lease/open-store.ts';
import { missingFile } from '../lease/stores/registry.ts';
import { sharedStoreUrlOf } from './flags/store-flag.ts';

export async function withStore<T>(
  given: string | undefined,
  use: (store: LeaseStore) => Promise<T>,
): Promise<T> {
  const url = sharedStoreUrlOf(given);
  const path = missingFile(url);
  if (path !== null) {
    throw new StoreError(
      'unprepared',
      `${path} does not exist; correct the path, or create the file with 'hustings store init'`,
    );
  }
  return withStoreAt(url, use);
}

/** Creates a missing file, as the first candidate would. */
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
