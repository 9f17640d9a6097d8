import { describe, expect, it } from 'vitest';
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import { scaledTiming } from '../../../src/lease/core/timing.ts';
import {
  acquireRequest,
  backOffMs,
  delayMs,
  maxSpreadMs,
  observe,
  reservationMs,
  ttlOfHolder,
} from '../../../src/lease/core/waiting.ts';
import { heldBy } from './scripted-candidate.ts';

const now = { monoMs: 50_000, wallMs: 0 };
const options = (ttlMs: number, change: Partial<CandidateOptions> = {}): CandidateOptions => ({
  name: 'billing',
  id: 'ann',
  identity: 'ann-1',
  priority: 0,
  processProof: '',
  timing: scaledTiming(ttlMs),
  holdAtLeastMs: 0,
  seed: 1,
  ...change,
});
const delay = (remainingMs: number, own: CandidateOptions, pushing = false): number => {
  const record = heldBy('bob-1.1', { remainingMs });
  return delayMs(record, observe(null, record, 16_000, now), own, { pushing, spreadMs: 20 }, now);
};

describe('a waiting candidate asks', () => {
  it('when the lease may be free, plus its spread', () => expect(delay(300, options(15_000))).toBe(320));
  it('every second, if the store does not push', () => expect(delay(14_000, options(15_000))).toBe(1_000));
  it('every third of the ttl, if the store pushes', () => {
    expect(delay(14_000, options(15_000), true)).toBe(5_000);
  });
  it('every five seconds at the latest, whatever the ttl, and every second if it gets no notifications', () => {
    const hour = options(3_600_000);
    expect(delay(3_500_000, hour, true)).toBe(5_000);
    expect(delay(3_500_000, hour)).toBe(1_000);
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
    const remainingMs = null;
    const first = observe(null, heldBy('bob-1.1', { remainingMs }), 16_000, now);
    const later = { monoMs: 55_000, wallMs: 0 };
    const sinceMs = (nonce: string, version: bigint, before = first): number =>
      observe(before, heldBy(nonce, { remainingMs, version }), 16_000, later).sinceMs;
    expect(sinceMs('bob-1.1', 70n)).toBe(50_000);
    expect(sinceMs('bob-1.1', 71n)).toBe(55_000);
    expect(sinceMs('eve-1.1', 70n)).toBe(55_000);
    // Before, the store could judge the record.
    expect(sinceMs('bob-1.1', 70n, observe(null, heldBy('bob-1.1'), 16_000, now))).toBe(55_000);
  });
  it('restarts with a new holder, without the proof that the last one is gone', () => {
    const gone = { ...observe(null, heldBy('bob-1.1'), 16_000, now), gone: true };
    expect(observe(gone, heldBy('bob-1.1', { version: 71n }), 16_000, now).gone).toBe(true);
    expect(observe(gone, heldBy('eve-1.1'), 16_000, now).gone).toBe(false);
  });
});

describe('a request', () => {
  const requestOf = (ttlMs: number, change: Partial<CandidateOptions> = {}) =>
    acquireRequest(options(ttlMs, change), 'ann-1.1', null, now);
  it('registers its candidate until the request after the next one, and for one ttl at least', () => {
    expect([600, 3_000, 15_000, 60_000].map((ttlMs) => requestOf(ttlMs).registerMs)).toEqual([
      2_080, 3_000, 15_000, 60_000,
    ]);
  });
  it('carries the time for which the lease is held at least', () => {
    expect(requestOf(15_000, { holdAtLeastMs: 60_000 }).holdAtLeastMs).toBe(60_000);
  });
  it('calls a version stale only if the store cannot judge the lease, and the version is old enough', () => {
    const staleOf = (remainingMs: number | null, waitedMs: number): bigint | null => {
      const observed = observe(null, heldBy('bob-1.1', { remainingMs }), 16_000, now);
      const later = { monoMs: now.monoMs + waitedMs, wallMs: 0 };
      return acquireRequest(options(15_000), 'ann-1.1', observed, later).staleVersion;
    };
    expect(staleOf(null, 15_999)).toBeNull();
    expect(staleOf(null, 16_000)).toBe(70n);
    expect(staleOf(10_000, 100_000)).toBeNull();
  });
});

describe('candidates that wait for the same moment', () => {
  it('spread their requests over a fiftieth of the ttl, and over a second at most', () => {
    expect([600, 15_000, 3_600_000].map((ttlMs) => maxSpreadMs(scaledTiming(ttlMs)))).toEqual([
      12, 300, 1_000,
    ]);
  });
});

describe('a lease is reserved for its successor', () => {
  it('for one renewal period, and long enough for the successor to ask', () => {
    const kept = (ttlMs: number): number => reservationMs(scaledTiming(ttlMs));
    expect([600, 3_000, 15_000, 60_000, 3_600_000].map(kept)).toEqual([680, 1_400, 7_000, 13_000, 15_000]);
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
