import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

export function pruneContract(current: () => Suite): void {
  describe('prune', () => {
    it('deletes elections that were idle for the time, and returns their names', async () => {
      const { store, other, name, win, release, wait } = current();
      const token = await win(claimOf(name, 'a'));
      await store.startTick({ name, nonce: 'a-nonce', token, tickMs: 1, missedMs: [], retry: false });
      await release(releaseOf(name, 'a', token));
      await wait(SHORT_MS);
      expect(await store.prune(LONG_MS)).not.toContain(name);
      expect(await store.prune(SHORT_MS / 2, { dryRun: true })).toContain(name);
      expect(await store.prune(LONG_MS, { dryRun: true })).not.toContain(name);
      expect((await other.history(name)).length).toBe(1);
      expect(await store.prune(SHORT_MS / 2)).toContain(name);
      expect(await other.names()).not.toContain(name);
      expect(await other.history(name)).toEqual([]);
      expect(await other.ticks(name)).toEqual([]);
      expect(await store.prune(SHORT_MS / 2)).not.toContain(name);
    });

    it('leaves elections alone that are held, reserved, held at least for a time, used lately, or have a checkpoint', async () => {
      const { store, name, win, release, wait } = current();
      const of = (what: string): string => `${name} ${what}`;
      await win(claimOf(of('held'), 'a'));
      const reserved = await win(claimOf(of('reserved'), 'a'));
      await release(releaseOf(of('reserved'), 'a', reserved, { successor: 'b', reserveMs: LONG_MS }));
      const kept = await win(claimOf(of('kept'), 'a', { holdAtLeastMs: LONG_MS }));
      await release(releaseOf(of('kept'), 'a', kept));
      const left = await win(claimOf(of('left'), 'a'));
      await release(releaseOf(of('left'), 'a', left, { checkpoint: 'for the next' }));
      await wait(SHORT_MS);
      const lately = await win(claimOf(of('lately'), 'a'));
      await release(releaseOf(of('lately'), 'a', lately));
      const pruned = await store.prune(SHORT_MS);
      expect(pruned.filter((each) => each.startsWith(`${name} `) && each !== of('lately'))).toEqual([]);
      const names = await store.names();
      for (const what of ['held', 'reserved', 'kept', 'left']) expect(names).toContain(of(what));
      expect(await store.prune(LONG_MS)).not.toContain(of('lately'));
    });

    it('preserves tokens: an election that is used again has larger ones', async () => {
      const { store, other, name, win, release, read, setToken, wait } = current();
      const before = (await win(claimOf(name, 'a'))) + 10_000_000_000_000n;
      await release(releaseOf(name, 'a', before - 10_000_000_000_000n));
      await setToken(name, before);
      await wait(30);
      expect(await store.prune(10)).toContain(name);
      const token = await win(claimOf(name, 'a'), other);
      expect(token > before, `${token} after ${before}`).toBe(true);
      expect((await win(claimOf(`${name}!`, 'a'), other)) > before).toBe(true);
      expect((await read()).token).toBe(token);
    });
  });
}
