import { describe, expect, test } from 'vitest';
import type { ShardLead, ShardWork } from '../../src/shards/index.ts';
import { KitGroup, obedient, stuck, TTL_MS } from './kit-group.ts';

/** Gets stuck on this shard in its first term of it, and is obedient otherwise. */
function stuckOn(shard: string, calls: string[]): ShardWork {
  let isFirst = true;
  return (lead: ShardLead) => {
    calls.push(lead.shard);
    if (lead.shard !== shard || !isFirst) return obedient(lead);
    isFirst = false;
    return stuck(lead);
  };
}

describe('work that goes on although its lease is lost', () => {
  test('does not count as owned: its shard goes to another member, and this one gets another shard for it', async () => {
    const { kit, join, seen } = bound();
    const calls: string[] = [];
    const owners: Record<string, string> = {};
    const a = join('a', stuckOn('0', calls));
    await kit.until(() => a.metrics.owned === 4);
    const b = join('b', (lead) => {
      owners[lead.shard] = 'b';
      return obedient(lead);
    });
    await kit.until(() => a.metrics.owned === 2 && b.metrics.owned === 2);
    await kit.loseLease('orders#shards/0');
    expect(a.metrics).toMatchObject({ owned: 1, overdue: 1 });
    expect(seen('a', 'overdue')).toHaveLength(1);
    await kit.until(() => owners['0'] === 'b', { withinMs: 4 * TTL_MS });
    await kit.until(() => a.metrics.owned === 2 && b.metrics.owned === 2);
    expect(calls.filter((shard) => shard === '0')).toHaveLength(1);
    // Nothing moves any more.
    const moves = seen('a', 'draining').length + seen('b', 'draining').length;
    await kit.advance(5 * TTL_MS);
    expect(seen('a', 'draining').length + seen('b', 'draining').length).toBe(moves);
    expect(b.metrics.unowned).toBe(0);
  });

  test('lets the member own the shard again when it has settled', async () => {
    const { kit, join } = bound();
    let settle = (): void => {};
    let calls = 0;
    const a = join(
      'a',
      (lead) =>
        ++calls === 1
          ? new Promise<void>((resolve) => {
              settle = resolve;
            })
          : obedient(lead),
      { shards: ['x'] },
    );
    await kit.until(() => a.metrics.owned === 1);
    await kit.loseLease('orders#shards/x');
    await kit.advance(4 * TTL_MS);
    expect(a.metrics).toMatchObject({ owned: 0, overdue: 1, unowned: 1 });
    expect(calls).toBe(1);
    settle();
    await kit.until(() => calls === 2);
    expect(a.metrics).toMatchObject({ owned: 1, overdue: 0 });
  });

  test('does not keep close and run for longer than drainMs, stopGraceMs and two TTLs; run says which shards', async () => {
    const { kit, join, settled, ends } = bound();
    const a = join('a', stuck, { shards: ['x', 'y'], drainMs: 1_000, stopGraceMs: 2_000 });
    await kit.until(() => a.metrics.owned === 2);
    const startMs = kit.clock.now().monoMs;
    expect(await settled(a.close())).toBe(null);
    expect(kit.clock.now().monoMs - startMs).toBeLessThanOrEqual(1_000 + 2_000 + 2 * TTL_MS);
    await kit.until(() => ends.has('a'));
    expect(`${ends.get('a')}`).toContain(
      "the work of 'x', 'y' in the shard group 'orders' still runs, and its leases have ended; work must stop when lead.signal aborts",
    );
  });

  test('is waited for after a suspension, if it stops when it is told to', async () => {
    const { kit, join, seen, ends } = bound();
    const slow: ShardWork = async (lead) => {
      await obedient(lead);
      await new Promise<void>((resolve) => void kit.clock.setTimeout?.(resolve, 200));
    };
    const a = join('a', slow, { shards: ['x'] });
    await kit.until(() => a.metrics.owned === 1);
    kit.suspend(2 * TTL_MS);
    const closing = a.close();
    await kit.until(() => ends.has('a'));
    await closing;
    expect(seen('a', 'overdue')).toHaveLength(1);
    expect(ends.get('a')).toBe(null);
  });

  test('keeps the group from being run again', async () => {
    const { kit, join, settled } = bound();
    const ending = new AbortController();
    const a = join('a', obedient, { shards: ['x'] });
    await settled(a.close());
    const { createShardGroup } = await import('../../src/shards/index.ts');
    const { store, clock } = kit;
    const b = createShardGroup({ store, clock, name: 'orders', shards: ['x'], id: 'b', ttlMs: TTL_MS });
    const running = b.run(stuck, { signal: ending.signal });
    await kit.until(() => b.metrics.owned === 1);
    ending.abort();
    expect(`${await settled(running)}`).toContain("the work of 'x'");
    expect(() => b.run(obedient)).toThrow('still runs');
  });

  test('ends split and merge with an error when drainMs is over', async () => {
    const { kit, join, settled } = bound();
    let isStuck = false;
    const a = join('a', (lead) => (isStuck ? stuck(lead) : obedient(lead)), {
      shards: ['x', 'y'],
      drainMs: 1_000,
    });
    await kit.until(() => a.metrics.owned === 2);
    isStuck = true;
    expect(await settled(a.split('x'))).toBe(null);
    await kit.until(() => a.metrics.owned === 3);
    expect(`${await settled(a.merge('x'))}`).toContain(
      "the work of 'x/0' did not finish within drainMs, 1000 ms; its lease ends",
    );
    isStuck = false;
    expect(await settled(a.split('y'))).toBe(null);
  });
});

/** The methods, bound. */
function bound() {
  const group = new KitGroup();
  return {
    kit: group.kit,
    ends: group.ends,
    events: group.events,
    join: group.join.bind(group),
    seen: group.seen.bind(group),
    settled: group.settled.bind(group),
  };
}
