import { describe, expect, it } from 'vitest';
import type { AcquireRequest } from '../../../src/lease/core/calls.ts';
import { eventually, releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function fairOrderContract(current: () => Suite): void {
  const fair = (id: string, more: Partial<AcquireRequest> = {}): AcquireRequest =>
    claimOf(current().name, id, { fair: true, registerMs: LONG_MS, ...more });
  const ask = async (id: string, more: Partial<AcquireRequest> = {}) => {
    const { acquire, store, other } = current();
    const answer = await acquire(fair(id, more), id < 'c' ? store : other);
    return answer.type === 'ok' ? 'ok' : (answer.ahead ?? 'held');
  };

  describe('fair order', () => {
    it('gives 20 terms to 5 candidates in the order in which they were registered', async () => {
      const { name, release, read } = current();
      const ids = ['d', 'a', 'e', 'b', 'c'];
      for (const id of ids) expect(await ask(id)).toBe(id === 'd' ? 'ok' : 'held');
      for (let term = 0; term < 20; term++) {
        const holder = ids[term % 5];
        const next = ids[(term + 1) % 5];
        await release(releaseOf(name, holder, (await read()).token));
        // The one that has led asks first, and is now the last. A second request keeps the place.
        for (const id of [holder, ...ids.filter((each) => each !== next)]) expect(await ask(id)).toBe(next);
        expect(await ask(next)).toBe('ok');
        expect((await read()).holder?.id).toBe(next);
      }
    });

    it('holds after the lease of a dead leader has expired', async ({ skip }) => {
      const { name, win, release, untilFree, needClock } = current();
      needClock(skip);
      // They wait before the short lease begins: a busy machine might not ask in time.
      const token = await win(fair('e'));
      for (const id of ['c', 'b']) expect(await ask(id)).toBe('held');
      await release(releaseOf(name, 'e', token, { successor: 'a', reserveMs: LONG_MS }));
      await win(fair('a', { ttlMs: SHORT_MS }));
      await untilFree();
      expect(await ask('d')).toBe('c');
      expect(await ask('b')).toBe('c');
      expect(await ask('c')).toBe('ok');
    });

    it('a candidate loses its place when it withdraws, or when its registration has ended', async () => {
      const { store, name, win, release, wait } = current();
      const first = await win(fair('a'));
      for (const id of ['b', 'c', 'd']) await ask(id, id === 'b' ? { registerMs: SHORT_MS } : {});
      await release(releaseOf(name, 'a', first));
      await store.withdraw([{ name, nonce: 'c-nonce' }]);
      await wait(SHORT_MS);
      const turn = await eventually(async () => {
        const answer = await ask('d');
        return answer === 'b' ? undefined : answer;
      }, 'the registration of b has ended');
      expect(turn).toBe('ok');
      expect(await ask('b')).toBe('held');
      expect(await ask('c')).toBe('held');
    });

    it('comes after priority', async () => {
      const { name, win, release } = current();
      const token = await win(fair('a', { priority: 5 }));
      await ask('b');
      await ask('c', { priority: 1 });
      await ask('d', { priority: 1 });
      await release(releaseOf(name, 'a', token));
      expect(await ask('b')).toBe('c');
      expect(await ask('d', { priority: 1 })).toBe('c');
      expect(await ask('e', { priority: 2 })).toBe('ok');
      expect(await ask('c', { priority: 1 })).toBe('held');
    });

    it('comes after a transfer, and before candidates that have not waited', async () => {
      const { name, win, release, store } = current();
      const token = await win(fair('a'));
      for (const id of ['b', 'c']) await ask(id);
      expect(await store.requestTransfer(name, 'c')).toBe('requested');
      const successor = { successor: 'c', reserveMs: LONG_MS, reason: 'transferred' } as const;
      await release(releaseOf(name, 'a', token, successor));
      expect(await ask('b')).toBe('held');
      expect(await ask('c')).toBe('ok');
    });

    it('does not apply to a request that does not ask for it', async () => {
      const { name, win, release } = current();
      const token = await win(fair('a'));
      await ask('b');
      await release(releaseOf(name, 'a', token));
      expect(await ask('c')).toBe('b');
      expect(await ask('d', { fair: false })).toBe('ok');
    });

    it('a proof of death helps only the one whose turn it is', async () => {
      const { win } = current();
      await win(fair('a'));
      await ask('b');
      await ask('c');
      expect(await ask('c', { goneNonce: 'a-nonce' })).toBe('b');
      expect(await ask('b', { goneNonce: 'a-nonce' })).toBe('ok');
    });
  });
}
