import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../../src/lease/core/store-error.ts';
import { sequence } from './call-sequence.ts';
import { releaseOf } from './single-call.ts';
import { StoreModel } from './store-model.ts';
import { claimOf, fresh, LONG_MS, type Suite } from './suite.ts';

export function wholeStoreContract(current: () => Suite): void {
  describe('a store', () => {
    it('agrees with the rules of lease-row.ts on every call of random sequences', async () => {
      const { store, other, setBack, runs } = current();
      await fc.assert(
        fc.asyncProperty(sequence, async (calls) => {
          const model = new StoreModel([store, other], setBack);
          const prefix = fresh();
          const named = <T extends { name: string }>(items: readonly T[]): T[] =>
            items.map((item) => ({ ...item, name: `${prefix} ${item.name}` }));
          for (const call of calls) {
            if (call.verb === 'acquire') await model.acquire(named(call.items));
            else if (call.verb === 'renew') await model.renew(named(call.items));
            else if (call.verb === 'release') await model.release(named(call.items));
            else if (call.verb === 'evict') await model.evict(`${prefix} ${call.name}`, call.cooldownMs);
            else if (call.verb === 'set back') await model.setBack(`${prefix} ${call.name}`);
            else if (call.verb === 'transfer') await model.requestTransfer(`${prefix} ${call.name}`, call.to);
            await model.read(['x', 'y'].map((each) => `${prefix} ${each}`));
          }
          for (const each of ['x', 'y']) {
            await model.history(`${prefix} ${each}`);
            await model.candidates(`${prefix} ${each}`);
          }
        }),
        { numRuns: runs },
      );
    });

    it('can be initialized twice, and describes itself', async () => {
      const { store } = current();
      await store.init();
      await store.init();
      expect(store.initStatements().every((statement) => typeof statement === 'string')).toBe(true);
      const probe = await store.probe();
      expect(probe.problems).toEqual([]);
      expect(probe.server).not.toBe('');
      expect(probe.roundTripMs).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(probe.clockOffsetMs)).toBe(true);
      expect(store.label).not.toBe('');
      expect(store.capabilities.push).toBe(store.watch !== undefined);
    });

    it('that is closed rejects every call with a StoreError, and may be closed again', async () => {
      const { name, open, read } = current();
      const closed = await open();
      await closed.acquire([claimOf(name, 'a')]);
      await closed.close();
      await closed.close();
      const calls: (() => Promise<unknown>)[] = [
        () => closed.acquire([claimOf(name, 'a')]),
        () => closed.renew([{ name, nonce: 'a-nonce', token: 1n, ttlMs: LONG_MS }]),
        () => closed.release([releaseOf(name, 'a', 1n)]),
        () => closed.read([name]),
        () => closed.evict(name),
        () => closed.requestTransfer(name, 'b'),
        () => closed.candidates(name),
        () => closed.time(),
        () => closed.startTick({ name, nonce: '', token: 1n, tickMs: 1, missedMs: [], retry: false }),
        () => closed.endTick({ name, token: 1n, tickMs: 1, state: 'completed' }),
        () => closed.resetTicks(name),
        () => closed.ticks(name),
        () => closed.prune(LONG_MS),
        () => closed.history(name),
        () => closed.names(),
        () => closed.init(),
        () => closed.probe(),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(StoreError);
      expect((await read()).holder?.id).toBe('a');
    });
  });
}
