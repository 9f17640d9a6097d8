import { describe, expect, it } from 'vitest';
import { claimOf, LONG_MS, type Suite } from './suite.ts';

export function acquireContract(current: () => Suite): void {
  describe('an acquire request', () => {
    it('for a free lease is granted, and all connections see the holder', async () => {
      const { store, other, name, win, read } = current();
      const token = await win(claimOf(name, 'a', { priority: 3, processProof: 'proof' }));
      const record = await read(other);
      expect(record).toMatchObject({ name, token, successor: null, durationMs: LONG_MS });
      expect(record.holder).toEqual({
        id: 'a',
        nonce: 'a-nonce',
        ttlMs: LONG_MS,
        priority: 3,
        processProof: 'proof',
        evicted: false,
      });
      if (store.capabilities.expiry === 'clock') expect(record.remainingMs).toBeGreaterThan(LONG_MS / 2);
      else expect(record.remainingMs).toBeNull();
      expect(await store.names()).toContain(name);
    });

    it('for a held lease is refused with the record of its holder, and changes nothing', async () => {
      const { other, name, acquire, win, read } = current();
      const token = await win(claimOf(name, 'a'));
      const before = await read();
      const answer = await acquire(claimOf(name, 'b'), other);
      expect(answer).toMatchObject({ type: 'held', record: { name, token, holder: { id: 'a' } } });
      expect(await read()).toMatchObject({ token, version: before.version, holder: before.holder });
    });

    it('that is repeated with the same nonce extends the lease and keeps its token', async () => {
      const { store, other, name, win, read } = current();
      const token = await win(claimOf(name, 'a', { ttlMs: LONG_MS / 100 }));
      const before = await read();
      expect(await win(claimOf(name, 'a'), other)).toBe(token);
      const after = await read();
      expect(after.version).not.toBe(before.version);
      if (store.capabilities.expiry === 'clock') expect(after.remainingMs).toBeGreaterThan(LONG_MS / 100);
      expect(await store.history(name)).toHaveLength(1);
    });

    it('with the same candidate name and another nonce is another request', async () => {
      const { name, acquire, win } = current();
      await win(claimOf(name, 'a'));
      expect((await acquire(claimOf(name, 'a', { nonce: 'a-again' }))).type).toBe('held');
    });

    it('may ask for ten years', async () => {
      const { store, name, win, renew, read } = current();
      const tenYearsMs = 315_360_000_000;
      const token = await win(claimOf(name, 'a', { ttlMs: tenYearsMs }));
      expect((await read()).holder?.ttlMs).toBe(tenYearsMs);
      if (store.capabilities.expiry === 'clock')
        expect((await read()).remainingMs).toBeGreaterThan(tenYearsMs - LONG_MS);
      expect((await renew('a', token, tenYearsMs)).type).toBe('ok');
    });

    it('with a proof that a holder is gone ends the lease of that holder, and of no other', async () => {
      const { store, name, acquire, win, renew } = current();
      const first = await win(claimOf(name, 'a'));
      expect((await acquire(claimOf(name, 'b', { goneNonce: 'x-nonce' }))).type).toBe('held');
      const second = await win(claimOf(name, 'b', { goneNonce: 'a-nonce' }));
      expect(second > first).toBe(true);
      expect((await acquire(claimOf(name, 'c', { goneNonce: 'a-nonce' }))).type).toBe('held');
      expect(await renew('a', first)).toEqual({ type: 'lost' });
      expect((await renew('b', second)).type).toBe('ok');
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'gone']);
    });

    it('with a stale version is granted only if the store cannot judge the lease by a clock', async () => {
      const { store, name, acquire, win, read } = current();
      await win(claimOf(name, 'a'));
      const { version } = await read();
      const late = await acquire(claimOf(name, 'b', { staleVersion: version + 1_000_000n }));
      expect(late.type).toBe('held');
      const answer = await acquire(claimOf(name, 'b', { staleVersion: version }));
      expect(answer.type).toBe(store.capabilities.expiry === 'clock' ? 'held' : 'ok');
    });
  });
}
