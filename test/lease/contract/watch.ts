import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually, releaseOf } from './single-call.ts';
import { claimOf, type Suite } from './suite.ts';

export function watchContract(current: () => Suite): void {
  describe('a watch', () => {
    it.each(['release', 'evict', 'transfer'] as const)(
      'is notified of changes by another connection: %s',
      async (what) => {
        const { store, other, name, win, release } = current();
        if (store.watch === undefined) return expect(store.capabilities.push).toBe(false);
        expect(store.capabilities.push).toBe(true);
        let notifications = 0;
        const end = store.watch(name, () => notifications++);
        // A watch takes a while to stand, and a notification may be lost: so the event is repeated.
        await eventually(async () => {
          const token = await win(claimOf(name, 'a'), other);
          if (what === 'evict') await other.evict(name);
          if (what === 'transfer') await other.requestTransfer(name, 'b');
          await sleep(60);
          if (notifications > 0) return true;
          await release(releaseOf(name, 'a', token), other);
          return what === 'release' && notifications > 0 ? true : undefined;
        }, 'a notification came');
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
