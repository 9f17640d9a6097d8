import { expect, test } from 'vitest';
import { FEW, MOST_RAISE, RaiseLimit } from '../../../src/cluster/gate/raise-limit.ts';

const LARGEST = 2 ** 31 - 1;
const limit = new RaiseLimit('term', LARGEST);

test('one frame may raise a number by a million, and not by more', () => {
  expect(limit.refusal(5_000, 5_001 + MOST_RAISE)).toBe(
    `its term ${5_001 + MOST_RAISE} is too far above 5000, the largest known here: stop that member if it is faulty; if this one has missed that many elections, start it with a new id`,
  );
  expect(limit.refusal(5_000, 5_000 + MOST_RAISE)).toBeNull();
});

test('what is not above the known number is accepted', () => {
  for (const named of [0, 500, 5_000]) expect(limit.refusal(5_000, named)).toBeNull();
  expect(limit.refusal(LARGEST, LARGEST)).toBeNull();
});

test('a member that knows of few elections accepts up to half of the range, with elections of its own or without', () => {
  for (const known of [0, 3, FEW - 1]) {
    expect(limit.refusal(known, 2 ** 30 - 1)).toBeNull();
    expect(limit.refusal(known, 2 ** 30)).not.toBeNull();
  }
  expect(limit.refusal(FEW, 2 ** 30 - 1)).not.toBeNull();
});

test('what is known from elsewhere counts: a term after the stamp of a member list', () => {
  const stamped = new RaiseLimit('term', LARGEST, () => 1_500_000_000);
  expect(stamped.refusal(0, 1_500_000_000 + MOST_RAISE + 1)).not.toBeNull();
  expect(stamped.refusal(0, 1_500_000_000 + MOST_RAISE)).toBeNull();
});
