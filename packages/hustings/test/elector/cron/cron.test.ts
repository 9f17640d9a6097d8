import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../../../../test-kit/until.ts';
import { InputError } from '../../../../base/src/hustings-error.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { Elector } from '../../../src/elector/elector.ts';
import type { ElectorOptions } from '../../../src/elector/elector-options.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

const EVERY_SECOND = '* * * * * *';
const electors: Elector[] = [];
// Not after each test: they run at the same time, because they wait for ticks.
afterAll(async () => {
  await Promise.all(electors.splice(0).map((elector) => elector.close()));
});

const electorOn = (store: MemoryLeaseStore, more: Partial<ElectorOptions> = {}): Elector => {
  const elector = createElector({ store, name: 'job', ttlMs: 1_000, ...more } as ElectorOptions);
  electors.push(elector);
  return elector;
};

describe.concurrent('cron', () => {
  it('starts each tick once among three candidates, and records its end', async () => {
    const store = new MemoryLeaseStore();
    const started: number[] = [];
    for (const id of ['a', 'b', 'c']) {
      void electorOn(store, { id }).cron(EVERY_SECOND, (_lead, { tickMs }) => {
        started.push(tickMs);
        if (started.length === 2) throw new Error('this one fails');
      });
    }
    await until(() => started.length >= 3);
    await until(async () => (await store.ticks('job')).filter(({ endMs }) => endMs !== null).length >= 4);
    const ticks = (await store.ticks('job')).toReversed().slice(1);
    expect(new Set(started).size).toBe(started.length);
    expect(ticks.slice(0, 3).map(({ tickMs }) => tickMs)).toEqual(started.slice(0, 3));
    expect(ticks.slice(0, 3).map(({ state }) => state)).toEqual(['completed', 'failed', 'completed']);
    expect(started.every((tickMs) => tickMs % 1_000 === 0)).toBe(true);
  });

  it('does not start a tick whose term was over before its start was answered', async () => {
    const store = new MemoryLeaseStore();
    const startTick = store.startTick.bind(store);
    let nowMs = 0;
    let asked = 0;
    store.startTick = async (request) => {
      const answer = await startTick(request);
      // As a process that was suspended for an hour between the record and its answer.
      if (request.tickMs !== null && asked++ === 0) nowMs += 3_600_000;
      return answer;
    };
    const clock = { now: () => ({ monoMs: performance.now() + nowMs, wallMs: Date.now() + nowMs }) };
    const valid: boolean[] = [];
    void electorOn(store, { clock }).cron(EVERY_SECOND, (lead) => void valid.push(lead.isValid()));
    await until(() => valid.length >= 1);
    expect(valid.every((each) => each)).toBe(true);
    const states = (await store.ticks('job')).map(({ state }) => state);
    expect(states).toContain('interrupted');
  });

  it('begins with the first tick after its start, and marks the one before as missed', async () => {
    const store = new MemoryLeaseStore();
    const started: number[] = [];
    const beganMs = Date.now();
    await electorOn(store, { id: 'earlier' }).runOnce(() => {});
    void electorOn(store).cron(EVERY_SECOND, (_lead, { tickMs }) => void started.push(tickMs));
    await until(() => started.length >= 1);
    const [first, ...rest] = (await store.ticks('job')).toReversed();
    expect(first).toMatchObject({ state: 'missed' });
    expect(rest[0].tickMs).toBe(started[0]);
    expect(started[0]).toBeGreaterThanOrEqual(beganMs);
  });

  it('leaves the tick of a lost leader interrupted, and starts it again only if told to', async () => {
    for (const retryInterrupted of [false, true]) {
      const store = new MemoryLeaseStore();
      const runs: string[] = [];
      const first = electorOn(store, { id: 'first' });
      void first.cron(EVERY_SECOND, async (lead, { tickMs }) => {
        runs.push(`first ${tickMs}`);
        await new Promise((resolve) => lead.signal.addEventListener('abort', resolve));
      });
      await until(() => runs.length === 1);
      const [{ tickMs, token }] = await store.ticks('job');
      const second = electorOn(store, { id: 'second' });
      void second.cron(
        EVERY_SECOND,
        (_lead, tick) => void runs.push(`second ${tick.tickMs} ${tick.isRetry}`),
        {
          retryInterrupted,
        },
      );
      await store.evict('job', 60_000);
      await until(() => runs.length >= 2);
      const record = (await store.ticks('job')).find((tick) => tick.tickMs === tickMs)!;
      if (retryInterrupted) {
        expect(runs[1]).toBe(`second ${tickMs} true`);
        expect(record.token > token).toBe(true);
      } else {
        expect(runs.filter((run) => run.includes(String(tickMs)))).toHaveLength(1);
        expect(record.state).toBe('interrupted');
      }
      await Promise.all([first.close(), second.close()]);
    }
  });

  it('misses the ticks that come due while its work runs', async () => {
    const store = new MemoryLeaseStore();
    const started: number[] = [];
    void electorOn(store).cron(EVERY_SECOND, async (_lead, { tickMs }) => {
      started.push(tickMs);
      if (started.length === 1) await sleep(2_300);
    });
    await until(() => started.length >= 2);
    const ticks = (await store.ticks('job')).toReversed();
    expect(started[1] - started[0]).toBeGreaterThanOrEqual(3_000);
    const between = ticks.filter(({ tickMs }) => tickMs > started[0] && tickMs < started[1]);
    expect(between.length).toBe((started[1] - started[0]) / 1_000 - 1);
    expect(between.every(({ state }) => state === 'missed')).toBe(true);
  });

  it('starts a tick although the answer of the store was lost', async () => {
    const store = new MemoryLeaseStore();
    const startTick = store.startTick.bind(store);
    let lost = 0;
    store.startTick = async (request) => {
      const answer = await startTick(request);
      if (request.tickMs !== null && lost++ === 0) return await new Promise(() => {});
      return answer;
    };
    const started: number[] = [];
    void electorOn(store).cron(EVERY_SECOND, (_lead, { tickMs }) => void started.push(tickMs));
    await until(() => started.length >= 2);
    const ticks = (await store.ticks('job')).toReversed();
    expect(started[0]).toBe(ticks[1].tickMs);
    expect(new Set(started).size).toBe(started.length);
  });

  it.each([
    ['bad expression', {}],
    [EVERY_SECOND, { timeZone: 'Nowhere' }],
    [EVERY_SECOND, { overlap: 'x' as 'skip' }],
  ])('refuses %s with %o', async (expression, options) => {
    await expect(electorOn(new MemoryLeaseStore()).cron(expression, () => {}, options)).rejects.toThrow(
      InputError,
    );
  });
});

describe.concurrent('holdAtLeastMs', () => {
  it('keeps the lease from everybody for that time, although the work has ended', async () => {
    const store = new MemoryLeaseStore();
    await electorOn(store, { id: 'a' }).runOnce(() => {}, { holdAtLeastMs: 60_000 });
    expect((await store.read(['job']))[0]).toMatchObject({ holder: null, durationMs: 60_000 });
    for (const id of ['a', 'b']) {
      await expect(electorOn(store, { id }).acquire({ timeoutMs: 0 })).rejects.toThrow('job');
    }
  });

  it('lets the next one lead afterwards', async () => {
    const store = new MemoryLeaseStore();
    const first = await electorOn(store, { id: 'a' }).acquire({ holdAtLeastMs: 300 });
    await first.release();
    const atMs = performance.now();
    const second = await electorOn(store, { id: 'b' }).acquire();
    expect(performance.now() - atMs).toBeGreaterThan(100);
    expect(second.token > first.token).toBe(true);
    await second.release();
  });

  it.each([-1, 0.5, Number.NaN, 1e15])('refuses %d', async (holdAtLeastMs) => {
    await expect(electorOn(new MemoryLeaseStore()).acquire({ holdAtLeastMs })).rejects.toThrow(InputError);
  });
});
