import { describe, expect, it } from 'vitest';
import { MemoryLeaseStore, sharedData } from '../../../../src/lease/stores/memory/memory-lease-store.ts';
import { setBack } from '../../contract/set-back.ts';
import { claimOf } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';

function memoryUnderTest(hasClock: boolean) {
  const name = `contract ${hasClock}`;
  const { elections } = sharedData(name);
  let monoMs = 1_000;
  const clock = { now: () => ({ monoMs, wallMs: 1_700_000_000_000 + monoMs }) };
  return {
    open: async (options = {}) => new MemoryLeaseStore({ ...options, clock, hasClock, name }),
    advance: (ms: number) => {
      monoMs += ms;
    },
    setToken: async (election: string, token: bigint) => {
      const stored = elections.get(election)!;
      stored.row = { ...stored.row, token };
    },
    setBack: async (election: string, ms: number) => {
      const stored = elections.get(election);
      if (stored === undefined) return;
      stored.row = setBack(stored.row, ms);
      const last = stored.terms.at(-1);
      if (last?.endMs !== null) return;
      const { startMs, claimedUntilMs } = last;
      stored.terms.splice(-1, 1, { ...last, startMs: startMs + ms, claimedUntilMs: claimedUntilMs + ms });
    },
    putOffTick: async (election: string, fromMs: number, toMs: number) => {
      const stored = elections.get(election)!;
      stored.ticks = stored.ticks.map((tick) => (tick.tickMs === fromMs ? { ...tick, tickMs: toMs } : tick));
    },
    runs: 200,
  };
}

storeContract('memory', memoryUnderTest(true));
storeContract('memory without a clock', memoryUnderTest(false));

describe('the memory store', () => {
  it('shares its leases with stores of the same name in this process', async () => {
    const [a, b, c] = await Promise.all(
      ['memory:one', 'memory:one', 'memory:two'].map((url) => MemoryLeaseStore.open(url)),
    );
    await a.acquire([claimOf('x', 'a')]);
    expect((await b.read(['x']))[0].holder?.id).toBe('a');
    expect((await c.read(['x']))[0].token).toBe(0n);
    expect([a.label, c.label]).toEqual(['memory:one', 'memory:two']);
  });

  it('keeps the order of terms when the wall clock is set back', async () => {
    let now = { monoMs: 0, wallMs: 5_000_000 };
    const store = new MemoryLeaseStore({ clock: { now: () => now } });
    const claim = claimOf('x', 'a', { ttlMs: 100 });
    await store.acquire([claim]);
    now = { monoMs: 200, wallMs: 1_000_000 };
    await store.acquire([claim]);
    const [next, first] = await store.history('x');
    expect(first).toMatchObject({ startMs: 5_000_000, endMs: 5_000_100, cause: 'expired' });
    expect(next.startMs).toBe(5_000_100);
  });
});
