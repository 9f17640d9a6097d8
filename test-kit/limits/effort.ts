/**
 * How much a test searches. `npm test` is quick: every claim and every mutant, in small instances. `npm run test:long` is
 * full: more sizes, orders, seeds and states, and the files `*.long.test.ts`.
 *
 * A bound that is not written as a literal has both amounts here: `effort({ quick: 4, full: 6 })`. A test whose name states a
 * size takes the size from the same constant.
 */
export const isFull: boolean = process.env.HUSTINGS_LONG === '1';

export function effort<Bound>({ quick, full }: { readonly quick: Bound; readonly full: Bound }): Bound {
  return isFull ? full : quick;
}

/** The number of random cases. The quick ones are the first tenth of the same cases, and at least 50. */
export function randomRuns(full: number): number {
  return effort({ quick: Math.min(full, Math.max(50, Math.ceil(full / 10))), full });
}
