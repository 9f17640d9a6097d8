import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, type Suite } from './suite.ts';

const BACK_MS = 10 * LONG_MS;

export function observedContract(current: () => Suite): void {
  describe("after the store's clock was set back, a lease", () => {
    it('has an unknown rest, and is granted only for the exact version that a challenger observed', async () => {
      const { store, other, name, acquire, win, read, setBack } = current();
      const token = await win(claimOf(name, 'a'));
      await setBack(name, BACK_MS);
      const record = await read();
      expect(record).toMatchObject({ token, holder: { id: 'a' }, remainingMs: null, durationMs: LONG_MS });
      const { version } = record;
      for (const staleVersion of [null, version - 1n, version + 1n, 0n]) {
        const answer = await acquire(claimOf(name, 'b', { staleVersion }), other);
        expect(answer).toMatchObject({
          type: 'held',
          record: { version, remainingMs: null, durationMs: LONG_MS },
        });
      }
      const answers = await Promise.all(
        ['b', 'c'].map((id) => acquire(claimOf(name, id, { staleVersion: version }), other)),
      );
      expect(answers.map(({ type }) => type).sort()).toEqual(['held', 'ok']);
      expect((await read()).token > token).toBe(true);
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'expired']);
    });

    it('is renewed by its holder, and then judged by the clock again', async () => {
      const { store, name, acquire, win, renew, read, setBack } = current();
      const token = await win(claimOf(name, 'a'));
      await setBack(name, BACK_MS);
      const before = await read();
      expect((await renew('a', token)).type).toBe('ok');
      expect((await acquire(claimOf(name, 'b', { staleVersion: before.version }))).type).toBe('held');
      const [term] = await store.history(name);
      expect(term.claimedUntilMs).toBeGreaterThanOrEqual(term.startMs);
      const after = await read();
      expect(after).toMatchObject({ token, holder: { id: 'a' } });
      if (store.capabilities.expiry !== 'clock') return;
      expect(after.remainingMs).toBeGreaterThan(LONG_MS / 2);
      expect((await acquire(claimOf(name, 'b', { staleVersion: after.version }))).type).toBe('held');
    });

    it('has no challenger from before, and notes one that asks again', async () => {
      const { name, acquire, win, renew, setBack } = current();
      const token = await win(claimOf(name, 'a'));
      await acquire(claimOf(name, 'b', { priority: 1 }));
      await setBack(name, BACK_MS);
      expect(await renew('a', token)).toMatchObject({ type: 'ok', challenger: null });
      await acquire(claimOf(name, 'c', { priority: 1 }));
      expect(await renew('a', token)).toMatchObject({ type: 'ok', challenger: { id: 'c', priority: 1 } });
    });

    it('that is evicted is observed in the same way', async () => {
      const { store, name, acquire, win, renew, read, setBack } = current();
      const token = await win(claimOf(name, 'a'));
      await setBack(name, BACK_MS);
      expect(await store.evict(name)).toBe(true);
      expect(await renew('a', token)).toMatchObject({ type: 'evicted' });
      const { version, remainingMs } = await read();
      expect(remainingMs).toBeNull();
      expect((await acquire(claimOf(name, 'b'))).type).toBe('held');
      expect((await win(claimOf(name, 'b', { staleVersion: version }))) > token).toBe(true);
    });

    it('that is reserved, or held at least for a time, is observed in the same way', async () => {
      const { name, acquire, win, release, read, setBack } = current();
      const token = await win(claimOf(name, 'a', { holdAtLeastMs: 2 * LONG_MS }));
      await release(releaseOf(name, 'a', token, { successor: 'b', reserveMs: LONG_MS }));
      await setBack(name, BACK_MS);
      const record = await read();
      expect(record).toMatchObject({
        holder: null,
        successor: 'b',
        remainingMs: null,
        durationMs: 2 * LONG_MS,
      });
      const { version } = record;
      for (const id of ['b', 'c']) expect((await acquire(claimOf(name, id))).type).toBe('held');
      expect((await win(claimOf(name, 'c', { staleVersion: version }))) > token).toBe(true);
    });

    it('that was released is free at once', async () => {
      const { store, name, win, release, read, setBack } = current();
      const token = await win(claimOf(name, 'a'));
      await release(releaseOf(name, 'a', token));
      await setBack(name, BACK_MS);
      expect(await read()).toMatchObject({
        holder: null,
        durationMs: 0,
        remainingMs: store.capabilities.expiry === 'clock' ? 0 : null,
      });
      expect((await win(claimOf(name, 'b'))) > token).toBe(true);
    });
  });
}
