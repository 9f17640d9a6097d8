/**
 * Electors of one process that name their store by the same URL share it, so that one set of connections serves any
 * number of elections. The last one that gives it back closes it.
 */
import { resolve } from 'node:path';
import type { LeaseStore } from '../lease/lease-store.ts';
import { openStore } from '../lease/open-store.ts';
import { parseStoreUrl } from '../lease/stores/registry.ts';

export interface BorrowedStore {
  readonly store: LeaseStore;
  /** To be called once. */
  giveBack(): Promise<void>;
}

interface SharedStore {
  readonly opening: Promise<LeaseStore>;
  users: number;
}

const shared = new Map<string, SharedStore>();

export async function borrowStore(url: string): Promise<BorrowedStore> {
  const key = keyOf(url);
  const entry = shared.get(key) ?? { opening: openStore(url), users: 0 };
  shared.set(key, entry);
  entry.users++;
  const forget = (): void => {
    if (shared.get(key) === entry) shared.delete(key);
  };
  try {
    const store = await entry.opening;
    return {
      store,
      giveBack: async () => {
        entry.users -= 1;
        if (entry.users > 0) return;
        forget();
        await store.close();
      },
    };
  } catch (error) {
    // A store that could not be opened is opened again by the next call.
    forget();
    throw error;
  }
}

/** A relative path names another file after the working directory has changed. */
function keyOf(url: string): string {
  const { store, path } = parseStoreUrl(url);
  return store.address === 'file' ? `${store.kind}:${resolve(path)}` : url;
}
