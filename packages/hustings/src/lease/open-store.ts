/** From a URL to a store. The module of the store is loaded here; a missing client library is a `StoreError`. */
import { checkWhole } from '@hustings/base';
import type { LeaseStore, StoreOptions } from './lease-store.ts';
import { parseStoreUrl } from './stores/registry.ts';

/** Rejects with an `InputError` for a URL that cannot be used, with a `StoreError` for a store that cannot. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<LeaseStore> {
  const { store } = parseStoreUrl(url);
  if (options.keepTerms !== undefined) checkWhole('keepTerms', options.keepTerms);
  return store.open(url, options);
}
