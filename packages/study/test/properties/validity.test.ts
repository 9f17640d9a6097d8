import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEAD, DecisionBook, FOLLOWER, LEADER } from '../../src/kernel/driver.ts';
import { NONE } from '../../src/kernel/index.ts';
import { findTwoLeaders, judge } from '../../src/properties/validity.ts';

/** The state of a node at the end: undecided, crashed, or its decisions by term. */
type Fate = 'undecided' | 'dead' | { readonly leads: boolean; readonly names: number; readonly term: number };

const leads = (names: number, term = 0): Fate => ({ leads: true, names, term });
const follows = (names: number, term = 0): Fate => ({ leads: false, names, term });

/** Node p has the id 10 + p. */
function judged(fates: readonly Fate[], anonymous = false): ReturnType<typeof judge> {
  const n = fates.length;
  const book = new DecisionBook(n);
  const status = new Uint8Array(n);
  fates.forEach((fate, at) => {
    if (fate === 'dead') status[at] = DEAD;
    else if (fate !== 'undecided') {
      book.load(at, fate.leads ? LEADER : FOLLOWER, anonymous ? NONE : fate.names, fate.term);
    }
  });
  const ids = Int32Array.from({ length: n }, (_, at) => 10 + at);
  return judge(book, status, n, anonymous ? null : ids);
}

/** Termination, uniqueness and agreement, as T, U and A. */
function letters(fates: readonly Fate[], anonymous = false): string {
  const { valid } = judged(fates, anonymous);
  return (valid.termination ? 'T' : '-') + (valid.uniqueness ? 'U' : '-') + (valid.agreement ? 'A' : '-');
}

describe('an election', () => {
  test('is valid if one leads and all live nodes name it', () => {
    expect(judged([follows(11), leads(11), 'dead'])).toEqual({
      valid: { termination: true, uniqueness: true, agreement: true },
      leader: 1,
      fault: null,
    });
  });

  test.each<[string, Fate[], string, string]>([
    ['one has not decided', [leads(10), 'undecided', follows(10)], '-U-', 'node 1 has not decided'],
    ['none has decided', ['dead', 'undecided', 'undecided'], '---', 'no node has decided'],
    ['the only live node has not decided', ['dead', 'undecided'], '---', 'node 1 has not decided'],
    ['nobody lives', ['dead', 'dead'], '--A', 'no node is alive'],
    ['nobody leads', [follows(12), follows(12)], 'T-A', 'nobody leads'],
    ['nobody leads, and they name different ones', [follows(12), follows(13)], 'T--', 'nobody leads'],
    ['two lead', [leads(10), leads(11), follows(10)], 'T--', 'nodes 0 and 1 both lead'],
    ['one follows another', [leads(10), follows(11), follows(10)], 'TU-', 'node 1 is a follower of 11'],
    ['one is behind', [leads(10, 2), follows(10, 1)], 'TU-', 'node 1 is still a follower of 10 of term 1'],
    [
      'an old leader does not know',
      [leads(10, 1), leads(11, 2)],
      'TU-',
      'node 0 is still the leader of term 1',
    ],
  ])('is not valid if %s', (_, fates, expected, text) => {
    expect(letters(fates)).toBe(expected);
    expect(judged(fates).fault?.text).toBe(text);
  });

  test('is judged by the live nodes: the decisions of crashed nodes do not count', () => {
    const book = new DecisionBook(2);
    book.record(0, LEADER, 10, 7, 0);
    book.record(1, LEADER, 11, 3, 0);
    expect(judge(book, Uint8Array.of(DEAD, 0), 2, Int32Array.of(10, 11))).toMatchObject({
      leader: 1,
      fault: null,
    });
  });

  test('of anonymous nodes is agreed if all nodes except the leader know that they do not lead', () => {
    expect(letters([follows(NONE), leads(NONE), follows(NONE)], true)).toBe('TUA');
    expect(letters([leads(NONE), leads(NONE)], true)).toBe('T--');
    expect(letters([leads(NONE), 'undecided'], true)).toBe('-U-');
  });

  test('that violated a rule during the run is not valid, whatever its end', () => {
    const book = new DecisionBook(2);
    book.record(0, LEADER, 10, 1, 0);
    book.record(1, LEADER, 11, 1, 0);
    book.record(0, FOLLOWER, 11, 2, 0);
    book.record(1, LEADER, 11, 2, 0);
    const { valid, fault } = judge(book, new Uint8Array(2), 2, Int32Array.of(10, 11));
    expect(valid).toEqual({ termination: true, uniqueness: false, agreement: true });
    expect(fault?.text).toBe('node 1 became the leader of term 1, which node 0 has led already');
  });
});

test('every verdict follows the definitions, for any end states of up to five nodes', () => {
  const fate = (at: number): fc.Arbitrary<Fate> =>
    fc.oneof(
      fc.constantFrom<Fate>('undecided', 'dead'),
      fc.nat(2).map((term) => leads(10 + at, term)),
      fc.tuple(fc.integer({ min: 10, max: 15 }), fc.nat(2)).map(([names, term]) => follows(names, term)),
    );
  const fates = fc
    .integer({ min: 1, max: 5 })
    .chain((n) => fc.tuple(...Array.from({ length: n }, (_, at) => fate(at))));
  fc.assert(
    fc.property(fates, (all) => {
      const live = all.filter((each) => each !== 'dead');
      const decided = live.flatMap((each) => (typeof each === 'object' ? [each] : []));
      const highest = Math.max(0, ...decided.map(({ term }) => term));
      const inTerm = decided.filter(({ term }) => term === highest);
      const { valid, fault, leader } = judged(all);
      expect(valid).toEqual({
        termination: live.length > 0 && decided.length === live.length,
        uniqueness: inTerm.filter((each) => each.leads).length === 1,
        agreement: inTerm.length === live.length && new Set(inTerm.map(({ names }) => names)).size <= 1,
      });
      expect(fault === null).toBe(valid.termination && valid.uniqueness && valid.agreement);
      expect(leader !== null).toBe(inTerm.filter((each) => each.leads).length === 1);
    }),
    { numRuns: 2000 },
  );
});

describe('two leaders', () => {
  const terms = fc.uniqueArray(fc.nat(12), { maxLength: 6 }).map((all) => all.sort((a, b) => a - b));

  test('are found exactly if two nodes have led the same term', () => {
    fc.assert(
      fc.property(fc.array(terms, { minLength: 1, maxLength: 4 }), (led) => {
        const all = led.flat();
        const found = findTwoLeaders(led.length, (at) => led[at]);
        expect(found !== null).toBe(new Set(all).size < all.length);
        const [, one, other, term] =
          /nodes (\d+) and (\d+) both lead(?: term (\d+))?/.exec(found?.text ?? '') ?? [];
        if (found === null) return;
        expect(led[Number(one)]).toContain(Number(term ?? 0));
        expect(led[Number(other)]).toContain(Number(term ?? 0));
      }),
    );
  });

  test('are sought in one pass over the terms of both, however many there are', () => {
    let read = 0;
    const counted = (terms: readonly number[]): readonly number[] =>
      new Proxy(terms, {
        get: (all, name) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) read++;
          return Reflect.get(all, name);
        },
      });
    const even = counted(Array.from({ length: 1000 }, (_, k) => 2 * k));
    const odd = counted(Array.from({ length: 1000 }, (_, k) => 2 * k + 1));
    expect(findTwoLeaders(2, (at) => (at === 0 ? even : odd))).toBeNull();
    expect(read).toBeLessThan(10_000);
  });
});
