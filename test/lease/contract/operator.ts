import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, SHORT_MS, type Suite } from './suite.ts';

export function operatorContract(current: () => Suite): void {
  describe('an operator', () => {
    it('evicts: the holder cannot renew, and the next one still waits for the end of the lease', async ({
      skip,
    }) => {
      const { store, other, name, acquire, win, renew, read, wait, untilFree, needClock } = current();
      const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS * 10 }));
      const { version } = await read();
      expect(await other.evict(name)).toBe(true);
      expect(await other.evict(name)).toBe(true);
      const record = await read();
      expect(record).toMatchObject({ token, holder: { id: 'a', evicted: true } });
      expect(record.version).not.toBe(version);
      expect(await renew('a', token)).toEqual({ type: 'evicted' });
      expect((await acquire(claimOf(name, 'a'))).type).toBe('held');
      expect((await acquire(claimOf(name, 'b'))).type).toBe('held');
      needClock(skip);
      await wait(SHORT_MS * 9);
      await untilFree();
      expect(await renew('a', token)).toEqual({ type: 'lost' });
      expect((await win(claimOf(name, 'b'))) > token).toBe(true);
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'evicted']);
      expect((await read()).holder?.evicted).toBe(false);
    });

    it('evicts, and the holder may release early', async () => {
      const { store, name, win, release } = current();
      const token = await win(claimOf(name, 'a'));
      await store.evict(name);
      expect(await release(releaseOf(name, 'a', token, { reason: 'evicted' }))).toEqual({ type: 'ok' });
      await win(claimOf(name, 'b'));
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'evicted']);
    });

    it('requests a transfer: each renewal tells the holder, and not the next holder', async () => {
      const { other, name, win, renew, release } = current();
      const token = await win(claimOf(name, 'a'));
      expect(await other.requestTransfer(name, 'b')).toBe(true);
      expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'b' });
      expect(await other.requestTransfer(name, 'c')).toBe(true);
      expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'c' });
      await release(releaseOf(name, 'a', token));
      const next = await win(claimOf(name, 'b'));
      expect(await renew('b', next)).toMatchObject({ type: 'ok', transferTo: null });
      expect(await other.requestTransfer(name, 'a')).toBe(true);
      const last = await win(claimOf(name, 'c', { goneNonce: 'b-nonce' }));
      expect(await renew('c', last)).toMatchObject({ type: 'ok', transferTo: null });
    });
  });
}
