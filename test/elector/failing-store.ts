/** A store in memory whose connection can be broken, silenced or refused, and which counts its calls. */
import type { LeaseStore } from '../../src/lease/lease-store.ts';
import { StoreError } from '../../src/lease/store-error.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';

export type Trouble = 'none' | 'unreachable' | 'silent' | 'denied';

export class TroubledStore {
  storeError: Trouble = 'none';
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
    if (this.storeError === 'silent') return new Promise(() => {});
    if (this.storeError === 'none') return ask();
    return Promise.reject(new StoreError(this.storeError, 'expected an answer, got none: this is a test'));
  }
}
