import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../../test-kit/until.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { Lead } from '../../../src/elector/lead.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

const TTL_MS = 500;
/** At this TTL a candidate pauses for 50 to 100 ms after its own term. */
const MIN_PAUSE_MS = 50;

/** How many terms each candidate had when `most` terms had ended. */
async function termsOf(ids: readonly string[], workMs: number, most: number): Promise<Map<string, number>> {
  const store = new MemoryLeaseStore();
  const stop = new AbortController();
  const terms = new Map<string, number>();
  let all = 0;
  const campaigns = ids.map((id) =>
    createElector({ store, name: 'job', id, ttlMs: TTL_MS }).campaign(
      async () => {
        terms.set(id, (terms.get(id) ?? 0) + 1);
        if (++all === most) stop.abort();
        await sleep(workMs);
      },
      { signal: stop.signal },
    ),
  );
  await Promise.all(campaigns);
  return terms;
}

describe('candidates of one process', () => {
  test('all lead in turn, if the work of each takes longer than its pause', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    expect([...(await termsOf(ids, 110, 24)).keys()].sort()).toEqual(ids);
  }, 60_000);

  test('all lead in turn, if their work returns at once', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    expect([...(await termsOf(ids, 0, 24)).keys()].sort()).toEqual(ids);
  }, 60_000);

  test('pause after each term, also alone and with a store that notifies of every release', async () => {
    const startMs = performance.now();
    await termsOf(['a'], 0, 11);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(10 * MIN_PAUSE_MS);
  }, 60_000);
});

describe('fair order', () => {
  test('gives 20 terms to 5 candidates in turn: each that has led is last', async () => {
    const store = new MemoryLeaseStore();
    const ids = ['c', 'a', 'e', 'b', 'd'];
    const electors = ids.map((id) =>
      createElector({ store, name: 'job', id, ttlMs: 5_000, order: 'fair', processProof: '' }),
    );
    const waiting = async (): Promise<string[]> => (await store.candidates('job')).map(({ id }) => id);
    const queue: Promise<Lead>[] = [];
    for (const [index, elector] of electors.entries()) {
      queue.push(elector.acquire());
      if (index > 0) await until(async () => (await waiting()).includes(elector.id));
      else await queue[0];
    }
    const led: string[] = [];
    for (let term = 0; term < 20; term++) {
      const lead = await queue.shift()!;
      led.push(lead.term.holder);
      await lead.release();
      const elector = electors[term % 5];
      queue.push(elector.acquire());
      await until(async () => (await waiting()).includes(elector.id));
    }
    expect(led).toEqual([...ids, ...ids, ...ids, ...ids]);
    for (const each of queue) await (await each).release();
  }, 60_000);

  test('is refused if it has another name, and together with slots', () => {
    const options = { store: 'memory:', name: 'job', order: 'first' as never };
    expect(() => createElector(options)).toThrow("order must be 'fair' or 'any', not \"first\"");
    const slots = { store: 'memory:', name: 'job', order: 'fair', slots: 3 } as const;
    expect(() => createElector(slots as never)).toThrow("order 'fair' needs one lease");
  });
});
