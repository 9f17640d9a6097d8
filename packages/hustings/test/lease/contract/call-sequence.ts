/** Random sequences of calls on two elections by three candidates with up to two attempts each: few, so that calls meet. */
import fc from 'fast-check';
import type { AcquireRequest } from '../../../src/lease/core/calls.ts';
import { LONG_MS } from './suite.ts';

export interface StaleVersion {
  /** Which version the request calls stale: that of the store's record, or one that it never had. */
  readonly stale: 'exact' | 'other' | null;
}

const election = fc.constantFrom('x', 'y');
const nonce = fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1');
const term = fc.integer({ min: 0, max: 6 });
const metadata = fc.option(fc.constantFrom({}, { address: 'h:1' }, { labels: ['ä', 1, null], t: "'" }), {
  nil: undefined,
});
const checkpoint = fc.option(fc.constantFrom('', 'at 7', 'ä\'"\n'), { nil: undefined });
const items = { minLength: 1, maxLength: 3 };
type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** Without the fields that are undefined. */
const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

export const sequence = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        verb: fc.constant('acquire' as const),
        items: fc.array(
          fc
            .record({
              name: election,
              nonce,
              ttlMs: fc.constantFrom(LONG_MS, 2 * LONG_MS),
              priority: fc.integer({ min: -1, max: 2 }),
              goneNonce: fc.option(nonce, { freq: 3 }),
              holdAtLeastMs: fc.constantFrom(0, 0, 0, 0, LONG_MS),
              registerMs: fc.constantFrom(0, LONG_MS),
              stale: fc.constantFrom(null, null, 'exact' as const, 'other' as const),
              metadata,
              fair: fc.boolean(),
            })
            .map(({ stale, metadata, ...each }): AcquireRequest & Pick<StaleVersion, 'stale'> => ({
              ...each,
              ...defined({ metadata }),
              stale,
              id: each.nonce[0],
              processProof: `p ${each.nonce}`,
              staleVersion: null,
            })),
          items,
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        verb: fc.constant('renew' as const),
        items: fc.array(
          fc
            .record({
              ...{ name: election, nonce, term, ttlMs: fc.constant(LONG_MS) },
              ...{ number: fc.integer({ min: 0, max: 3 }), metadata, checkpoint },
            })
            .map(({ number, metadata, checkpoint, ...each }) => ({
              ...each,
              ...(number === 0 ? {} : { update: { number, ...defined({ metadata, checkpoint }) } }),
            })),
          items,
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        verb: fc.constant('release' as const),
        items: fc.array(
          fc
            .record({
              name: election,
              nonce,
              term,
              checkpoint,
              reason: fc.constantFrom('released' as const, 'transferred' as const, 'stalled' as const),
              successor: fc.option(fc.constantFrom('a', 'b')),
              reserveMs: fc.constantFrom(LONG_MS, 2 * LONG_MS),
            })
            .map(({ checkpoint, ...each }) => ({ ...each, ...defined({ checkpoint }) })),
          items,
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        verb: fc.constant('evict' as const),
        name: election,
        cooldownMs: fc.constantFrom(undefined, 0, LONG_MS),
      }),
    },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('set back' as const), name: election }) },
    {
      weight: 1,
      arbitrary: fc.record({
        verb: fc.constant('transfer' as const),
        name: election,
        to: fc.constantFrom('a', 'b', 'c'),
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);
