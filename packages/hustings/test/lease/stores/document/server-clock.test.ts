import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreError } from '../../../../src/lease/core/store-error.ts';
import { ServerClock } from '../../../../src/lease/stores/document/server-clock.ts';

const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;

/** A server whose clock differs from that of this machine, behind a network that delays requests and answers. */
class Server {
  readonly label = 'the server';
  clockResolutionMs = 1_000;
  offsetMs = 0;
  /** A millisecond lasts so much longer there, in parts per million. */
  driftPpm = 0;
  delaysMs: () => readonly [request: number, answer: number] = () => [5, 5];
  /** The answers that are wrong by this time, in this order; 0 for a right one. */
  wrongMs: number[] = [];
  readonly doubts: boolean[] = [];

  /** In fractions of a millisecond: the fake clock counts whole ones. */
  get nowMs(): number {
    return Date.now() + this.offsetMs + ((Date.now() - START_MS) * this.driftPpm) / 1e6;
  }

  async clock(isDoubted: boolean): Promise<number> {
    this.doubts.push(isDoubted);
    const [requestMs, answerMs] = this.delaysMs();
    await later(requestMs);
    const ms = this.nowMs + (this.wrongMs.shift() ?? 0);
    await later(answerMs);
    return ms - (ms % this.clockResolutionMs);
  }
}

const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const clockOf = (server: Server, wrongByMs = 0) =>
  new ServerClock(server, { now: () => ({ monoMs: Date.now() - START_MS, wallMs: Date.now() + wrongByMs }) });

/** Lets the fake time pass until the promise has settled. */
async function passing<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await vi.advanceTimersByTimeAsync(1);
  return promise;
}

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the clock of a server', () => {
  it('is never ahead of the server, never goes back, and is late by its resolution and a round trip at most', async () => {
    const plan = fc.record({
      resolutionMs: fc.constantFrom(1, 1_000),
      offsetMs: fc.integer({ min: -50_000, max: 50_000 }),
      driftPpm: fc.constantFrom(-500, 0, 500),
      delays: fc.oneof(
        fc.constant([[0, 0] as const]),
        fc.array(fc.tuple(fc.nat(300), fc.nat(300)), { minLength: 1, maxLength: 5 }),
      ),
      pauses: fc.array(fc.nat(9_000), { minLength: 1, maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ resolutionMs, offsetMs, driftPpm, delays, pauses }) => {
        const server = Object.assign(new Server(), { clockResolutionMs: resolutionMs, offsetMs, driftPpm });
        let asked = 0;
        server.delaysMs = () => delays[asked++ % delays.length];
        const clock = clockOf(server);
        let shownMs = Number.NEGATIVE_INFINITY;
        for (const pauseMs of pauses) {
          const ms = await passing(clock.now());
          expect(ms).toBeLessThanOrEqual(server.nowMs);
          expect(ms).toBeGreaterThanOrEqual(shownMs);
          // Some milliseconds for two clocks that drift apart.
          expect(server.nowMs - ms).toBeLessThan(resolutionMs + 600 + 20);
          shownMs = ms;
          await vi.advanceTimersByTimeAsync(pauseMs);
        }
        clock.close();
        expect(server.doubts).not.toContain(true);
      }),
      { numRuns: 100 },
    );
  });

  it('that says whole seconds is known to a tenth of a second and two round trips after some answers', async () => {
    for (const offsetMs of [0, 1, 333, 500, 777, 999]) {
      const server = Object.assign(new Server(), { offsetMs });
      const clock = clockOf(server);
      await passing(clock.now());
      await vi.advanceTimersByTimeAsync(6_000);
      const ms = await passing(clock.now());
      expect(server.nowMs - ms).toBeGreaterThanOrEqual(0);
      expect(server.nowMs - ms).toBeLessThan(100 + 40);
      expect(server.doubts.length).toBeLessThan(10);
      clock.close();
    }
  });

  it('is asked no more after it was closed', async () => {
    const server = new Server();
    const clock = clockOf(server);
    await passing(clock.now());
    clock.close();
    const asked = server.doubts.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.doubts).toHaveLength(asked);
  });

  it('is asked once for callers that come together, and again after five seconds', async () => {
    const server = Object.assign(new Server(), { clockResolutionMs: 1 });
    const clock = clockOf(server);
    await passing(Promise.all([clock.now(), clock.now(), clock.now()]));
    await passing(clock.now());
    expect(server.doubts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_100);
    await passing(clock.now());
    expect(server.doubts).toHaveLength(2);
  });

  it('is not believed if a single answer is a day ahead: the first, or a later one', async () => {
    const server = Object.assign(new Server(), { wrongMs: [DAY_MS] });
    const clock = clockOf(server);
    expect(await passing(clock.now())).toBeLessThanOrEqual(server.nowMs);
    expect(server.doubts).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(6_000);
    server.wrongMs = [-DAY_MS];
    const ms = await passing(clock.now());
    expect(ms).toBeLessThanOrEqual(server.nowMs);
    expect(ms).toBeGreaterThan(server.nowMs - 1_100);
    clock.close();
  });

  it('is believed after two answers that agree, when it is set, and when the clock of this machine is wrong', async () => {
    const server = new Server();
    const clock = clockOf(server, DAY_MS);
    expect(await passing(clock.now())).toBeLessThanOrEqual(server.nowMs);
    expect(server.doubts.slice(0, 2)).toEqual([false, true]);
    expect(await passing(clock.offsetMs())).toBeLessThan(-DAY_MS + 2_000);
    for (const offsetMs of [-3_600_000, 3_600_000]) {
      server.offsetMs = offsetMs;
      await vi.advanceTimersByTimeAsync(10_000);
      const ms = await passing(clock.now());
      expect(ms).toBeLessThanOrEqual(server.nowMs);
      expect(ms).toBeGreaterThan(server.nowMs - 1_200);
    }
    clock.close();
  });

  it('is an error if each answer contradicts the one before', async () => {
    const server = Object.assign(new Server(), { wrongMs: [1, 2, 3, 4].map((days) => days * DAY_MS) });
    const failure = passing(clockOf(server).now()).catch((error: StoreError) => error);
    expect(await failure).toMatchObject({
      kind: 'busy',
      message: expect.stringMatching(/contradict each other/),
    });
  });
});
