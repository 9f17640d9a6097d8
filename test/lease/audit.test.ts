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
  ...more,
});
const found = (terms: readonly Term[]) =>
  overlaps(terms).map(({ type, earlier, later, byMs }) => [type, earlier.nonce, later.nonce, byMs]);

describe('the check over terms', () => {
  it('finds nothing in terms that follow each other, in any order, each recorded by several', () => {
    const terms = [term(1, 0, 10), term(2, 10, 20), term(5, 25, 25), term(6, 25, 30), term(7, 30, null)];
    expect(found(terms)).toEqual([]);
    expect(found([...terms].reverse())).toEqual([]);
    expect(found([...terms, ...terms])).toEqual([]);
    expect(found([])).toEqual([]);
  });

  it('finds two that led at once, and for how long', () => {
    expect(found([term(1, 0, 10), term(2, 7, 20)])).toEqual([['overlap', 'n1', 'n2', 3]]);
  });

  it('finds one within another, and one that a long term covers behind it', () => {
    expect(found([term(1, 0, 100), term(2, 10, 20), term(3, 50, 60)])).toEqual([
      ['overlap', 'n1', 'n2', 10],
      ['overlap', 'n1', 'n3', 10],
    ]);
  });

  it('takes a term that lasts to last as long as it was granted', () => {
    expect(found([term(1, 0, null), term(2, 60, 80)])).toEqual([['overlap', 'n1', 'n2', 20]]);
  });

  it('finds tokens that do not rise, and one that two terms share', () => {
    expect(found([term(2, 0, 10), term(1, 10, 20)])).toEqual([['token', 'n2', 'n1', 0]]);
    expect(found([term(1, 0, 10), term(1, 10, 20, { nonce: 'other' })])).toEqual([
      ['token', 'n1', 'other', 0],
    ]);
    const large = 2n ** 60n;
    expect(found([term(1, 0, 10, { token: large + 1n }), term(2, 10, 20, { token: large })])).toHaveLength(1);
  });

  it('keeps elections apart', () => {
    expect(found([term(1, 0, 10), term(1, 5, 15, { name: 'y' })])).toEqual([]);
  });
});
