import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, type Suite } from './suite.ts';

export function layoutContract(current: () => Suite): void {
  it('tables of an earlier version get the columns of this one, and keep what they have', async ({
    skip,
  }) => {
    const { name, open, win, release, layout } = current();
    const lower = layout?.lower;
    if (lower === undefined) return skip('this store needs no columns');
    const token = await win(claimOf(name, 'a'));
    await lower();
    // Processes that start at the same time.
    const stores = await Promise.all([open(), open(), open()]);
    const records = await Promise.all(stores.map(async (store) => (await store.read([name]))[0]));
    for (const record of records) {
      expect(record).toMatchObject({ token, holder: { id: 'a' }, metadata: null, checkpoint: null });
    }
    await release(releaseOf(name, 'a', token, { checkpoint: 'at 7' }), stores[0]);
    await win(claimOf(name, 'b', { metadata: { address: 'b' } }), stores[1]);
    const [record] = await stores[2].read([name]);
    expect(record).toMatchObject({ checkpoint: 'at 7', metadata: { address: 'b' } });
    expect(await layout!.version!()).toEqual([4, 3]);
    for (const store of stores) await store.close();
  });

  describe('a layout of a later version', () => {
    it('that says so is used by this version, which keeps what it does not know', async ({ skip }) => {
      const { name, open, acquire, win, renew, release, layout } = current();
      if (layout === undefined) return skip('this store has no layout');
      await layout.raise(3);
      try {
        const store = await open();
        const token = await win(claimOf(name, 'a'), store);
        await layout.setExtra(name, 'from the future');
        expect((await renew('a', token, LONG_MS, store)).type).toBe('ok');
        await acquire(claimOf(name, 'b', { priority: 1, registerMs: LONG_MS }), store);
        expect(await store.requestTransfer(name, 'b')).toBe('requested');
        expect(await store.evict(name)).toBe(true);
        await store.startTick({ name, nonce: 'a-nonce', token, tickMs: 1, missedMs: [], retry: false });
        expect((await release(releaseOf(name, 'a', token), store)).type).toBe('evicted');
        await win(claimOf(name, 'b'), store);
        await store.init();
        expect(await layout.extra(name)).toBe('from the future');
        expect((await store.read([name]))[0].holder?.id).toBe('b');
        await store.close();
      } finally {
        await layout.restore();
      }
    });

    it('that only later versions understand is refused', async ({ skip }) => {
      const { name, open, read, layout } = current();
      if (layout === undefined) return skip('this store has no layout');
      await layout.raise(5);
      try {
        const use = async (): Promise<void> => {
          const store = await open();
          await store.acquire([claimOf(name, 'a')]);
        };
        const error = await use().then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(StoreError);
        expect((error as StoreError).kind).toBe('unprepared');
        expect((error as StoreError).message).toMatch(/layout/);
      } finally {
        await layout.restore();
      }
      expect((await read()).holder).toBeNull();
    });
  });
}
