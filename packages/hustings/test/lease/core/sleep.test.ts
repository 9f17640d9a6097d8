/** A machine that sleeps: its monotonic clock and its timers stand still, and its wall clock runs on. */
import { describe, expect, it } from 'vitest';
import { scaledTiming } from '../../../src/lease/core/timing.ts';
import { ScriptedCandidate } from './scripted-candidate.ts';

describe('a leader whose machine slept', () => {
  it.each([3_000, 15_000, 60_000, 3_600_000])(
    'tells its work to stop within a second of waking, at a ttl of %d ms, if the deadline has passed',
    (ttlMs) => {
      const candidate = new ScriptedCandidate({}, { ttlMs }).elect();
      candidate.pass(10);
      candidate.sleep(ttlMs);
      expect(candidate.pass(1_000)).toContain('stopping');
      expect(candidate.outputs).toContainEqual(
        expect.objectContaining({ type: 'stopping', reason: 'suspended' }),
      );
    },
  );

  it('says within a second of waking that work is overdue', () => {
    const candidate = new ScriptedCandidate({}, { ttlMs: 60_000 }).elect();
    candidate.pass(44_500);
    expect(candidate.core.phase).toBe('stopping');
    candidate.sleep(20_000);
    expect(candidate.pass(1_000)).toContain('overdue');
  });

  it('goes on leading after a short sleep: it renews at once', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.pass(500);
    candidate.sleep(8_000);
    expect(candidate.pass(1_000)).toEqual(['renew']);
    expect(candidate.renewed()).toEqual([]);
    expect(candidate.isValid).toBe(true);
    expect(candidate.pass(2_000)).toEqual([]);
  });

  it('does not wait for the answer to a renewal from before the sleep', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    candidate.sleep(5_000);
    expect(candidate.pass(1_600)).toEqual(['store-error', 'renew']);
    expect(candidate.renewed()).toEqual([]);
    expect(candidate.isValid).toBe(true);
  });

  it('does not renew more often because its clocks run at slightly different rates', () => {
    const candidate = new ScriptedCandidate().elect();
    let renewals = 0;
    for (let second = 0; second < 60; second++) {
      candidate.sleep(2);
      for (const type of candidate.pass(1_000)) {
        if (type !== 'renew') continue;
        renewals++;
        candidate.renewed();
      }
    }
    expect(renewals).toBeLessThanOrEqual(22);
  });

  it('needs a step to see it, and none while the clocks agree', () => {
    const candidate = new ScriptedCandidate({}, { ttlMs: 60_000 }).elect();
    const isClockCheckDue = (): boolean => candidate.core.isClockCheckDue(candidate.now);
    candidate.idle(3_000);
    expect(isClockCheckDue()).toBe(false);
    candidate.sleep(600);
    expect(isClockCheckDue()).toBe(true);
    candidate.pass(0);
    expect(isClockCheckDue()).toBe(false);
  });

  it.each([100, 499])('needs a step if its deadline passed in a sleep of only %d ms', (sleepMs) => {
    const candidate = new ScriptedCandidate({}, { ttlMs: 60_000 }).elect();
    candidate.idle(scaledTiming(60_000).stopAfterMs - sleepMs);
    expect(candidate.core.isClockCheckDue(candidate.now)).toBe(false);
    candidate.sleep(sleepMs);
    expect(candidate.core.isClockCheckDue(candidate.now)).toBe(true);
  });
});
