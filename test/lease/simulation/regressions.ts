/** Worlds that failed once, as `HUSTINGS_LEASE_SEED` takes them, each with what was wrong. They are run first, for ever. */
export const REGRESSIONS: readonly { readonly world: string; readonly was: string }[] = [
  {
    world: '140/2/1044/store-restart+priorities',
    was: 'a challenger with a ttl of a second or less asked so seldom that the store forgot it',
  },
  {
    world: '19486',
    was: 'the watcher of deadlines counted a repetition of the claim that the candidate, leading already, does not count',
  },
];
