/** A memory store whose calls can be made to fail, or never be answered; it counts them. */

import { StoreError } from '../../src/lease/core/store-error.ts';
import type { LeaseStore } from '../../src/lease/lease-store.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';

export type Failure = 'none' | 'unreachable' | 'silent' | 'denied' | 'unusable';

export class FailingStore {
  failure: Failure = 'none';
  calls = 0;
  readonly inner = new MemoryLeaseStore();

  get store(): LeaseStore {
    return this.view;
  }

  private readonly view: LeaseStore = new Proxy<LeaseStore>(this.inner, {
    get: (inner, key) => {
      const member = Reflect.get(inner, key, inner) as unknown;
      if (typeof member !== 'function') return member;
      if (key === 'watch' || key === 'close') return member.bind(inner);
      return (...args: unknown[]) => this.call(() => member.apply(inner, args) as Promise<unknown>);
    },
  });

  private call(ask: () => Promise<unknown>): Promise<unknown> {
    this.calls++;
    if (this.failure === 'silent') return new Promise(() => {});
    if (this.failure === 'none') return ask();
    return Promise.reject(new StoreError(this.failure, 'a failure of the test'));
  }
}
