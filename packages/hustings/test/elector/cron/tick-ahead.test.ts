import { afterAll, describe, expect, it, vi } from 'vitest';
import { until } from '../../../../../test-kit/until.ts';
import { createElector } from '../../../src/elector/create-elector.ts';
import type { Elector } from '../../../src/elector/elector.ts';
import type { ElectorOptions } from '../../../src/elector/elector-options.ts';
import type { ElectorEvent } from '../../../src/elector/events/elector-event.ts';
import type { LogEntry } from '../../../src/elector/events/elector-logger.ts';
import { prometheusText } from '../../../src/index.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/memory-lease-store.ts';

const EVERY_SECOND = '* * * * * *';
const DAY_MS = 86_400_000;
const electors: Elector[] = [];
afterAll(async () => {
  await Promise.all(electors.map((elector) => elector.close()));
});

const electorOn = (store: MemoryLeaseStore, more: Partial<ElectorOptions> = {}): Elector => {
  const elector = createElector({ store, name: 'job', ttlMs: 1_000, ...more } as ElectorOptions);
  electors.push(elector);
  return elector;
};

/** A store that was a day ahead when it recorded its newest tick, and is right now. */
async function storeOfTomorrow(): Promise<MemoryLeaseStore> {
  let aheadMs = DAY_MS;
  const clock = { now: () => ({ monoMs: performance.now(), wallMs: Date.now() + aheadMs }) };
  const store = new MemoryLeaseStore({ clock });
  const first = createElector({ store, name: 'job', ttlMs: 1_000 });
  let started = 0;
  void first.cron(EVERY_SECOND, () => void started++);
  await until(() => started > 0);
  await first.close();
  aheadMs = 0;
  return store;
}

describe.concurrent('a recorded tick that lies a day ahead', () => {
  it('is an event, a line of the log and a metric; after a reset the schedule goes on', async () => {
    const store = await storeOfTomorrow();
    const events: (ElectorEvent & { readonly type: 'tick-ahead' })[] = [];
    const lines: LogEntry[] = [];
    const elector = electorOn(store, {
      onEvent: (event) => void (event.type === 'tick-ahead' && events.push(event)),
      logger: (entry) => void (entry.fields.event === 'tick-ahead' && lines.push(entry)),
    });
    const metric = (): number => {
      const text = prometheusText([elector.metrics]);
      return Number(/^hustings_tick_ahead_seconds\{.*\} (.+)$/m.exec(text)?.[1]);
    };
    expect(metric()).toBe(0);
    let started = 0;
    void elector.cron(EVERY_SECOND, () => void started++);
    await until(() => events.length > 0);
    const [latest] = await store.ticks('job', { limit: 1 });
    expect(events).toMatchObject([{ tickMs: latest.tickMs, lead: { term: { name: 'job' } } }]);
    expect(events[0].aheadMs).toBeGreaterThan(DAY_MS - 120_000);
    expect(events[0].aheadMs).toBeLessThanOrEqual(DAY_MS);
    expect(metric()).toBeGreaterThan(DAY_MS / 1_000 - 120);
    expect(metric()).toBeLessThanOrEqual(DAY_MS / 1_000);
    expect(lines).toMatchObject([
      { level: 'warn', message: expect.stringMatching(/lies \d+ s in the future/) },
    ]);
    expect(started).toBe(0);
    expect((await store.resetTicks('job')).length).toBeGreaterThan(0);
    await until(() => started > 1);
    expect(metric()).toBe(0);
    expect(events.map(({ aheadMs }) => aheadMs > 0)).toEqual([true, false]);
    expect(lines[1]).toMatchObject({ level: 'info', message: expect.stringMatching(/goes on/) });
  });

  it('is told once by each term, and by the process if nobody listens', async () => {
    const store = await storeOfTomorrow();
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const ofAhead = () =>
      warn.mock.calls.filter(([, options]) => (options as { code?: string }).code === 'HUSTINGS_TICK_AHEAD');
    for (let count = 1; count <= 2; count++) {
      const elector = electorOn(store);
      void elector.cron(EVERY_SECOND, () => {});
      await until(() => ofAhead().length === count);
      expect(ofAhead()[count - 1][0]).toMatch(
        /^'job': the newest recorded tick, .*, lies \d+ s in the future/,
      );
      await elector.close();
    }
    warn.mockRestore();
  });

  it('is none if it is the next tick, or if a clock differs by a second', async () => {
    for (const [expression, stepMs] of [
      ['0 0 1 1 *', DAY_MS * 366],
      [EVERY_SECOND, 1_000],
    ] as const) {
      let aheadMs: number = stepMs;
      const clock = { now: () => ({ monoMs: performance.now(), wallMs: Date.now() + aheadMs }) };
      const store = new MemoryLeaseStore({ clock });
      const lead = await electorOn(store).acquire();
      const { name, nonce } = lead.term;
      const nowMs = await store.time();
      const year = new Date(nowMs).getUTCFullYear();
      const tickMs = expression === EVERY_SECOND ? nowMs : Date.UTC(year, 0, 1);
      const request = { name, nonce, token: lead.token, tickMs, missedMs: [], retry: false };
      expect(await store.startTick(request)).toEqual({ type: 'started' });
      await lead.release();
      aheadMs = 0;
      const events: ElectorEvent[] = [];
      const elector = electorOn(store, { onEvent: (event) => void events.push(event) });
      void elector.cron(expression, () => {});
      await until(() => events.filter(({ type }) => type === 'renewed').length >= 3);
      expect(events.filter(({ type }) => type === 'tick-ahead')).toEqual([]);
      await elector.close();
    }
  });
});
