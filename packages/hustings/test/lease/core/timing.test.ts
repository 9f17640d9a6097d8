import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../study/src/kernel/errors.ts';
import { PRESETS, resolveTiming, type TimingOptions } from '../../../src/lease/core/timing.ts';

const refusal = (options: TimingOptions): string => {
  try {
    resolveTiming(options);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  return 'accepted';
};

describe('the timing', () => {
  it('is 15 s by default: renewed every 3, timeout 2, stop after 11, kill after 14', () => {
    expect(resolveTiming()).toEqual({
      ttlMs: 15_000,
      renewEveryMs: 3_000,
      requestTimeoutMs: 2_000,
      stopAfterMs: 11_000,
      killAfterMs: 14_000,
      stallAfterMs: null,
      stopGraceMs: 15_000,
      yieldAfterMs: 15_000,
    });
  });

  it('scales with the ttl by default', () => {
    expect(resolveTiming({ ttlMs: 30_000, requestTimeoutMs: 1_000 })).toMatchObject({
      renewEveryMs: 6_000,
      requestTimeoutMs: 1_000,
      stopAfterMs: 22_000,
      killAfterMs: 28_000,
    });
  });

  it.each(Object.entries(PRESETS))('has the preset %s of %i ms', (name, ttlMs) => {
    expect(resolveTiming({ preset: name as keyof typeof PRESETS }).ttlMs).toBe(ttlMs);
  });

  it.each<[string, TimingOptions, RegExp]>([
    [
      'a preset that does not exist',
      { preset: 'quick' as 'fast' },
      /^preset must be one of fast, normal, patient, not 'quick'$/,
    ],
    ['a preset and a ttl', { preset: 'fast', ttlMs: 3_000 }, /exclude each other/],
    [
      'a ttl that process scheduling alone can end',
      { ttlMs: 499 },
      /from 500 to 86400000 \(24 hours\), not 499/,
    ],
    ['a ttl of more than a day', { ttlMs: 86_400_001 }, /\(24 hours\)/],
    ['a ttl that is no whole number', { ttlMs: 1_500.5 }, /whole number of milliseconds/],
    ['a ttl that is no number', { ttlMs: Number.NaN }, /whole number of milliseconds/],
    ['a duration below 1', { stopGraceMs: 0 }, /stopGraceMs .* from 1, not 0/],
    [
      'fewer than 4 renewals in a ttl',
      { renewEveryMs: 3_751 },
      /renewEveryMs must be at most .* 3750, not 3751/,
    ],
    [
      'a request timeout over a quarter of the ttl',
      { requestTimeoutMs: 3_751 },
      /requestTimeoutMs must be at most .* 3750, not 3751/,
    ],
    [
      'a stop before a renewal can be answered',
      { stopAfterMs: 5_000 },
      /renewEveryMs \+ requestTimeoutMs < stopAfterMs/,
    ],
    ['a kill before the stop', { killAfterMs: 11_000 }, /stopAfterMs < killAfterMs < ttlMs/],
    ['a kill after the end of the lease', { killAfterMs: 15_000 }, /stopAfterMs < killAfterMs < ttlMs/],
    ['no margin for clocks', { killAfterMs: 14_701 }, /killAfterMs must be at most 98 % .* 14700, not 14701/],
  ])('refuses %s, and says why', (_, options, reason) => {
    expect(refusal(options)).toMatch(reason);
  });

  it('accepts the largest and smallest values that are allowed', () => {
    expect(refusal({ ttlMs: 500 })).toBe('accepted');
    expect(refusal({ renewEveryMs: 3_750 })).toBe('accepted');
    expect(refusal({ requestTimeoutMs: 3_750 })).toBe('accepted');
    expect(refusal({ killAfterMs: 14_700 })).toBe('accepted');
  });
});
