import { describe, expect, it } from 'vitest';
import { InputError } from '../../../base/src/hustings-error.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import type { Lead } from '../../src/elector/lead.ts';
import { StoreError } from '../../src/lease/core/store-error.ts';
import { FenceGate, newestIn } from '../../src/lease/fence/index.ts';
import { createTestKit, type TestKit } from '../../src/testing/index.ts';

/** A service as a user writes it: it leads until it is stopped, and notes what it is told. */
function startService(kit: TestKit, options: Partial<ElectorOptions> = {}) {
  const stop = new AbortController();
  const told: string[] = [];
  const elector = createElector({
    store: kit.store,
    clock: kit.clock,
    name: 'job',
    ...options,
  } as ElectorOptions);
  const service = {
    elector,
    told,
    lead: null as Lead | null,
    ended: elector.campaign(
      async (lead) => {
        service.lead = lead;
        told.push('leads');
        const { reason } = await lead.ended;
        told.push(reason);
      },
      { signal: stop.signal },
    ),
    stop: async () => {
      stop.abort();
      await kit.settle();
      await service.ended;
    },
  };
  return service;
}

describe('the test kit', () => {
  it('elects a candidate without any movement of the clock', async () => {
    const kit = createTestKit();
    const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
    await expect(elector.runOnce((lead) => lead.isValid())).resolves.toBe(true);
    expect(kit.clock.now()).toEqual({ monoMs: 0, wallMs: Date.UTC(2026, 0, 1) });
    await elector.close();
  });

  it('keeps a leader in office for an hour of its clock, renewal after renewal', async () => {
    const kit = createTestKit();
    const service = startService(kit);
    await kit.advance(3_600_000);
    expect(service.told).toEqual(['leads']);
    expect(service.elector.metrics.renewals).toBeGreaterThan(1_000);
    expect(service.lead?.isValid()).toBe(true);
    await service.stop();
    expect(service.told).toEqual(['leads', 'released']);
  });

  it('tells the work that its lease is lost, and elects the candidate again later', async () => {
    const kit = createTestKit();
    const service = startService(kit);
    await kit.settle();
    const first = service.lead!;
    await kit.loseLease('job');
    expect(service.told).toEqual(['leads', 'expired']);
    expect(first.signal.aborted).toBe(true);
    await kit.until(() => service.told.length > 2);
    expect(service.told).toEqual(['leads', 'expired', 'leads']);
    expect(service.lead!.token).toBeGreaterThan(first.token);
    await service.stop();
  });

  it('refuses what would silently test nothing: a lease that nobody holds, and an unknown fault', async () => {
    const kit = createTestKit();
    const service = startService(kit);
    await expect(kit.loseLease('job')).rejects.toThrow("nobody holds the lease 'job'");
    await kit.settle();
    await expect(kit.loseLease('jobs')).rejects.toThrow("nobody holds the lease 'jobs'");
    expect(() => kit.breakStore('unreacheable' as 'unreachable')).toThrow(
      'the fault must be one of unreachable, silent, busy, denied, unprepared, unusable, not unreacheable',
    );
    expect(service.told).toEqual(['leads']);
    await service.stop();
  });

  it('lets another candidate lead, until that one releases the lease or crashes', async () => {
    const kit = createTestKit();
    const other = await kit.elect('job', 'replica-2');
    const service = startService(kit);
    await kit.advance(60_000);
    expect(service.told).toEqual([]);
    expect(await service.elector.leader()).toMatchObject({ type: 'led', holder: 'replica-2' });
    await other.release();
    await kit.settle();
    expect(service.told).toEqual(['leads']);

    const third = await kit.elect('job', 'replica-3');
    expect(service.told).toEqual(['leads', 'expired']);
    expect(third.token).toBeGreaterThan(service.lead!.token);
    third.crash();
    await kit.advance(10_000);
    expect(service.told).toHaveLength(2);
    await kit.advance(10_000);
    expect(service.told).toEqual(['leads', 'expired', 'leads']);
    await service.stop();
  });

  it.each(['unreachable', 'silent'] as const)(
    'stops the work when the store is %s, and starts it when it is repaired',
    async (fault) => {
      const kit = createTestKit();
      const service = startService(kit, { onEvent: () => {} });
      await kit.settle();
      kit.breakStore(fault);
      await kit.advance(7_000);
      expect(service.told).toEqual(['leads']);
      await kit.advance(7_000);
      expect(service.told).toEqual(['leads', fault === 'silent' ? 'renew-timeout' : 'store-unreachable']);
      kit.repairStore();
      await kit.until(() => service.told.length > 2);
      expect(service.told[2]).toBe('leads');
      await service.stop();
    },
  );

  it('starts a service without a store', async () => {
    const kit = createTestKit();
    kit.breakStore();
    const service = startService(kit, { onEvent: () => {} });
    await kit.advance(30_000);
    expect(service.elector.health()).toMatchObject({ healthy: true, state: 'waiting', answeredAgoMs: null });
    await expect(service.elector.leader()).rejects.toThrow(StoreError);
    kit.repairStore();
    await kit.until(() => service.elector.metrics.isLeader);
    await service.stop();
  });

  it('shows a suspended process clocks that are ahead of its signal, and a fence that refuses it', async () => {
    const kit = createTestKit();
    const service = startService(kit);
    await kit.settle();
    const old = service.lead!;
    // Asking for it after the pause would read the clocks.
    const { signal } = old;
    const gate = new FenceGate({ name: 'job', newest: newestIn(kit.store) });
    await gate.run(old.term, () => 'written');
    kit.suspend(20_000);
    const other = await kit.elect('job');
    expect(signal.aborted).toBe(false);
    expect(old.isValid()).toBe(false);
    await expect(gate.run(other, () => 'written')).resolves.toBe('written');
    await expect(gate.run(old.term, () => 'written')).rejects.toMatchObject({ refusal: 'stale' });
    await kit.settle();
    expect(service.told).toEqual(['leads', 'suspended']);
    await service.stop();
  });

  it('runs a job of two replicas once per tick of its schedule', async () => {
    const kit = createTestKit({ startAt: Date.UTC(2026, 5, 1, 11, 59, 30) });
    const stop = new AbortController();
    const ticks: string[] = [];
    const ended = ['a', 'b'].map((id) =>
      createElector({ store: kit.store, clock: kit.clock, name: 'job', id }).cron(
        '*/10 * * * *',
        (lead, { tickMs }) => ticks.push(`${lead.term.holder} ${new Date(tickMs).toISOString()}`),
        { signal: stop.signal },
      ),
    );
    await kit.advance(15 * 60_000);
    const [first] = ticks;
    expect(ticks.map((tick) => tick.slice(2))).toEqual([
      '2026-06-01T12:00:00.000Z',
      '2026-06-01T12:10:00.000Z',
    ]);
    expect(new Set(ticks.map((tick) => tick[0]))).toEqual(new Set(first[0]));
    stop.abort();
    await kit.settle();
    await Promise.all(ended);
  });

  it('shows a watcher each change', async () => {
    const kit = createTestKit();
    const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
    const stop = new AbortController();
    const seen: string[] = [];
    const watched = (async () => {
      for await (const view of elector.watch({ signal: stop.signal })) {
        seen.push(view.type === 'led' ? view.holder : view.type);
      }
    })();
    await kit.settle();
    const other = await kit.elect('job');
    await kit.advance(2_000);
    other.crash();
    await kit.advance(20_000);
    kit.breakStore();
    await kit.advance(5_000);
    expect(seen).toEqual(['vacant', 'other', 'vacant', 'unknown']);
    stop.abort();
    await watched;
  });

  it('repeats a run exactly, from its seed', async () => {
    const run = async (seed: number): Promise<string[]> => {
      const kit = createTestKit({ seed });
      const log: string[] = [];
      const services = ['a', 'b', 'c'].map((id) =>
        startService(kit, {
          id,
          onEvent: ({ type }) => {
            if (type !== 'answered') log.push(`${kit.clock.now().monoMs} ${id} ${type}`);
          },
        }),
      );
      await kit.advance(20_000);
      await kit.loseLease('job');
      await kit.advance(20_000);
      kit.breakStore();
      await kit.advance(20_000);
      kit.repairStore();
      await kit.advance(20_000);
      for (const service of services) await service.stop();
      return log;
    };
    const first = await run(7);
    expect(first.length).toBeGreaterThan(50);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
  });

  it('rejects what cannot work', async () => {
    const kit = createTestKit();
    expect(() => createTestKit({ seed: 0 })).toThrow(InputError);
    expect(() => createTestKit({ startAt: new Date('never') })).toThrow(InputError);
    expect(() => kit.advance(-1)).toThrow(/a duration must be a number of ms from 0, not -1/);
    await expect(kit.until(() => false, { withinMs: 100 })).rejects.toThrow(/did not hold within 100 ms/);
    expect(kit.clock.now().monoMs).toBe(100);
  });
});
