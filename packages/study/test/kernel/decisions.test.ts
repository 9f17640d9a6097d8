import { describe, expect, test } from 'vitest';
import { DecisionBook, FOLLOWER, LEADER, UNDECIDED } from '../../src/kernel/driver.ts';
import { NONE } from '../../src/kernel/index.ts';

/** Decisions as [node, role, leader, term], all at time 0. */
function bookOf(...decisions: readonly (readonly [number, number, number, number])[]): DecisionBook {
  const book = new DecisionBook(3);
  for (const [at, role, leader, term] of decisions) book.record(at, role, leader, term, 0);
  return book;
}

describe('decisions', () => {
  test('are undefined for a node that has not decided', () => {
    expect(bookOf().describe(1)).toBe('undecided');
  });

  test('have a text form', () => {
    const book = bookOf([0, LEADER, 7, 0], [1, FOLLOWER, 7, 3], [2, FOLLOWER, NONE, 0]);
    expect([0, 1, 2].map((at) => book.describe(at))).toEqual([
      'the leader',
      'a follower of 7 of term 3',
      'a follower',
    ]);
  });

  test('may be repeated, and keep the time of the first', () => {
    const book = bookOf();
    book.record(0, FOLLOWER, 7, 2, 1.5);
    book.record(0, FOLLOWER, 7, 2, 9);
    expect([book.breach, book.times[0]]).toEqual([null, 1.5]);
  });

  test('may change from term to term', () => {
    const book = bookOf([0, LEADER, 7, 1], [0, FOLLOWER, 8, 2], [1, LEADER, 8, 2]);
    expect(book.breach).toBeNull();
    expect(book.describe(0)).toBe('a follower of 8 of term 2');
  });

  test('never change within a term', () => {
    expect(bookOf([0, FOLLOWER, 7, 2], [0, FOLLOWER, 8, 2]).breach).toEqual({
      property: 'agreement',
      at: 0,
      text: 'was a follower of 7 of term 2 and then became a follower of 8 of term 2',
    });
    expect(bookOf([0, LEADER, 7, 0], [0, FOLLOWER, 8, 0]).breach?.text).toBe(
      'was the leader and then became a follower of 8',
    );
  });

  test('never go back to an earlier term', () => {
    const { breach } = bookOf([0, FOLLOWER, 7, 2], [0, FOLLOWER, 7, 1]);
    expect(breach?.text).toBe('was a follower of 7 of term 2 and then became a follower of 7 of term 1');
  });

  test('have at most one leader per term', () => {
    expect(bookOf([0, LEADER, 7, 1], [1, LEADER, 8, 2]).breach).toBeNull();
    expect(bookOf([0, LEADER, 7, 1], [1, LEADER, 8, 1]).breach).toEqual({
      property: 'uniqueness',
      at: 1,
      text: 'became the leader of term 1, which node 0 has led already',
    });
  });

  test('a node that has led a term remains its leader after a crash or a later term', () => {
    const crashed = bookOf([0, LEADER, 7, 1]);
    crashed.forget(0);
    expect(crashed.roles[0]).toBe(UNDECIDED);
    crashed.record(1, LEADER, 8, 1, 0);
    expect(crashed.breach?.property).toBe('uniqueness');
    expect(bookOf([0, LEADER, 7, 1], [0, FOLLOWER, 9, 3], [1, LEADER, 8, 1]).breach?.property).toBe(
      'uniqueness',
    );
  });

  test('a node that has crashed may lead its own term again', () => {
    const book = bookOf([0, LEADER, 7, 1]);
    book.forget(0);
    book.record(0, LEADER, 7, 1, 5);
    expect(book.breach).toBeNull();
  });

  test('only the first violation is kept', () => {
    const { breach } = bookOf([0, LEADER, 7, 0], [1, LEADER, 8, 0], [1, FOLLOWER, 7, 0]);
    expect(breach?.property).toBe('uniqueness');
  });

  test('a loaded decision replaces that of the previous state', () => {
    const book = bookOf([0, LEADER, 7, 0]);
    book.load(0, UNDECIDED, 0, 0);
    book.record(1, LEADER, 8, 0, 0);
    expect(book.breach).toBeNull();
    book.load(0, LEADER, 7, 1);
    book.record(2, LEADER, 9, 1, 0);
    expect(book.breach?.text).toBe('became the leader of term 1, which node 0 has led already');
  });
});
