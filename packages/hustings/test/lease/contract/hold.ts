import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

const holdAtLeastMs = LONG_MS;

export function holdContract(current: () => Suite): void {
  describe('a lease that is held at least for a time', () => {
    it('is granted to nobody before then, after its release', async () => {
      const { store, other, name, acquire, win, release, read } = current();
      const token = await win(claimOf(name, 'a', { holdAtLeastMs }));
      expect(await read()).toMatchObject({ holder: { id: 'a' }, durationMs: LONG_MS });
      await release(
        releaseOf(name, 'a', token, { reason: 'transferred', successor: 'b', reserveMs: LONG_MS }),
      );
      for (const id of ['a', 'b', 'c']) {
        const answer = await acquire(claimOf(name, id, { nonce: `${id}-next`, goneNonce: 'a-nonce' }), other);
        expect(answer).toMatchObject({ type: 'held', record: { holder: null, token } });
      }
      // The nonce of the term that was released is no exception.
      expect((await acquire(claimOf(name, 'a', { holdAtLeastMs }))).type).toBe('held');
      const record = await read();
      expect(record).toMatchObject({ holder: null, durationMs: LONG_MS });
      if (store.capabilities.expiry === 'clock') expect(record.remainingMs).toBeGreaterThan(LONG_MS / 2);
      else expect(record.remainingMs).toBeNull();
    });

    it('is granted to nobody before then, whoever is provably gone', async () => {
      const { name, acquire, win, read } = current();
      await win(claimOf(name, 'a', { holdAtLeastMs }));
      expect((await acquire(claimOf(name, 'b', { goneNonce: 'a-nonce' }))).type).toBe('held');
      expect((await read()).holder?.id).toBe('a');
    });

    it('is renewed and acquired again by its own nonce', async () => {
      const { name, win, renew } = current();
      const token = await win(claimOf(name, 'a', { holdAtLeastMs }));
      expect((await renew('a', token)).type).toBe('ok');
      expect(await win(claimOf(name, 'a', { holdAtLeastMs }))).toBe(token);
    });

    it('is not granted when its TTL has expired', async ({ skip }) => {
      const { name, acquire, win, renew, read, wait, needClock } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS, holdAtLeastMs: LONG_MS }));
      await wait(SHORT_MS + 50);
      expect(await renew('a', token)).toEqual({ type: 'lost' });
      const answer = await acquire(claimOf(name, 'b'));
      expect(answer).toMatchObject({
        type: 'held',
        record: { holder: null, successor: null, durationMs: LONG_MS },
      });
      expect((await read()).remainingMs).toBeGreaterThan(LONG_MS / 2);
    });

    it('is free when the time is over', async ({ skip }) => {
      const { name, win, release, untilFree, needClock } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a', { holdAtLeastMs: SHORT_MS }));
      await release(releaseOf(name, 'a', token));
      await untilFree();
      expect((await win(claimOf(name, 'b'))) > token).toBe(true);
    });

    it('counts from the grant, and ends with the term of another', async ({ skip }) => {
      const { name, win, release, untilFree, needClock, read } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS, holdAtLeastMs: SHORT_MS }));
      await untilFree();
      const next = await win(claimOf(name, 'b'));
      expect(next > token).toBe(true);
      await release(releaseOf(name, 'b', next));
      expect(await read()).toMatchObject({ holder: null, remainingMs: 0, durationMs: 0 });
    });
  });
}
