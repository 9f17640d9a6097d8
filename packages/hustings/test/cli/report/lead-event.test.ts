import { expect, it } from 'vitest';
import { eventJson, eventLine } from '../../../src/cli/report/lead-event.ts';

it('a line tells a held lease from one that is reserved for a successor or kept free, and from a store that knows no term', () => {
  const reserved = { type: 'waiting', holder: null, successor: 'b', token: 7n, remainingMs: 90_000 } as const;
  expect(eventLine('tea', reserved)).toBe("hustings: 'tea': waiting: the lease is reserved for 'b'");
  expect(eventLine('tea', { ...reserved, holder: 'a', successor: null })).toBe(
    "hustings: 'tea': waiting: 'a' leads",
  );
  expect(eventLine('tea', { ...reserved, successor: null })).toBe(
    "hustings: 'tea': waiting: no candidate may lead for another 1 min 30 s",
  );
  expect(eventLine('tea', { ...reserved, successor: null, token: 0n })).toBe(
    "hustings: 'tea': waiting: the store is new or was restarted empty, and grants its first lease in 1 min 30 s",
  );
  expect(JSON.parse(eventJson('tea', reserved, 0))).toMatchObject({ holder: null, successor: 'b' });
});

it('JSON has the token as text, which is exact above 2^53', () => {
  const token = 2n ** 60n + 1n;
  expect(JSON.parse(eventJson('tea', { type: 'elected', token }, 0))).toMatchObject({
    type: 'elected',
    token: '1152921504606846977',
  });
});
