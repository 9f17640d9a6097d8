import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function releaseContract(current: () => Suite): void {
  describe('a release', () => {
    it('by the holder frees the lease at once, and its token stays in the record', async () => {
      const { other, name, win, renew, release, read } = current();
      const token = await win(claimOf(name, 'a'));
      expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'ok' });
      expect(await read(other)).toMatchObject({ token, holder: null, successor: null });
      expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'lost' });
      expect(await renew('a', token)).toEqual({ type: 'lost' });
      expect((await win(claimOf(name, 'b'), other)) > token).toBe(true);
    });

    it('by another candidate changes nothing', async () => {
      const { store, name, win, release, read } = current();
      const token = await win(claimOf(name, 'a'));
      const before = await read();
      expect(await release(releaseOf(name, 'b', token))).toEqual({ type: 'lost' });
      expect(await release(releaseOf(name, 'a', token + 1n))).toEqual({ type: 'lost' });
      expect(await read()).toMatchObject({ token, holder: before.holder, version: before.version });
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null]);
    });

    it('with a successor reserves the lease for that candidate', async () => {
      const { store, other, name, acquire, win, release, read } = current();
      const token = await win(claimOf(name, 'a'));
      await release(
        releaseOf(name, 'a', token, { reason: 'transferred', successor: 'b', reserveMs: LONG_MS }),
      );
      expect(await read()).toMatchObject({ token, holder: null, successor: 'b', durationMs: LONG_MS });
      const answer = await acquire(claimOf(name, 'c'));
      expect(answer).toMatchObject({ type: 'held', record: { holder: null, successor: 'b' } });
      expect((await acquire(claimOf(name, 'a'))).type).toBe('held');
      expect((await win(claimOf(name, 'b'), other)) > token).toBe(true);
      expect(await read()).toMatchObject({ holder: { id: 'b' }, successor: null });
      expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'transferred']);
    });

    it('with a successor that does not ask frees the lease when the reservation ends', async ({ skip }) => {
      const { name, win, release, read, untilFree, needClock } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a'));
      await release(releaseOf(name, 'a', token, { successor: 'b', reserveMs: SHORT_MS }));
      await untilFree();
      expect(await read()).toMatchObject({ holder: null, successor: null });
      expect((await win(claimOf(name, 'c'))) > token).toBe(true);
    });
  });
}
