import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/kernel/errors.ts';
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
  it('is 15 s by default: renew each 3, request 2, soft 11, hard 14', () => {
    expect(resolveTiming()).toEqual({
      ttlMs: 15_000,
      renewMs: 3_000,
      requestMs: 2_000,
      softMs: 11_000,
      hardMs: 14_000,
      beatMs: null,
      graceMs: 15_000,
      yieldAfterMs: 15_000,
    });
  });

  it('scales with the ttl where nothing else is given', () => {
    expect(resolveTiming({ ttlMs: 30_000, requestMs: 1_000 })).toMatchObject({
      renewMs: 6_000,
      requestMs: 1_000,
      softMs: 22_000,
      hardMs: 28_000,
    });
  });

  it.each(Object.entries(PRESETS))('has the preset %s of %i ms', (name, ttlMs) => {
    expect(resolveTiming({ preset: name as keyof typeof PRESETS }).ttlMs).toBe(ttlMs);
  });

  it.each<[string, TimingOptions, RegExp]>([
    [
      'a preset that does not exist',
      { preset: 'quick' as 'fast' },
      /one of the presets fast, normal, patient/,
    ],
    ['a preset and a ttl', { preset: 'fast', ttlMs: 3_000 }, /a preset or a ttl, got both/],
    ['a ttl that scheduling alone can take away', { ttlMs: 499 }, /from 500 ms to 24 hours, got 499/],
    ['a ttl of more than a day', { ttlMs: 86_400_001 }, /from 500 ms to 24 hours/],
    ['a ttl that is no whole number', { ttlMs: 1_500.5 }, /whole number of milliseconds/],
    ['a ttl that is no number', { ttlMs: Number.NaN }, /whole number of milliseconds/],
    ['a duration below 1', { graceMs: 0 }, /graceMs .* above 0, got 0/],
    ['fewer than 4 renewals in a ttl', { renewMs: 3_751 }, /at least 4 renewals .* at most 3750/],
    [
      'a request time-out over a quarter of the ttl',
      { requestMs: 3_751 },
      /quarter of the ttl .* at most 3750/,
    ],
    ['a soft deadline before a renewal can be answered', { softMs: 5_000 }, /renewMs \+ requestMs < softMs/],
    ['a hard deadline before the soft one', { hardMs: 11_000 }, /softMs < hardMs < ttlMs/],
    ['a hard deadline after the lease', { hardMs: 15_000 }, /softMs < hardMs < ttlMs/],
    ['no margin for clocks', { hardMs: 14_701 }, /a fiftieth of the ttl .* at most 14700/],
  ])('refuses %s, and says why', (_, options, reason) => {
    expect(refusal(options)).toMatch(reason);
  });

  it('accepts what is just within', () => {
    expect(refusal({ ttlMs: 500 })).toBe('accepted');
    expect(refusal({ renewMs: 3_750 })).toBe('accepted');
    expect(refusal({ requestMs: 3_750 })).toBe('accepted');
    expect(refusal({ hardMs: 14_700 })).toBe('accepted');
  });
});
