import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { aborted, until } from '../../../../test-kit/until.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Elector } from '../../src/elector/elector.ts';
import type { ElectorOptions } from '../../src/elector/elector-options.ts';
import { prometheusText } from '../../src/elector/metrics/exporters.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import { FailingStore } from './failing-store.ts';

function electorOn(store: ElectorOptions['store'], options: Partial<ElectorOptions> = {}): Elector {
  return createElector({
    name: 'job',
    id: 'me',
    ttlMs: 600,
    processProof: '',
    store,
    ...options,
  } as ElectorOptions);
}

/** The value of a gauge of the elector. */
function gauge({ metrics }: Elector, name: string): number {
  const line = prometheusText([metrics])
    .split('\n')
    .find((each) => each.startsWith(`hustings_${name}{`));
  return Number(line?.split(' ').at(-1));
}

describe('lead.ended', () => {
  test('resolves with the reason when the signal aborts', async () => {
    const store = new MemoryLeaseStore();
    const lead = await electorOn(store).acquire();
    let hasEnded = false;
    void lead.ended.then(() => {
      hasEnded = true;
    });
    await sleep(20);
    expect(hasEnded).toBe(false);
    await store.evict('job');
    expect(await lead.ended).toEqual({ reason: 'evicted', detail: 'an operator evicted the leader' });
    expect(lead.signal.aborted).toBe(true);
    await lead.release();
  });

  test('has resolved for work that looks only after the abort', async () => {
    const stop = new AbortController();
    const reasons: string[] = [];
    await electorOn(new MemoryLeaseStore()).campaign(
      async (lead) => {
        stop.abort();
        await sleep(20); // a setup during which the signal aborts: a listener that is added now is never called
        reasons.push((await lead.ended).reason);
      },
      { signal: stop.signal },
    );
    expect(reasons).toEqual(['released']);
  });
});

