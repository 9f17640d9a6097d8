import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../../test-kit/servers/index.ts';
import type { Lead } from '../../hustings/src/elector/lead.ts';
import { FenceError } from '../../hustings/src/lease/fence/index.ts';
import { BatchLedger } from '../src/batch-ledger.ts';
import { BatchStore } from '../src/batch-store.ts';
import type { JobResult } from '../src/job.ts';
import { QueueConnection } from '../src/queue-connection.ts';
import type { SharedWork } from '../src/shared-work.ts';
import { redisQueue } from './redis-queue.ts';

const queue = redisQueue();
const leadWith = (token: bigint): Lead => ({ token, assert() {} }) as unknown as Lead;
const study = (index: number): JobResult => ({
  type: 'parts',
  parts: [[index, { elections: index, findings: [] }]],
});
const failure = (text: string): JobResult => ({ type: 'error', error: { text } });
let seed = 0;
const newWork = (): SharedWork => ({
  type: 'reproduce',
  options: { seed: seed++, quick: true },
  studies: 200,
});

await describeWith('redis-server', 'a batch in Redis', () => {
  let connection: QueueConnection;
  let store: BatchStore;
  beforeAll(async () => {
    connection = await QueueConnection.open(queue.url, '0.0.0');
    store = new BatchStore(connection);
  });
  afterAll(() => connection.close());

  async function begin(): Promise<{ name: string; ledger: () => Promise<BatchLedger> }> {
    const { name } = await store.open(newWork());
    return { name, ledger: async () => (await BatchLedger.load(connection, store, name)) as BatchLedger };
  }

  it('is one for the same work, and a new one after it was cancelled', async () => {
    const work = newWork();
    const first = await store.open(work);
    expect(first.isNew).toBe(true);
    expect(await store.open(work)).toEqual({ name: first.name, isNew: false });
    expect(await store.cancel(first.name)).toBe(true);
    expect(await store.open(work)).toMatchObject({ isNew: true });
  });

  it('is handed out in a window, continued by the next coordinator, and fenced against the one before', async () => {
    const { name, ledger } = await begin();
    const first = await ledger();
    await first.advance(leadWith(1n), 2);
    expect(await store.state(name)).toMatchObject({ handed: 64, merged: 0 });
    // Results arrive in any order, and some twice; the first one is missing.
    for (const job of [2, 1, 3, 2]) await store.storeResult(name, job, study(job));
    await first.advance(leadWith(1n), 2);
    expect(await store.state(name)).toMatchObject({ handed: 64, merged: 0 });
    await store.storeResult(name, 0, study(0));
    const second = await ledger();
    await second.advance(leadWith(2n), 2);
    expect(await store.state(name)).toMatchObject({ handed: 68, merged: 4 });
    await expect(store.save(leadWith(1n), name, { merged: 1 })).rejects.toThrow(FenceError);
    await first.advance(leadWith(1n), 2);
    expect(await store.state(name)).toMatchObject({ handed: 68, merged: 4 });
    const { results } = await store.parts(name, 'reproduce');
    expect([...results].map(([index, { elections }]) => [index, elections]).sort()).toEqual(
      [0, 1, 2, 3].map((index) => [index, index]),
    );
    // A late copy of a merged result is dropped.
    await store.storeResult(name, 1, study(99));
    expect(await store.results(name, [1])).toEqual([null]);
  });

  it('fails with the error of its first job that fails, whichever arrives first', async () => {
    const { name, ledger } = await begin();
    const own = await ledger();
    await own.advance(leadWith(3n), 1);
    await store.storeResult(name, 2, failure('later'));
    await own.advance(leadWith(3n), 1);
    expect(await store.state(name)).toMatchObject({ status: 'running', handed: 64, failed: 2 });
    await store.storeResult(name, 1, failure('first'));
    await store.storeResult(name, 0, study(0));
    expect(await own.advance(leadWith(3n), 1)).toBe(true);
    expect(await store.state(name)).toMatchObject({ status: 'failed', error: { text: 'first' } });
    // No worker has ended the first job, whose result is merged.
    expect(await queue.redis.keys(`*${name}-*`)).toEqual([expect.stringMatching(/-0$/)]);
  });
});
