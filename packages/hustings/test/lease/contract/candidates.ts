import { describe, expect, it } from 'vitest';
import { eventually } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

const registerMs = LONG_MS;

export function candidatesContract(current: () => Suite): void {
  describe('waiting candidates', () => {
    it('are registered by the request that is refused, and listed by their id', async () => {
      const { store, other, name, acquire, win, wait } = current();
      expect(await store.candidates(name)).toEqual([]);
      await win(claimOf(name, 'a', { registerMs }));
      expect(await store.candidates(name)).toEqual([]);
      await acquire(claimOf(name, 'c', { registerMs, priority: 2 }));
      await acquire(claimOf(name, 'b', { registerMs }), other);
      await acquire(claimOf(name, 'b', { registerMs, nonce: 'b-other' }), other);
      await acquire(claimOf(name, 'd'));
      await acquire(claimOf(`${name}!`, 'e', { registerMs }));
      await wait(20);
      const listed = await other.candidates(name);
      expect(listed.map(({ id }) => id)).toEqual(['b', 'b', 'c']);
      expect(listed.map(({ nonce }) => nonce).sort()).toEqual(['b-nonce', 'b-other', 'c-nonce']);
      expect(listed[2]).toMatchObject({ id: 'c', nonce: 'c-nonce', priority: 2 });
      for (const { seenMs } of listed) {
        expect(seenMs).toBeGreaterThanOrEqual(10);
        expect(seenMs).toBeLessThan(LONG_MS);
      }
    });

    it('are listed once, however often they ask, and no longer when they lead', async () => {
      const { store, name, acquire, win } = current();
      await win(claimOf(name, 'a'));
      for (let request = 0; request < 3; request++) await acquire(claimOf(name, 'b', { registerMs }));
      await acquire(claimOf(name, 'c', { registerMs }));
      expect((await store.candidates(name)).map(({ id }) => id)).toEqual(['b', 'c']);
      await win(claimOf(name, 'b', { registerMs, goneNonce: 'a-nonce' }));
      expect((await store.candidates(name)).map(({ id }) => id)).toEqual(['c']);
    });

    it('are listed no longer when they withdraw; a lease and other elections are not affected', async () => {
      const { store, other, name, acquire, win, read } = current();
      const token = await win(claimOf(name, 'a'));
      for (const id of ['b', 'c', 'd']) await acquire(claimOf(name, id, { registerMs }));
      await win(claimOf(`${name}!`, 'a'));
      await acquire(claimOf(`${name}!`, 'b', { registerMs }));
      await other.withdraw([
        { name, nonce: 'b-nonce' },
        { name, nonce: 'd-nonce' },
        { name, nonce: 'a-nonce' },
        { name: `${name}?`, nonce: 'nobody' },
      ]);
      await other.withdraw([{ name, nonce: 'b-nonce' }]);
      expect((await store.candidates(name)).map(({ id }) => id)).toEqual(['c']);
      expect((await store.candidates(`${name}!`)).map(({ id }) => id)).toEqual(['b']);
      expect(await read()).toMatchObject({ token, holder: { id: 'a' } });
      expect(await store.requestTransfer(name, 'b')).toBe('unknown-candidate');
    });

    it('are forgotten when their registration ends, and stay while they ask', async () => {
      const { store, name, acquire, win, wait } = current();
      await win(claimOf(name, 'a'));
      await acquire(claimOf(name, 'b', { registerMs: SHORT_MS }));
      await acquire(claimOf(name, 'c', { registerMs }));
      await wait(SHORT_MS);
      await eventually(
        async () => ((await store.candidates(name)).length === 1 ? true : undefined),
        'the registration has ended',
      );
      expect(await store.requestTransfer(name, 'b')).toBe('unknown-candidate');
      await acquire(claimOf(name, 'b', { registerMs }));
      expect((await store.candidates(name)).map(({ id }) => id)).toEqual(['b', 'c']);
      expect(await store.requestTransfer(name, 'b')).toBe('requested');
    });

    it('are the only ones to which a held lease can be transferred', async () => {
      const { store, other, name, acquire, win, renew } = current();
      expect(await store.requestTransfer(name, 'b')).toBe('not-held');
      const token = await win(claimOf(name, 'a'));
      expect(await store.requestTransfer(name, 'b')).toBe('unknown-candidate');
      expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: null });
      await acquire(claimOf(name, 'b', { registerMs }), other);
      expect(await store.requestTransfer(name, 'b')).toBe('requested');
      expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'b' });
    });
  });
}