describe('health', () => {
  test('names the state of the candidate, as plain data', async () => {
    const store = new MemoryLeaseStore();
    const elector = electorOn(store);
    expect(elector.health()).toMatchObject({
      healthy: true,
      problem: null,
      state: 'idle',
      answeredAgoMs: null,
    });
    const held = await electorOn(store, { ttlMs: 60_000 }).acquire();
    const acquiring = elector.acquire();
    await until(() => elector.metrics.roundTrip.count > 0);
    expect(elector.health()).toMatchObject({ healthy: true, state: 'waiting', overdueMs: 0 });
    expect(elector.health().answeredAgoMs).toBeGreaterThanOrEqual(0);
    await held.release();
    const lead = await acquiring;
    const leading = elector.health();
    expect(leading).toMatchObject({ healthy: true, state: 'leading' });
    expect(JSON.parse(JSON.stringify(leading))).toEqual(leading);
    await lead.release();
    expect(elector.health().state).toBe('idle');
    await elector.close();
    expect(elector.health()).toMatchObject({ healthy: false, state: 'closed' });
    expect(elector.health().problem).toContain("'job' was closed");
  });

  test('work that hangs after the loss: the candidate no longer stands, then is overdue and unhealthy', async () => {
    const failing = new FailingStore();
    const elector = electorOn(failing.store);
    let goOn = (): void => {};
    const hangs = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const stop = new AbortController();
    let terms = 0;
    const running = elector.campaign(
      async (lead) => {
        if (++terms === 2) return lead.ended;
        await lead.ended;
        await hangs;
      },
      { signal: stop.signal },
    );
    await until(() => elector.health().state === 'leading');
    expect([gauge(elector, 'stands'), gauge(elector, 'is_leader')]).toEqual([1, 1]);
    failing.failure = 'unreachable';
    await until(() => elector.health().state === 'stopping');
    expect([gauge(elector, 'stands'), gauge(elector, 'is_leader')]).toEqual([0, 0]);
    expect(elector.health().healthy).toBe(true);
    await until(() => elector.health().state === 'overdue');
    failing.failure = 'none';
    await sleep(30);
    const health = elector.health();
    expect(health).toMatchObject({ healthy: false, state: 'overdue' });
    expect(health.overdueMs).toBeGreaterThanOrEqual(30);
    expect(health.problem).toMatch(/the work of 'job' still runs, \d+ ms after its deadline/);
    expect(gauge(elector, 'overdue_seconds')).toBeGreaterThanOrEqual(0.03);
    expect(gauge(elector, 'stands')).toBe(0);
    goOn();
    await until(() => elector.health().state === 'leading');
    expect(elector.health()).toMatchObject({ healthy: true, overdueMs: 0 });
    expect(gauge(elector, 'overdue_seconds')).toBe(0);
    stop.abort();
    await running;
  }, 20_000);

  test('a store that does not answer leaves the candidate healthy, and the time since its answer grows', async () => {
    const failing = new FailingStore();
    const elector = electorOn(failing.store);
    const stop = new AbortController();
    const running = elector.campaign(({ ended }) => ended, { signal: stop.signal });
    await until(() => elector.health().state === 'leading');
    failing.failure = 'unreachable';
    await until(() => elector.health().state === 'waiting');
    expect(elector.health()).toMatchObject({ healthy: true, state: 'waiting' });
    expect(elector.health().answeredAgoMs).toBeGreaterThan(100);
    stop.abort();
    await running;
  });

  test('a store that rejects every call until somebody acts makes the candidate unhealthy, until it answers', async () => {
    const failing = new FailingStore();
    const elector = electorOn(failing.store);
    const stop = new AbortController();
    const running = elector.campaign(({ ended }) => ended, { signal: stop.signal });
    await until(() => elector.health().state === 'leading');
    failing.failure = 'unusable';
    // A slow machine may end the term before the first request is rejected.
    await until(() => elector.health().state === 'waiting' && !elector.health().healthy);
    const { healthy, problem } = elector.health();
    expect({ healthy, problem }).toEqual({
      healthy: false,
      problem: "the store rejects every request of 'job': a failure of the test",
    });
    failing.failure = 'none';
    await until(() => elector.health().state === 'leading');
    expect(elector.health()).toMatchObject({ healthy: true, problem: null });
    stop.abort();
    await running;
  });

  test('is_leader is 0 at once after a pause, before any timer has fired', async () => {
    const elector = electorOn(new MemoryLeaseStore());
    const lead = await elector.acquire();
    // Asking for it later would read the clocks.
    const { signal } = lead;
    expect(gauge(elector, 'is_leader')).toBe(1);
    const end = performance.now() + 1_000;
    while (performance.now() < end);
    expect(signal.aborted).toBe(false);
    expect([gauge(elector, 'is_leader'), elector.metrics.isLeader]).toEqual([0, false]);
    expect(elector.health().state).toBe('stopping');
    await aborted(signal);
    await lead.release();
  });
});

/** A program whose work ignores its loss, and would keep the process alive for a minute. */
const hanging = (options: string): string => `
  import { createElector } from '${join(ROOT, 'packages/hustings/dist/index.js')}';
  import { MemoryLeaseStore } from '${join(ROOT, 'packages/hustings/dist/lease/stores/memory/index.js')}';
  const store = new MemoryLeaseStore();
  const elector = createElector({ store, name: 'job', ttlMs: 600, ${options} });
  const guard = setTimeout(() => {}, 60_000);
  await elector.campaign(async (lead) => {
    await store.evict('job');
    await lead.ended;
    console.log('hangs');
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.HANG_MS)));
    clearTimeout(guard);
    await elector.close();
  });`;

describe('exitWhenOverdueMs', () => {
  const run = (options: string, hangMs: number) =>
    runProcess(process.execPath, ['--input-type=module', '-e', hanging(options)], {
      ...{ limitMs: 20_000, env: { ...process.env, HANG_MS: `${hangMs}` } },
    });

  test('ends a process whose work hangs, with code 70 and the reason', () => {
    const { status, stdout, stderr } = run('exitWhenOverdueMs: 50', 60_000);
    expect({ status, stdout }).toEqual({ status: 70, stdout: 'hangs\n' });
    expect(stderr).toMatch(/^hustings: 'job': the work of term \d+ is 50 ms overdue; exit 70\n$/);
  });

  test('does not end a process whose work stops in time', () => {
    const { status, stderr } = run('exitWhenOverdueMs: 10_000', 700);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('must be a whole number from 0', () => {
    expect(() => electorOn(new MemoryLeaseStore(), { exitWhenOverdueMs: -1 })).toThrow(
      'exitWhenOverdueMs must be a whole number of milliseconds from 0, not -1',
    );
  });
});
