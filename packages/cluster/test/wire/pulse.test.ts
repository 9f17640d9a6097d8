import { describe, expect, it } from 'vitest';
import { LAST_RETRY_MS, Pulse, retryAfterMs } from '../../src/wire/pulse.ts';

const options = { heartbeatMs: 100, silenceMs: 1_000 };

describe('a pulse', () => {
  it('asks for a heartbeat only if nothing was sent for a heartbeat', () => {
    const pulse = new Pulse(options, false, 0);
    pulse.sent(60);
    expect(pulse.check(100).isDue).toBe(false);
    expect(pulse.waitMs(100)).toBe(60);
    expect(pulse.check(160).isDue).toBe(true);
  });

  it('begins a tenth early and at the same times on all connections, so that heartbeats leave together', () => {
    for (const sentMs of [0, 3, 17, 58.5, 88]) {
      const pulse = new Pulse(options, true, 0);
      pulse.sent(sentMs);
      expect(sentMs + pulse.waitMs(sentMs)).toBeCloseTo(90, 6);
      expect(pulse.check(89).isDue).toBe(false);
      expect(pulse.check(90).isDue).toBe(true);
      pulse.sent(90.4);
      expect(90.4 + pulse.waitMs(90.4)).toBeCloseTo(180, 6);
    }
  });

  it('looks at multiples of a tenth whether an answer was sent, and not before a heartbeat', () => {
    for (const sentMs of [0, 3, 17, 58.5, 99.9]) {
      const pulse = new Pulse(options, false, 0);
      pulse.sent(sentMs);
      const dueMs = sentMs + pulse.waitMs(sentMs);
      expect(dueMs % 10).toBeCloseTo(0, 6);
      expect(dueMs - sentMs).toBeGreaterThanOrEqual(100);
      expect(dueMs - sentMs).toBeLessThan(110);
    }
  });

  it('answers a heartbeat on the other side, unless something was sent a short time ago', () => {
    const [first, second] = [new Pulse(options, true, 0), new Pulse(options, false, 0)];
    expect([first.isAnswerDue(90), second.isAnswerDue(90)]).toEqual([false, true]);
    second.sent(60);
    expect(second.isAnswerDue(90)).toBe(false);
  });

  it('counts a connection as silent when nothing has arrived for the whole time', () => {
    const pulse = new Pulse(options, false, 0);
    const silent: boolean[] = [];
    for (let now = 100; now <= 1_300; now += 100) {
      if (now === 200) pulse.received(now);
      silent.push(pulse.check(now).isSilent);
    }
    expect(silent.indexOf(true)).toBe(11);
  });

  it('does not count the time in which this process was stopped', () => {
    const pulse = new Pulse(options, false, 0);
    pulse.check(100);
    expect(pulse.check(60_000).isSilent).toBe(false);
    for (let now = 60_100; now < 61_000; now += 100) expect(pulse.check(now).isSilent).toBe(false);
    expect(pulse.check(61_000).isSilent).toBe(true);
  });
});

describe('the back-off', () => {
  it('doubles up to its limit, with jitter of half of it', () => {
    expect([0, 1, 2, 3].map((failures) => retryAfterMs(failures, 0))).toEqual([25, 50, 100, 200]);
    expect(retryAfterMs(3, 0.999)).toBeGreaterThan(399);
    expect(retryAfterMs(1_000_000, 1)).toBe(LAST_RETRY_MS);
  });
});
