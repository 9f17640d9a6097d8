import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function historyContract(current: () => Suite): void {
  describe('history', () => {
    it('has each term with holder, token, start, end, cause and end of the grant', async () => {
      const { store, other, name, win, renew, release, wait } = current();
      const first = await win(claimOf(name, 'a'));
      await wait(30);
      await release(releaseOf(name, 'a', first, { reason: 'stalled' }), other);
      await wait(30);
      const second = await win(claimOf(name, 'b'));
      const [open, closed, ...rest] = await other.history(name);
      expect(rest).toEqual([]);
      expect(closed).toMatchObject({ name, token: first, holder: 'a', nonce: 'a-nonce', cause: 'stalled' });
      expect(open).toMatchObject({
        name,
        token: second,
        holder: 'b',
        nonce: 'b-nonce',
        cause: null,
        endMs: null,
      });
      expect(closed.endMs! - closed.startMs).toBeGreaterThan(20);
      expect(open.startMs - closed.endMs!).toBeGreaterThan(20);
      expect(closed.claimedUntilMs - closed.startMs).toBeGreaterThan(LONG_MS - 2_000);
      await wait(30);
      await renew('b', second);
      const [renewed] = await store.history(name);
      expect(renewed.startMs).toBe(open.startMs);
      expect(renewed.claimedUntilMs - open.claimedUntilMs).toBeGreaterThan(20);
    });

    it('finds the leader at a given time, or none', async () => {
      const { store, name, win, release, wait } = current();
      for (const id of ['a', 'b']) {
        const token = await win(claimOf(name, id));
        await wait(40);
        await release(releaseOf(name, id, token));
        await wait(40);
      }
      await win(claimOf(name, 'c'));
      const [c, b, a] = await store.history(name);
      const at = async (atMs: number) => (await store.history(name, { atMs })).map(({ holder }) => holder);
      expect(await at(a.startMs - 1)).toEqual([]);
      expect(await at(a.startMs)).toEqual(['a']);
      expect(await at(a.endMs! - 1)).toEqual(['a']);
      expect(await at(a.endMs!)).toEqual([]);
      expect(await at(b.startMs + 1)).toEqual(['b']);
      expect(await at(b.endMs! + 1)).toEqual([]);
      expect(await at(c.startMs + LONG_MS / 2)).toEqual(['c']);
      const limited = async (limit: number) =>
        (await store.history(name, { limit })).map(({ holder }) => holder);
      expect(await limited(2)).toEqual(['c', 'b']);
      expect(await limited(99)).toEqual(['c', 'b', 'a']);
    });

    it('shows an expired lease as ended at its expiry, before and after the next acquire', async ({
      skip,
    }) => {
      const { store, name, win, wait, untilFree, needClock } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS }));
      await untilFree();
      await wait(20);
      const [alone] = await store.history(name);
      expect(alone).toMatchObject({ token, cause: 'expired', endMs: alone.claimedUntilMs });
      expect(alone.endMs! - alone.startMs).toBeGreaterThan(SHORT_MS - 50);
      expect(await store.history(name, { atMs: alone.endMs! + 10 })).toEqual([]);
      await win(claimOf(name, 'b'));
      const [next, before] = await store.history(name);
      expect(before).toMatchObject({ token, cause: 'expired', endMs: before.claimedUntilMs });
      // A store may compute the end again from its two clocks.
      expect(Math.abs(before.endMs! - alone.endMs!)).toBeLessThanOrEqual(2);
      expect(next.startMs).toBeGreaterThanOrEqual(before.endMs!);
    });

    it('keeps the newest terms, up to keepTerms', async () => {
      const { name, open, win, release } = current();
      const frugal = await open({ keepTerms: 3 });
      const kept: bigint[] = [];
      for (let term = 0; term < 7; term++) {
        const token = await win(claimOf(name, `h${term}`), frugal);
        kept.unshift(token);
        await release(releaseOf(name, `h${term}`, token), frugal);
      }
      expect((await frugal.history(name)).map(({ token }) => token)).toEqual(kept.slice(0, 3));
      await frugal.close();
    });

    it('is separate for each election', async () => {
      const { store, name, win } = current();
      await win(claimOf(name, 'a'));
      await win(claimOf(`${name}!`, 'b'));
      expect((await store.history(name)).map(({ holder }) => holder)).toEqual(['a']);
      expect((await store.history(`${name}!`)).map(({ holder }) => holder)).toEqual(['b']);
    });
  });
}
