import { describe, expect, it } from 'vitest';
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import { scaledTiming } from '../../../src/lease/core/timing.ts';
import { backOffMs, delayMs, observe, reservationMs, ttlOfHolder } from '../../../src/lease/core/waiting.ts';
import { heldBy } from './scripted-candidate.ts';

const now = { monoMs: 50_000, wallMs: 0 };
const options = (ttlMs: number, change: Partial<CandidateOptions> = {}): CandidateOptions => ({
  name: 'billing',
  id: 'ann',
  identity: 'ann-1',
  priority: 0,
  processProof: '',
  timing: scaledTiming(ttlMs),
  storeHasClock: true,
  storePushes: false,
  seed: 1,
  ...change,
});
const delay = (remainingMs: number, own: CandidateOptions): number => {
  const record = heldBy('bob-1.1', { remainingMs });
  return delayMs(record, observe(null, record, 16_000, now), own, 20, now);
};

describe('a waiting candidate asks', () => {
  it('when the lease may be free, plus its spread', () => expect(delay(300, options(15_000))).toBe(320));
  it('every second, if the store does not push', () => expect(delay(14_000, options(15_000))).toBe(1_000));
  it('every third of the ttl, if the store pushes', () => {
    expect(delay(14_000, options(15_000, { storePushes: true }))).toBe(5_000);
  });
  it('before the store forgets it, if its priority is higher than the holder has', () => {
    expect(delay(580, options(600))).toBe(600);
    expect(delay(580, options(600, { priority: 1 }))).toBe(200);
  });
  it('never in a loop', () => expect(delay(-500, options(15_000))).toBe(1));
});

describe('how long a record must not change', () => {
  it('is the ttl of its holder and a fifteenth of the longer of both', () => {
    expect(ttlOfHolder(heldBy('bob-1.1'), options(3_000).timing)).toBe(16_000);
    expect(ttlOfHolder(heldBy('bob-1.1'), options(60_000).timing)).toBe(19_000);
  });
  it('counts from the first observation of this version of this holder', () => {
    const first = observe(null, heldBy('bob-1.1'), 16_000, now);
    const later = { monoMs: 55_000, wallMs: 0 };
    expect(observe(first, heldBy('bob-1.1'), 16_000, later).sinceMs).toBe(50_000);
    expect(observe(first, heldBy('bob-1.1', { version: 71n }), 16_000, later).sinceMs).toBe(55_000);
    expect(observe(first, heldBy('eve-1.1'), 16_000, later).sinceMs).toBe(55_000);
  });
  it('restarts with a new holder, without the proof that the last one is gone', () => {
    const gone = { ...observe(null, heldBy('bob-1.1'), 16_000, now), gone: true };
    expect(observe(gone, heldBy('bob-1.1', { version: 71n }), 16_000, now).gone).toBe(true);
    expect(observe(gone, heldBy('eve-1.1'), 16_000, now).gone).toBe(false);
  });
});

describe('a lease is reserved for its successor', () => {
  it('for one renewal period, and long enough for the successor to ask', () => {
    const kept = (ttlMs: number): number => reservationMs(scaledTiming(ttlMs));
    expect([600, 3_000, 60_000].map(kept)).toEqual([680, 1_400, 12_000]);
  });
});

describe('the back-off', () => {
  it('doubles with each error, up to a third of the ttl', () => {
    const { timing } = options(15_000);
    expect([1, 2, 3, 4, 50].map((failures) => backOffMs(failures, timing))).toEqual([
      1_000, 2_000, 4_000, 5_000, 5_000,
    ]);
  });
});
