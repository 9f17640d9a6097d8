/** Worlds that failed once, as `HUSTINGS_LEASE_SEED` takes them, each with what was wrong. They are run first, for ever. */
const FORGOTTEN = 'a rival with a ttl of a second or less asked so seldom that the store forgot it';

export const REGRESSIONS: readonly { readonly world: string; readonly was: string }[] = [
  { world: '40', was: FORGOTTEN },
  { world: '40/2/0/priorities+mixed-ttl', was: FORGOTTEN },
  { world: '53', was: FORGOTTEN },
  { world: '140/2/1044/store-restart+priorities', was: FORGOTTEN },
];
