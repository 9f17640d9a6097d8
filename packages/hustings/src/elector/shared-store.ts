/**
 * Electors of one process that name their store by the same URL share it, so that one set of connections serves any
 * number of elections. The last one that gives it back closes it.
 */
import { resolve } from 'node:path';
import { StoreError } from '../lease/core/store-error.ts';
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
  const known = shared.get(key);
  if (known !== undefined && (await isUnusable(url, known)) && shared.get(key) === known) shared.delete(key);
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

/** A file that was removed or replaced never works again in this process: its users keep it, and the next one opens the path. */
async function isUnusable(url: string, { opening }: SharedStore): Promise<boolean> {
  if (parseStoreUrl(url).store.address !== 'file') return false;
  try {
    await (await opening).time();
    return false;
  } catch (error) {
    return error instanceof StoreError && error.kind === 'unusable';
  }
}

/** A relative path names another file after the working directory has changed. */
function keyOf(url: string): string {
  const { store, path } = parseStoreUrl(url);
  return store.address === 'file' ? `${store.kind}:${resolve(path)}` : url;
}
