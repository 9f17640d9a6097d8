import { describe, expect, it } from 'vitest';
import { overlaps } from '../../src/lease/audit.ts';
import type { Term } from '../../src/lease/lease-store.ts';

const term = (token: number, startMs: number, endMs: number | null, more: Partial<Term> = {}): Term => ({
  name: 'x',
  token: BigInt(token),
  holder: `h${token}`,
  nonce: `n${token}`,
  startMs,
  endMs,
  cause: endMs === null ? null : 'released',
  claimedUntilMs: endMs ?? startMs + 100,
  metadata: null,
  ...more,
});
const found = (terms: readonly Term[]) =>
  overlaps(terms).map(({ type, earlier, later, byMs }) => [type, earlier.nonce, later.nonce, byMs]);

describe('the audit of terms', () => {
  it('finds no conflict in consecutive terms, in any order, with several records each', () => {
    const terms = [term(1, 0, 10), term(2, 10, 20), term(5, 25, 25), term(6, 25, 30), term(7, 30, null)];
    expect(found(terms)).toEqual([]);
    expect(found([...terms].reverse())).toEqual([]);
    expect(found([...terms, ...terms])).toEqual([]);
    expect(found([])).toEqual([]);
  });

  it('finds two terms that overlap, and for how long', () => {
    expect(found([term(1, 0, 10), term(2, 7, 20)])).toEqual([['overlap', 'n1', 'n2', 3]]);
  });

  it('finds a term inside another, and a later one that the long term covers', () => {
    expect(found([term(1, 0, 100), term(2, 10, 20), term(3, 50, 60)])).toEqual([
      ['overlap', 'n1', 'n2', 10],
      ['overlap', 'n1', 'n3', 10],
    ]);
  });

  it('treats an open term as lasting until the end of its grant', () => {
    expect(found([term(1, 0, null), term(2, 60, 80)])).toEqual([['overlap', 'n1', 'n2', 20]]);
  });

  it('finds tokens that do not increase, and a token of two terms', () => {
    expect(found([term(2, 0, 10), term(1, 10, 20)])).toEqual([['token', 'n2', 'n1', 0]]);
    expect(found([term(1, 0, 10), term(1, 10, 20, { nonce: 'other' })])).toEqual([
      ['token', 'n1', 'other', 0],
    ]);
    const large = 2n ** 60n;
    expect(found([term(1, 0, 10, { token: large + 1n }), term(2, 10, 20, { token: large })])).toHaveLength(1);
  });

  it('treats elections separately', () => {
    expect(found([term(1, 0, 10), term(1, 5, 15, { name: 'y' })])).toEqual([]);
  });
});
