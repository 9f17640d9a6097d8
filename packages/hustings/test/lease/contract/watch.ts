import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually, releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, type Suite } from './suite.ts';

export function watchContract(current: () => Suite, isSilent: boolean): void {
  describe('a watch', () => {
    it.runIf(isSilent)('does not count as pushing if no notification comes through', async () => {
      const { store, name, win, release } = current();
      const end = store.watch?.(name, () => undefined);
      for (let round = 0; round < 20; round++) {
        await release(releaseOf(name, 'a', await win(claimOf(name, 'a'))));
        await sleep(50);
      }
      expect(store.isPushing()).toBe(false);
      end?.();
    });

    it.skipIf(isSilent).each(['release', 'evict', 'transfer'] as const)(
      'is notified of changes by another connection: %s',
      async (what) => {
        const { store, other, name, acquire, win, release } = current();
        if (store.watch === undefined) {
          expect(store.isPushing()).toBe(false);
          return expect(store.capabilities.push).toBe(false);
        }
        expect(store.capabilities.push).toBe(true);
        let notifications = 0;
        const end = store.watch(name, () => notifications++);
        // A watch takes a while to stand, and a notification may be lost: so the event is repeated.
        await eventually(async () => {
          const token = await win(claimOf(name, 'a'), other);
          if (what === 'evict') await other.evict(name);
          if (what === 'transfer') {
            await acquire(claimOf(name, 'b', { registerMs: LONG_MS }), other);
            expect(await other.requestTransfer(name, 'b')).toBe('requested');
          }
          await sleep(60);
          if (notifications > 0) return true;
          await release(releaseOf(name, 'a', token), other);
          return what === 'release' && notifications > 0 ? true : undefined;
        }, 'a notification came');
        await eventually(
          async () => store.isPushing() || undefined,
          'the store has seen its test notification',
        );
        end();
        const before = notifications;
        await other.evict(name);
        await sleep(80);
        expect(notifications).toBe(before);
        end();
      },
    );
  });
}
