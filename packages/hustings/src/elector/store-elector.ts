/**
 * An elector on a store that is given as an object, without URLs and schedules: what a bundle contains is this store alone.
 * `createElector` of `hustings` can open every store by its URL, so a bundle of it has them all.
 */
import type { LeaseStore } from '../lease/lease-store.ts';
import type { Elector } from './elector.ts';
import type { ElectorCommonOptions, ElectorElection } from './elector-options.ts';
import { LeaseElector } from './lease-elector.ts';

export type { Elector } from './elector.ts';
export type { ElectorCommonOptions, ElectorElection } from './elector-options.ts';

/** The options of `createStoreElector`: those of `createElector`, with the store as an object. */
export type StoreElectorOptions = ElectorCommonOptions &
  ElectorElection & {
    /** From `open` of a store, as in `await RedisLeaseStore.open(client)`. Its owner closes it. */
    readonly store: LeaseStore;
  };

/** An elector without `cron`. */
export type StoreElector = Omit<Elector, 'cron'>;

/** As `createElector` of `hustings`. */
export function createStoreElector(options: StoreElectorOptions): StoreElector {
  return new LeaseElector(options, null, false);
}
