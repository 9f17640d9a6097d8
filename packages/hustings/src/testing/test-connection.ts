/** A connection to the store of a test, which the test can break. */
import type { AcquireRequest } from '../lease/core/calls.ts';
import { StoreError, type StoreErrorKind } from '../lease/core/store-error.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { Watchers } from '../lease/stores/watchers.ts';
import type { TestClock } from './test-clock.ts';

/**
 * What a broken store does with every call. `silent`: it does not answer. The others are the kinds of the `StoreError` with
 * which the call rejects.
 */
export type StoreFault = StoreErrorKind | 'silent';

/** Each fault, for a check of what a test passes. */
export const STORE_FAULTS: Readonly<Record<StoreFault, true>> = {
  ...{ unreachable: true, silent: true, busy: true, denied: true, unprepared: true, unusable: true },
};

/** Methods that send nothing. */
const LOCAL = new Set<PropertyKey>(['initStatements', 'close']);

export class TestConnection {
  /** The store, as seen through this connection. */
  readonly store: LeaseStore;
  fault: StoreFault | null = null;
  /** The process does not run: it misses what it would be told. */
  isSuspended = false;
  /** Takes a lease from its holder, as if it were proved that the holder's process has ended. */
  takesOver = false;
  readonly #inner: LeaseStore;
  readonly #clock: TestClock;
  readonly #watchers = new Watchers();

  constructor(inner: LeaseStore, clock: TestClock) {
    this.#inner = inner;
    this.#clock = clock;
    const watch = this.#watch.bind(this);
    const acquire = (requests: readonly AcquireRequest[]) => this.#call(() => this.#acquire(requests));
    const isPushing = (): boolean => this.fault === null;
    const own: Partial<LeaseStore> = { watch, acquire, isPushing };
    this.store = new Proxy(inner, {
      get: (_, key: keyof LeaseStore) => {
        const value = own[key] ?? inner[key];
        if (typeof value !== 'function' || key in own) return value;
        const method = value.bind(inner) as (...args: unknown[]) => unknown;
        return LOCAL.has(key) ? method : (...args: unknown[]) => this.#call(async () => method(...args));
      },
    });
  }

  /** What the store would say after a release. */
  notify(name: string): void {
    this.#watchers.notify(name);
  }

  #watch(name: string, onNotification: () => void): () => void {
    const notify = (): void => {
      this.#clock.noteActivity();
      if (this.fault === null && !this.isSuspended) onNotification();
    };
    const ends = [this.#watchers.add(name, notify), this.#inner.watch!(name, notify)];
    return () => {
      for (const end of ends) end();
    };
  }

  async #acquire(requests: readonly AcquireRequest[]) {
    if (!this.takesOver) return this.#inner.acquire(requests);
    const records = await this.#inner.read(requests.map(({ name }) => name));
    return this.#inner.acquire(
      requests.map((request, i) => ({ ...request, goneNonce: records[i].holder?.nonce ?? null })),
    );
  }

  async #call<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    this.#clock.noteActivity();
    const { fault } = this;
    if (fault === 'silent') return new Promise(() => {});
    if (fault === null) return call();
    throw new StoreError(fault, `the store of the test is ${fault}; repairStore() ends that`);
  }
}
