import { expect, test } from 'vitest';
import { FEW, MAX_INCREMENT, maxFirst, TermIncrementLimiter } from '../../src/gate/term-increment-limiter.ts';
import { writeFirstToken } from '../../src/host/member-folder.ts';

const LARGEST = 2 ** 31 - 1;
const limit = new TermIncrementLimiter('term', LARGEST);

test('one frame may raise a number by a million, and not by more', () => {
  expect(limit.refusal(5_000, 5_001 + MAX_INCREMENT)).toBe(
    `its term ${5_001 + MAX_INCREMENT} is too far above 5000, the largest known here: stop that member if it is faulty; if this one has missed that many elections, start it with a new id`,
  );
  expect(limit.refusal(5_000, 5_000 + MAX_INCREMENT)).toBeNull();
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
  const stamped = new TermIncrementLimiter('term', LARGEST, () => 1_500_000_000);
  expect(stamped.refusal(0, 1_500_000_000 + MAX_INCREMENT + 1)).not.toBeNull();
  expect(stamped.refusal(0, 1_500_000_000 + MAX_INCREMENT)).toBeNull();
});

test('a member that joins accepts the numbers of a cluster that began as high as it may, after a million elections', () => {
  expect(limit.refusal(0, maxFirst(LARGEST) + MAX_INCREMENT)).toBeNull();
  expect(limit.refusal(0, maxFirst(LARGEST) + MAX_INCREMENT + 1)).not.toBeNull();
  expect([2 ** 31 - 1, 2 ** 48, Number.MAX_SAFE_INTEGER].map(maxFirst)).toEqual(
    [30, 47, 52].map((bits) => 2 ** bits - MAX_INCREMENT - 1),
  );
});

test('a first token of the gate is refused above that', async () => {
  await expect(
    writeFirstToken('unused', { cluster: 'demo', id: 1 }, 2 ** 52 - MAX_INCREMENT),
  ).rejects.toThrow(
    'the first token must be a whole number from 0 to 4503599626321919, not 4503599626321920',
  );
});
