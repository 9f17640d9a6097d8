import { describe, expect, it } from 'vitest';
import { eventually, releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function renewContract(current: () => Suite): void {
  describe('a renewal', () => {
    it('extends the lease only for its nonce and token', async () => {
      const { store, name, win, renew, read } = current();
      const token = await win(claimOf(name, 'a', { ttlMs: LONG_MS / 100 }));
      const before = await read();
      expect(await renew('b', token)).toEqual({ type: 'lost' });
      expect(await renew('a', token + 1n)).toEqual({ type: 'lost' });
      expect(await renew('a', token - 1n)).toEqual({ type: 'lost' });
      expect(await renew('a', 2n ** 70n)).toEqual({ type: 'lost' });
      expect(await renew('a', -1n)).toEqual({ type: 'lost' });
      expect((await read()).version).toBe(before.version);
      expect(await renew('a', token)).toEqual({ type: 'ok', challenger: null, transferTo: null });
      const after = await read();
      expect(after.version).not.toBe(before.version);
      expect(after.token).toBe(token);
      if (store.capabilities.expiry === 'clock') expect(after.remainingMs).toBeGreaterThan(LONG_MS / 2);
    });

    it('finds what others did since the last one, however many came before it', async () => {
      const { other, name, acquire, win, renew, release } = current();
      const ok = { type: 'ok', challenger: null, transferTo: null };
      const renewOften = async (id: string, token: bigint): Promise<void> => {
        for (let count = 0; count < 4; count++) expect(await renew(id, token)).toEqual(ok);
      };
      const first = await win(claimOf(name, 'a'));
      await renewOften('a', first);
      await acquire(claimOf(name, 'b', { registerMs: LONG_MS }), other);
      expect(await other.requestTransfer(name, 'b')).toBe('requested');
      expect(await renew('a', first)).toEqual({ ...ok, transferTo: 'b' });
      await release(releaseOf(name, 'a', first, { successor: 'b', reserveMs: LONG_MS }), other);
      const second = await win(claimOf(name, 'b'), other);
      expect(await renew('a', first)).toEqual({ type: 'lost' });
      await renewOften('b', second);
      await acquire(claimOf(name, 'c', { priority: 1 }), other);
      expect(await renew('b', second)).toMatchObject({ type: 'ok', challenger: { id: 'c' } });
      expect(await release(releaseOf(name, 'b', second), other)).toEqual({ type: 'ok' });
      expect(await renew('b', second)).toEqual({ type: 'lost' });
      const third = await win(claimOf(name, 'c'));
      await renewOften('c', third);
      expect(await other.evict(name, 5_000)).toBe(true);
      expect(await renew('c', third)).toEqual({ type: 'evicted', cooldownMs: 5_000 });
    });

    it('of an expired lease is lost, even if nobody acquired it, and changes nothing', async ({ skip }) => {
      const { store, name, win, renew, release, read, untilFree, needClock } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS }));
      await untilFree();
      const before = await read();
      expect(before).toMatchObject({ token, holder: null, remainingMs: 0 });
      expect(await renew('a', token)).toEqual({ type: 'lost' });
      expect(await read()).toEqual(before);
      expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'lost' });
      expect(await store.evict(name)).toBe(false);
      expect(await store.requestTransfer(name, 'b')).toBe('not-held');
      expect(await read()).toEqual(before);
    });

    it('names the waiting candidate of the highest priority, as long as that candidate asks', async ({
      skip,
    }) => {
      const { store, other, name, acquire, win, renew, wait } = current();
      const token = await win(claimOf(name, 'a', { priority: 5 }));
      const ask = (id: string, priority: number, ttlMs = LONG_MS) =>
        acquire(claimOf(name, id, { priority, ttlMs }), other);
      expect((await ask('b', 5)).type).toBe('held');
      expect(await renew('a', token)).toMatchObject({ challenger: null });
      await ask('c', 6);
      await ask('d', 7);
      await ask('c', 6);
      await ask('e', 7);
      const answer = await renew('a', token);
      expect(answer).toMatchObject({ type: 'ok', challenger: { id: 'd', priority: 7 } });
      await wait(20);
      await ask('d', 7);
      const again = await renew('a', token);
      if (answer.type !== 'ok' || again.type !== 'ok') throw new Error('lost');
      expect(again.challenger!.waitedMs).toBeGreaterThan(answer.challenger!.waitedMs);
      skip(store.capabilities.expiry !== 'clock', 'this store cannot judge how long a challenger was silent');
      await ask('d', 7, SHORT_MS);
      await wait(SHORT_MS);
      await eventually(async () => {
        const later = await renew('a', token);
        return later.type === 'ok' && later.challenger === null ? true : undefined;
      }, 'the challenger is forgotten');
    });

    it('does not name the holder itself, which waited before', async () => {
      const { name, acquire, win, renew, release } = current();
      const token = await win(claimOf(name, 'a'));
      await acquire(claimOf(name, 'b', { priority: 1 }));
      await release(releaseOf(name, 'a', token));
      const next = await win(claimOf(name, 'b', { priority: 1 }));
      expect(await renew('b', next)).toEqual({ type: 'ok', challenger: null, transferTo: null });
    });
  });
}
