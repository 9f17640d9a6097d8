import { describe, expect, test } from 'vitest';
import { never } from '../../../../test-kit/until.ts';
import { createElector, type Lead, LeaseLostError } from '../../src/index.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { createTestKit } from '../../src/testing/index.ts';

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

describe('after the grace of work that stops, the lease is not renewed', () => {
  /** Leads, and is told to stop. */
  const stopping = async () => {
    const kit = createTestKit();
    const { store, clock } = kit;
    const election = { store, clock, name: 'job', ttlMs: 15_000, processProof: '' };
    const elector = createElector({ ...election, stopGraceMs: 1_000 });
    let lead: Lead | null = null;
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const ended = elector.campaign((given) => {
      lead = given;
      return done;
    });
    await kit.until(() => lead !== null);
    const closed = elector.close();
    await kit.until(() => lead!.signal.aborted);
    return { kit, lead: lead!, election, finish, ended: Promise.all([ended, closed]) };
  };
  const outcomeOf = (saved: Promise<void>): { error: unknown } => {
    const outcome: { error: unknown } = { error: null };
    saved.catch((error: unknown) => {
      outcome.error = error;
    });
    return outcome;
  };

  test('a checkpoint is refused at once, and the release carries one', async () => {
    const { kit, lead, election, finish, ended } = await stopping();
    const saved = lead.saveCheckpoint('in the grace');
    await kit.advance(100);
    await saved;
    await kit.advance(900);
    const outcome = outcomeOf(lead.saveCheckpoint('later'));
    await kit.settle();
    expect(`${outcome.error}`).toMatch(
      /LeaseLostError: .* \(released\): its lease is not renewed any more; leave/,
    );
    expect(lead.remainingMs()).toBeGreaterThan(0);
    await lead.release({ checkpoint: 'at the end' });
    finish();
    await kit.settle();
    await ended;
    const found = createElector(election).runOnce(({ checkpoint }) => checkpoint);
    await kit.advance(15_000);
    expect(await found).toBe('at the end');
  });

  test('a checkpoint that the store has not confirmed by then is refused before the lease is over', async () => {
    const { kit, lead, finish, ended } = await stopping();
    kit.breakStore('silent');
    const outcome = outcomeOf(lead.saveCheckpoint('unheard'));
    await kit.advance(900);
    expect(outcome.error).toBe(null);
    await kit.advance(100);
    expect(outcome.error).toBeInstanceOf(LeaseLostError);
    expect(lead.remainingMs()).toBeGreaterThan(5_000);
    finish();
    await kit.advance(15_000);
    await ended;
  });
});
