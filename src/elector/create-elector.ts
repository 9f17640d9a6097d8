/**
 * Leader election for a service, on the store that it already has.
 *
 * Guaranteed, on any store whose `capabilities` promise it: on the store's clock there is at most one unexpired lease
 * (P1); a `lead` claims to be valid only before its deadline (P2); tokens increase (P3); the work of a term has settled
 * before the next term of the same elector begins, and before its lease is released.
 *
 * Not guaranteed: that work which ignores its signal stops; mutual exclusion by a lease alone in an asynchronous network.
 * For that, the resource must check the fencing token.
 */
import type { Elector } from './elector.ts';
import { type ElectorOptions, settingsOf } from './elector-options.ts';
import { LeaseElector } from './lease-elector.ts';
import type { BorrowedStore } from './shared-store.ts';

/**
 * Throws an `InputError` for options that cannot work. The store is opened by the first call that needs it. Electors with
 * the same URL share one store.
 */
export function createElector(options: ElectorOptions): Elector {
  const settings = settingsOf(options);
  const { store } = options;
  // A closure, so that a printed elector does not show the password in the URL.
  const open =
    typeof store === 'string' ? () => borrow(store) : async () => ({ store, giveBack: async () => {} });
  return new LeaseElector(settings, open);
}

async function borrow(url: string): Promise<BorrowedStore> {
  return (await import('./shared-store.ts')).borrowStore(url);
}
