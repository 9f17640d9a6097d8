import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function operatorContract(current: () => Suite): void {
  describe('an operator', () => {
    it('evicts: the holder cannot renew, and the next one still waits for the end of the lease', async ({
      skip,
    }) => {
      const { store, other, name, acquire, win, renew, release, read, wait, untilFree, needClock } =
        current();
      const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS * 10 }));
      const { version } = await read();
      expect(await other.evict(name)).toBe(true);
      expect(await other.evict(name)).toBe(true);
      const record = await read();
      expect(record).toMatchObject({ token, holder: { id: 'a', evicted: true } });
      expect(record.version).not.toBe(version);
      const cooldownMs = SHORT_MS * 10;
      expect(await renew('a', token)).toEqual({ type: 'evicted', cooldownMs });
      // An earlier term of the same nonce was not evicted.
      expect(await renew('a', token - 1n)).toEqual({ type: 'lost' });
      expect((await acquire(claimOf(name, 'a'))).type).toBe('held');
      expect((await acquire(claimOf(name, 'b'))).type).toBe('held');
      needClock(skip);
      await wait(SHORT_MS * 9);
      await untilFree();
      // Its lease is over, and nobody has taken it: the candidate still learns that it was evicted.
      expect(await renew('a', token)).toEqual({ type: 'evicted', cooldownMs });
      expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'lost' });
      expect((await win(claimOf(name, 'b'))) > token).toBe(true);
      expect(await renew('a', token)).toEqual({ type: 'lost' });
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'evicted']);
      expect((await read()).holder?.evicted).toBe(false);
    });

    it('says how long the evicted candidate stays out: by default for one TTL of its own', async () => {
      const { store, other, name, win, renew } = current();
      const token = await win(claimOf(name, 'a'));
      expect(await other.evict(name, 5_000)).toBe(true);
      expect(await renew('a', token)).toEqual({ type: 'evicted', cooldownMs: 5_000 });
      expect(await store.evict(name)).toBe(true);
      expect(await renew('a', token)).toEqual({ type: 'evicted', cooldownMs: 5_000 });
      expect(await store.evict(name, 0)).toBe(true);
      expect(await renew('a', token)).toEqual({ type: 'evicted', cooldownMs: 0 });
      const next = await win(claimOf(name, 'b', { goneNonce: 'a-nonce' }));
      expect((await renew('b', next)).type).toBe('ok');
      expect(await store.evict(name)).toBe(true);
      expect(await renew('b', next)).toEqual({ type: 'evicted', cooldownMs: LONG_MS });
    });

    it('evicts, and the holder may release early', async () => {
      const { store, name, win, release } = current();
      const token = await win(claimOf(name, 'a'));
      await store.evict(name);
      expect(await release(releaseOf(name, 'a', token, { reason: 'evicted' }))).toEqual({
        type: 'evicted',
        cooldownMs: LONG_MS,
      });
      await win(claimOf(name, 'b'));
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'evicted']);
    });

    it('requests a transfer: each renewal tells the holder, and not the next holder', async () => {
      const { other, name, acquire, win, renew, release } = current();
      const token = await win(claimOf(name, 'a'));
      const wait = (id: string) =>
        acquire(claimOf(name, id, { nonce: `${id}-waits`, registerMs: LONG_MS }), other);
      for (const id of ['a', 'b', 'c']) await wait(id);
      expect(await other.requestTransfer(name, 'b')).toBe('requested');
      expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'b' });
      expect(await other.requestTransfer(name, 'c')).toBe('requested');
      expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'c' });
      await release(releaseOf(name, 'a', token));
      const next = await win(claimOf(name, 'b'));
      expect(await renew('b', next)).toMatchObject({ type: 'ok', transferTo: null });
      expect(await other.requestTransfer(name, 'a')).toBe('requested');
      const last = await win(claimOf(name, 'c', { goneNonce: 'b-nonce' }));
      expect(await renew('c', last)).toMatchObject({ type: 'ok', transferTo: null });
    });
  });
}
