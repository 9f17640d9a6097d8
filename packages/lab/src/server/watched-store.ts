/**
 * The store behind the Leases page, opened when it is first read and again after it was lost. A store that cannot be read is
 * a result, not an error: the page says it. No file is created.
 */
import { within } from 'hustings/internal/elector/timeouts';
import { isPermanent } from 'hustings/internal/lease/core/store-error';
import { missingFile, redact } from 'hustings/internal/lease/stores/registry';
import { openStore, StoreError } from 'hustings/lease';
import type { LeaseStore } from 'hustings/lease/etcd';

/** A store that does not answer within this time cannot be read. */
const REQUEST_MS = 2_000;

export class WatchedStore {
  /** The URL without user, password and query. */
  readonly label: string;
  readonly #url: string;
  #mayCreate: boolean;
  #opening: Promise<LeaseStore> | null = null;
  #isClosed = false;

  /** `mayCreate`: the file may be missing, because others are about to create it too. */
  constructor(url: string, mayCreate = false) {
    this.#url = url;
    this.#mayCreate = mayCreate;
    this.label = redact(url);
  }

  /** Rejects with a `StoreError` if the store cannot be used, or does not answer in time. */
  async use<Answer>(call: (store: LeaseStore) => Promise<Answer>): Promise<Answer> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      return await within(
        REQUEST_MS,
        opening.then((store) => call(store)),
        this.label,
      );
    } catch (error) {
      // A file that was replaced, or a right that was missing: only a store that is opened again can work.
      const isLost = error instanceof StoreError && isPermanent(error.kind);
      if (isLost && this.#opening === opening) await this.#drop();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
  }

  async #open(): Promise<LeaseStore> {
    const path = this.#mayCreate ? null : missingFile(this.#url);
    if (this.#isClosed) throw new StoreError('unusable', `${this.label} was closed; start the lab again`);
    if (path !== null) throw new StoreError('unprepared', `${path} does not exist; correct the path`);
    try {
      const store = await openStore(this.#url);
      // A file that disappears later is a failure: a new one would hide it.
      this.#mayCreate = false;
      return store;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  async #drop(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    const store = await opening?.catch(() => null);
    await store?.close();
  }
}
