/** Worlds that failed once, in the form of `HUSTINGS_LEASE_SEED`, each with its bug. They run first in every test run. */
export const REGRESSIONS: readonly { readonly world: string; readonly was: string }[] = [
  {
    world: '140/2/1044/store-restart+priorities',
    was: 'a challenger with a ttl of a second or less asked too rarely, and the store forgot it',
  },
  {
    world: '19486',
    was: 'the observer of deadlines counted a repeated request that the candidate, already leading, does not count',
  },
];
