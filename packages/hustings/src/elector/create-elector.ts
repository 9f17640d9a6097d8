/** `createElector`, which opens stores by their URL and runs schedules. */
import { parseStoreUrl } from '../lease/stores/registry.ts';
import { lazyCron } from './cron/lazy-cron.ts';
import type { Elector } from './elector.ts';
import type { ElectorOptions, UncheckedOptions } from './elector-options.ts';
import { type ElectorParts, LeaseElector } from './lease-elector.ts';

const PARTS: ElectorParts = {
  checkUrl: parseStoreUrl,
  borrow: async (url) => (await import('./shared-store.ts')).borrowStore(url),
  cron: lazyCron,
};

/**
 * Throws an `InputError` for options that cannot work. The store is opened by the first call that needs it. Electors with
 * the same URL share one store.
 */
export function createElector(options: ElectorOptions): Elector {
  return createNextElector(false, options);
}

/** `wasServed`: the store has answered an earlier elector of this candidate, so no refusal ends the calls of this one. */
export function createNextElector(wasServed: boolean, options: UncheckedOptions): Elector {
  return new LeaseElector(options, PARTS, wasServed);
}
