/** Separates one process from its store: while the blockade is closed, every call fails as it would without a network. */
import { StoreError } from 'hustings/lease';
import type { LeaseStore } from 'hustings/lease/etcd';

export class Blockade {
  isClosed = false;

  /** The same store behind this blockade. Notifications do not pass either. */
  around(store: LeaseStore): LeaseStore {
    return new Proxy(store, { get: (target, key) => this.#member(target, key as keyof LeaseStore) });
  }

  #member(store: LeaseStore, key: keyof LeaseStore): unknown {
    const value = store[key];
    if (typeof value !== 'function') return value;
    const call = value.bind(store) as (...args: unknown[]) => unknown;
    if (key === 'watch') {
      return (name: string, onNotification: () => void) =>
        call(name, () => {
          if (!this.isClosed) onNotification();
        });
    }
    if (key === 'isPushing') return () => !this.isClosed && call();
    if (key === 'initStatements') return call;
    return async (...args: unknown[]) => {
      if (this.isClosed && key !== 'close') {
        throw new StoreError('unreachable', `${store.label} is blocked for this process; unblock it`);
      }
      return call(...args);
    };
  }
}
