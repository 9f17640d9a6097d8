import { expect, test } from 'vitest';
import { createElector, LeaseLostError } from '../../src/index.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { never } from './until.ts';

test('work that waits for its checkpoint settles when the lease is lost, and the candidate stops', async () => {
  const store = new MemoryLeaseStore();
  const elector = createElector({ store, name: 'job', ttlMs: 500, processProof: '' });
  store.renew = () => new Promise(() => undefined);
  let error: unknown = null;
  const ended = elector.runOnce(async (lead) => {
    error = await lead.saveCheckpoint('1').then(never, (thrown: unknown) => thrown);
  });
  await expect(ended).rejects.toBeInstanceOf(LeaseLostError);
  expect(error).toBeInstanceOf(LeaseLostError);
});

test('a checkpoint of work that was suspended past its lease is refused, and the candidate stops', async () => {
  const store = new MemoryLeaseStore();
  let aheadMs = 0;
  const now = () => ({ monoMs: performance.now() + aheadMs, wallMs: Date.now() + aheadMs });
  const elector = createElector({ store, name: 'job', ttlMs: 5_000, processProof: '', clock: { now } });
  const ended = elector.runOnce(async (lead) => {
    aheadMs = 60_000;
    await expect(lead.saveCheckpoint('1')).rejects.toBeInstanceOf(LeaseLostError);
  });
  await expect(ended).rejects.toBeInstanceOf(LeaseLostError);
});
