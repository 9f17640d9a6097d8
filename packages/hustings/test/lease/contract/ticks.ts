import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StartTickRequest } from '../../../src/lease/core/tick.ts';
import { releaseOf } from './single-call.ts';
import { claimOf, fresh, LONG_MS, SHORT_MS, type Suite } from './suite.ts';
import { TickModel, tickSequence } from './tick-model.ts';

export function ticksContract(current: () => Suite): void {
  const startOf = (
    name: string,
    token: bigint,
    tickMs: number | null,
    more: Partial<StartTickRequest> = {},
  ): StartTickRequest => ({ name, nonce: 'a-nonce', token, tickMs, missedMs: [], retry: false, ...more });

  describe('ticks', () => {
    it('agree with the rules of tick.ts on random sequences', async () => {
      const { store, other, runs } = current();
      await fc.assert(
        fc.asyncProperty(tickSequence, async (steps) => {
          const model = new TickModel([store, other], fresh(), await store.time());
          for (const step of steps) await model.take(step);
        }),
        { numRuns: runs },
      );
    });

    it('start once, however many connections ask for the same one', async () => {
      const { store, other, name, open, win } = current();
      const racers = [store, other, await open(), await open()];
      const token = await win(claimOf(name, 'a'));
      for (let tickMs = 1; tickMs <= 10; tickMs++) {
        const answers = await Promise.all(
          racers.map((racer) => racer.startTick(startOf(name, token, tickMs))),
        );
        expect(answers.map(({ type }) => type).sort()).toEqual(['started', 'taken', 'taken', 'taken']);
        const ends = await Promise.all(
          racers.map((racer) => racer.endTick({ name, token, tickMs, state: 'completed' })),
        );
        expect(ends.filter(Boolean)).toHaveLength(1);
      }
      expect((await other.ticks(name)).map(({ tickMs, state }) => [tickMs, state])).toEqual(
        Array.from({ length: 10 }, (_, index) => [10 - index, 'completed']),
      );
      for (const racer of racers.slice(2)) await racer.close();
    });

    it('start once when two terms ask for the same one', async () => {
      const { store, other, name, win } = current();
      const first = await win(claimOf(name, 'a'));
      const [taken, started] = await Promise.all([
        store.acquire([claimOf(name, 'b', { goneNonce: 'a-nonce' })]),
        other.startTick(startOf(name, first, 5)),
      ]);
      if (taken[0].type !== 'ok') throw new Error('b did not get the lease');
      const again = await store.startTick(startOf(name, taken[0].token, 5, { nonce: 'b-nonce' }));
      expect([started.type, again.type].sort()).toEqual(
        started.type === 'started' ? ['started', 'taken'] : ['lost', 'started'],
      );
    });

    it("are early before their time on the store's clock, and lost without the lease", async ({ skip }) => {
      const { store, other, name, win, release, untilFree, needClock } = current();
      const nowMs = await store.time();
      const token = await win(claimOf(name, 'a'));
      const early = await store.startTick(startOf(name, token, nowMs + LONG_MS));
      if (early.type !== 'early') throw new Error(`expected early, got ${early.type}`);
      expect(early.nowMs).toBeGreaterThanOrEqual(nowMs);
      expect(early.nowMs).toBeLessThan(nowMs + LONG_MS);
      expect(await store.startTick(startOf(name, token + 1n, 1))).toEqual({ type: 'lost' });
      expect(await store.startTick(startOf(name, token, 1, { nonce: 'b-nonce' }))).toEqual({ type: 'lost' });
      expect(await other.ticks(name)).toEqual([]);
      await release(releaseOf(name, 'a', token));
      expect(await other.startTick(startOf(name, token, 1))).toEqual({ type: 'lost' });
      needClock(skip);
      const brief = await win(claimOf(name, 'a', { ttlMs: SHORT_MS }));
      await untilFree();
      expect(await store.startTick(startOf(name, brief, 1))).toEqual({ type: 'lost' });
      expect(await other.ticks(name)).toEqual([]);
    });

    it('are interrupted when their term has ended, and run again only on request', async () => {
      const { store, other, name, win, release } = current();
      const first = await win(claimOf(name, 'a'));
      const beforeMs = await store.time();
      expect(await store.startTick(startOf(name, first, 7, { missedMs: [3, 5] }))).toEqual({
        type: 'started',
      });
      const [running, before] = await other.ticks(name);
      expect(running).toMatchObject({
        name,
        tickMs: 7,
        state: 'running',
        token: first,
        holder: 'a',
        endMs: null,
      });
      expect(running.startMs).toBeGreaterThanOrEqual(beforeMs);
      expect(before).toMatchObject({ tickMs: 5, state: 'missed', endMs: before.startMs });
      expect(JSON.parse(JSON.stringify(running))).toEqual({ ...running, token: `${first}` });
      await release(releaseOf(name, 'a', first));
      expect((await other.ticks(name, { limit: 1 }))[0]).toMatchObject({ tickMs: 7, state: 'interrupted' });
      const second = await win(claimOf(name, 'a'));
      expect(await store.startTick(startOf(name, second, 7))).toEqual({ type: 'taken', latestMs: 7 });
      const missed = startOf(name, second, null, { missedMs: [7], retry: true });
      expect(await store.startTick(missed)).toEqual({ type: 'taken', latestMs: 7 });
      expect(await store.startTick(startOf(name, second, 7, { retry: true }))).toEqual({ type: 'started' });
      expect(await other.endTick({ name, token: first, tickMs: 7, state: 'completed' })).toBe(false);
      expect(await other.endTick({ name, token: second, tickMs: 7, state: 'failed' })).toBe(true);
      expect((await other.ticks(name)).map(({ tickMs, state }) => [tickMs, state])).toEqual([
        [7, 'failed'],
        [5, 'missed'],
        [3, 'missed'],
      ]);
      expect(await store.startTick(startOf(name, second, 7, { retry: true }))).toEqual({
        type: 'taken',
        latestMs: 7,
      });
    });

    it('are kept up to keepTerms, and the latest always counts', async () => {
      const { name, open, win } = current();
      const frugal = await open({ keepTerms: 3 });
      const token = await win(claimOf(name, 'a'), frugal);
      for (let tickMs = 1; tickMs <= 7; tickMs++) await frugal.startTick(startOf(name, token, tickMs));
      expect((await frugal.ticks(name)).map(({ tickMs }) => tickMs)).toEqual([7, 6, 5]);
      expect(await frugal.startTick(startOf(name, token, 2))).toEqual({ type: 'taken', latestMs: 7 });
      await frugal.close();
    });

    it('that lie ahead of the clock are removed by a reset, and the others stay and still count', async () => {
      const { store, other, name, win, putOffTick } = current();
      expect(await other.resetTicks(name)).toEqual([]);
      const token = await win(claimOf(name, 'a'));
      const nowMs = await store.time();
      const [first, second, third] = [nowMs - 9_000, nowMs - 8_000, nowMs - 7_000];
      for (const tickMs of [first, second, third]) await store.startTick(startOf(name, token, tickMs));
      await store.endTick({ name, token, tickMs: second, state: 'completed' });
      expect(await other.resetTicks(name)).toEqual([]);
      const aheadMs = nowMs + LONG_MS;
      await putOffTick(name, third, aheadMs);
      expect(await store.startTick(startOf(name, token, third))).toEqual({
        type: 'taken',
        latestMs: aheadMs,
      });
      const removed = await other.resetTicks(name);
      const tick = { name, tickMs: aheadMs, state: 'running', token, holder: 'a', endMs: null };
      expect(removed).toMatchObject([tick]);
      expect(JSON.parse(JSON.stringify(removed))).toEqual([{ ...removed[0], token: `${token}` }]);
      expect((await store.ticks(name)).map(({ tickMs, state }) => [tickMs, state])).toEqual([
        [second, 'completed'],
        [first, 'running'],
      ]);
      for (const retry of [false, true]) {
        const again = await store.startTick(startOf(name, token, second, { retry }));
        expect(again).toEqual({ type: 'taken', latestMs: second });
      }
      expect(await store.startTick(startOf(name, token, third))).toEqual({ type: 'started' });
      expect(await other.resetTicks(name)).toEqual([]);
    });

    it('may all be removed by a reset, and one that is half a second ahead is kept', async () => {
      const { store, other, name, win, release, putOffTick } = current();
      const token = await win(claimOf(name, 'a'));
      const nowMs = await store.time();
      await store.startTick(startOf(name, token, nowMs));
      // The other connection may have read the clock in whole seconds, and be a second late.
      await putOffTick(name, nowMs, nowMs + 500);
      expect(await other.resetTicks(name)).toEqual([]);
      await putOffTick(name, nowMs + 500, nowMs + LONG_MS);
      await release(releaseOf(name, 'a', token));
      expect(await other.resetTicks(name)).toMatchObject([{ tickMs: nowMs + LONG_MS, state: 'interrupted' }]);
      expect(await store.ticks(name)).toEqual([]);
      const next = await win(claimOf(name, 'a'));
      expect(await store.startTick(startOf(name, next, nowMs - 1_000))).toEqual({ type: 'started' });
    });

    it("are on the store's wall clock, which moves on", async () => {
      const { store, other, wait } = current();
      const beforeMs = await store.time();
      await wait(30);
      const afterMs = await store.time();
      expect(afterMs - beforeMs).toBeGreaterThanOrEqual(20);
      expect(afterMs - beforeMs).toBeLessThan(LONG_MS);
      // A clock that is read in whole seconds may look a second late through another connection.
      expect(Math.abs((await other.time()) - afterMs)).toBeLessThan(LONG_MS);
    });
  });
}
