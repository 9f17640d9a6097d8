import { describe, expect, test } from 'vitest';
import { createShardGroup, type ShardWork } from '../../src/shards/index.ts';
import { KitGroup, obedient, TTL_MS } from './kit-group.ts';

const TOO_LONG = 'x'.repeat(4_001);

/** Saves a good checkpoint, and returns a text when it is told to finish. */
const returning =
  (text: unknown): ShardWork =>
  async (lead) => {
    await lead.saveCheckpoint('good');
    await obedient(lead);
    return text;
  };

describe('merge(shard, combine)', () => {
  const refused: [string, () => unknown, string][] = [
    ['undefined', () => undefined, 'what combine returns must be a text, not undefined'],
    ['a number', async () => 7, 'what combine returns must be a text, not number'],
    ['4,001 bytes', () => TOO_LONG, 'what combine returns must be a text of at most 4000 bytes, not 4001'],
    [
      '5,000 bytes',
      () => 'x'.repeat(5_000),
      'what combine returns must be a text of at most 4000 bytes, not 5000',
    ],
    [
      'nothing in time',
      () => new Promise(() => undefined),
      `combine did not finish within drainMs, ${TTL_MS} ms`,
    ],
    [
      'an error',
      () => {
        throw new Error('cannot combine');
      },
      'cannot combine',
    ],
  ];
  test.each(refused)(
    'combine that returns %s changes nothing: both children work on',
    async (_, combine, message) => {
      const group = new KitGroup();
      const { kit } = group;
      const calls: string[] = [];
      const a = group.join(
        'a',
        (lead) => {
          calls.push(lead.shard);
          return obedient(lead);
        },
        { shards: ['x'] },
      );
      await kit.until(() => a.metrics.owned === 1);
      await group.settled(a.split('x'));
      await kit.until(() => a.metrics.owned === 2);
      expect(`${await group.settled(a.merge('x', combine as () => string))}`).toContain(message);
      await kit.until(() => calls.filter((shard) => shard !== 'x').length === 4);
      expect([...new Set((await a.shards()).shards.map(({ shard }) => shard))]).toEqual(['x/0', 'x/1']);
      expect(group.seen('a', 'merged')).toEqual([]);
    },
  );

  test('combine may be asynchronous', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const found: (string | null)[] = [];
    const a = group.join(
      'a',
      (lead) => {
        found.push(lead.checkpoint);
        return obedient(lead);
      },
      { shards: ['x'] },
    );
    await kit.until(() => a.metrics.owned === 1);
    await group.settled(a.split('x'));
    await kit.until(() => a.metrics.owned === 2);
    expect(await group.settled(a.merge('x', async (first, second) => `${first} and ${second}`))).toBe(null);
    await kit.until(() => found.length === 4);
    expect(found[3]).toBe('null and null');
  });

  test('each term is told of once: a member that waited for a child tells nothing of it', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const a = group.join('a', obedient, { shards: ['x'] });
    await kit.until(() => a.metrics.owned === 1);
    await group.settled(a.split('x'));
    const b = group.join('b', obedient, { shards: ['x'] });
    await kit.until(() => a.metrics.owned === 1 && b.metrics.owned === 1);
    expect(await group.settled(a.merge('x'))).toBe(null);
    await kit.until(() => a.metrics.owned + b.metrics.owned === 1);
    await kit.advance(2 * TTL_MS);
    for (const id of ['a', 'b']) {
      const acquired = group.seen(id, 'acquired').map(({ token }) => token);
      const ended = group.seen(id, 'ended').map(({ token }) => token);
      expect(ended.filter((token) => !acquired.includes(token))).toEqual([]);
      expect(group.seen(id, 'draining').map(({ token }) => token)).toEqual(ended);
    }
  });
});

describe('the work', () => {
  test('a returned checkpoint that is too long is an error, also at a handover; the last good one stays', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const found: (string | null)[] = [];
    const a = group.join('a', returning(TOO_LONG), { shards: ['x'] });
    await kit.until(() => a.metrics.owned === 1);
    const b = group.join(
      'b',
      (lead) => {
        found.push(lead.checkpoint);
        return obedient(lead);
      },
      { shards: ['x'] },
    );
    await kit.until(() => a.metrics.members === 2);
    expect(await group.settled(a.close())).toBe(null);
    await kit.until(() => b.metrics.owned === 1);
    expect(found).toEqual(['good']);
    const errors = group.seen('a', 'work-failed');
    expect(errors).toMatchObject([{ shard: 'x', retryMs: null, afterLoss: false }]);
    expect(`${errors[0].error}`).toContain('a checkpoint must be a text of at most 4000 bytes, not 4001');
    expect(a.metrics.workErrors).toBe(1);
  });

  test('that returns a checkpoint after the lease is no longer renewed leaves it with the release', async () => {
    const group = new KitGroup();
    const { kit } = group;
    let finish = (_: string): void => {};
    const late = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const options = { shards: ['x'], drainMs: 500, stopGraceMs: 500 };
    const a = group.join('a', () => late, options);
    await kit.until(() => a.metrics.owned === 1);
    const found: (string | null)[] = [];
    const watching: ShardWork = (lead) => {
      found.push(lead.checkpoint);
      return obedient(lead);
    };
    const b = group.join('b', watching, options);
    await kit.until(() => a.metrics.members === 2);
    const closed = a.close();
    await kit.advance(1_500);
    finish('late');
    expect(await group.settled(closed)).toBe(null);
    await kit.until(() => b.metrics.owned === 1);
    expect(found).toEqual(['late']);
    expect(group.seen('a', 'work-failed')).toEqual([]);
    expect(group.seen('a', 'ended')).toMatchObject([{ released: true }]);
  });

  test('its first error is a warning of the process if nobody listens to events', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const warnings: string[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', onWarning);
    try {
      const a = group.join('a', returning(TOO_LONG), { shards: ['x'], onEvent: undefined });
      await kit.until(() => a.metrics.owned === 1);
      await group.settled(a.close());
      await kit.until(() => warnings.length > 0);
      expect(warnings).toEqual([
        expect.stringContaining("the work of shard 'x' of 'orders' failed: InputError"),
      ]);
    } finally {
      process.off('warning', onWarning);
    }
  });

  test('an error of work that has lost its lease is told, and not counted', async () => {
    const group = new KitGroup();
    const { kit } = group;
    let calls = 0;
    const a = group.join(
      'a',
      async (lead) => {
        calls++;
        await obedient(lead);
        lead.assert();
      },
      { shards: ['x'] },
    );
    await kit.until(() => a.metrics.owned === 1);
    await kit.loseLease('orders#shards/x');
    await kit.until(() => calls === 2);
    expect(group.seen('a', 'work-failed')).toMatchObject([{ afterLoss: true, retryMs: null }]);
    expect(a.metrics).toMatchObject({ lost: 1, workErrors: 0 });
  });

  test.each([
    ['throws', 30_000],
    ['returns', 1_000],
  ])(
    'is called again after a pause that doubles from 100 ms, if it %s: up to %i ms',
    async (how, longestMs) => {
      const group = new KitGroup();
      const { kit } = group;
      const times: number[] = [];
      group.join(
        'a',
        async () => {
          times.push(kit.clock.now().monoMs);
          if (how === 'throws') throw new Error('not yet');
        },
        { shards: ['x'] },
      );
      await kit.until(() => times.length === 12, { withinMs: 20 * longestMs });
      const pauses = times.slice(1).map((time, at) => time - times[at]);
      expect(pauses.slice(0, 3)).toEqual([100, 200, 400]);
      expect(pauses.at(-1)).toBe(longestMs);
    },
  );
});

test('a shard or a key that is no text is named in the error', async () => {
  const { kit } = new KitGroup();
  const { store, clock } = kit;
  const group = createShardGroup({ store, clock, name: 'orders', shards: ['x'], id: 'a', ttlMs: TTL_MS });
  expect(() => group.shardOf(5 as never)).toThrow('a key must be a text, not 5');
  expect(() => group.shardOf(Object.create(null))).toThrow('a key must be a text, not object');
  const merged = group.merge(undefined as never);
  await expect(merged).rejects.toThrow("a shard must be a text such as 'x', not undefined");
  await expect(group.split(null as never)).rejects.toThrow("a shard must be a text such as 'x', not null");
});

test('metrics are plain data: JSON has all of them', async () => {
  const group = new KitGroup();
  const a = group.join('a');
  await group.kit.until(() => a.metrics.owned === 4);
  expect(JSON.parse(JSON.stringify(a.metrics))).toEqual({
    ...{ owned: 4, claimed: 0, overdue: 0, members: 1, shards: 4, unowned: a.metrics.unowned },
    ...{ acquired: 4, moved: 0, lost: 0, workErrors: 0, storeErrors: 0 },
  });
});

describe('shardOf', () => {
  test('answers only with what was read from the store, by run or by shards()', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const { store, clock } = kit;
    const router = createShardGroup({
      store,
      clock,
      name: 'orders',
      shards: ['x'],
      id: 'router',
      ttlMs: TTL_MS,
    });
    expect(() => router.shardOf('key')).toThrow(
      "the shards of 'orders' are not known yet; call run or shards",
    );
    const a = group.join('a', obedient, { shards: ['x'] });
    expect(() => a.shardOf('key')).toThrow('not known yet');
    await kit.until(() => a.metrics.owned === 1);
    await group.settled(a.split('x'));
    await kit.until(() => a.metrics.owned === 2);
    await group.settled(router.shards());
    expect(router.shardOf('key')).toBe(a.shardOf('key'));
    expect(router.shardOf('key')).toMatch(/^x\/[01]$/);
    await group.settled(a.close());
    expect(() => a.shardOf('key')).toThrow('was closed');
  });

  test('forgets what it knew when the run has ended', async () => {
    const { kit, settled } = settling();
    const { store, clock } = kit;
    const ending = new AbortController();
    const a = createShardGroup({ store, clock, name: 'orders', shards: ['x'], id: 'a', ttlMs: TTL_MS });
    const running = a.run(obedient, { signal: ending.signal });
    await kit.until(() => a.metrics.owned === 1);
    expect(a.shardOf('key')).toBe('x');
    ending.abort();
    await settled(running);
    expect(() => a.shardOf('key')).toThrow('not known yet');
  });
});

describe('two members with one id', () => {
  test('both are told, once', async () => {
    const group = new KitGroup();
    const { kit } = group;
    group.join('a');
    group.join('a');
    group.join('b');
    await kit.until(() => group.seen('a', 'same-id').length === 2);
    await kit.advance(4 * TTL_MS);
    expect(group.seen('a', 'same-id')).toHaveLength(2);
    expect(group.seen('b', 'same-id')).toEqual([]);
  });

  test('a process that was killed and starts again with its id is not told', async () => {
    const group = new KitGroup();
    const { kit } = group;
    // The lease of the process that was killed stays in the store for a while.
    const killed = { id: 'a', nonce: 'killed/shards-4-1.1', ttlMs: TTL_MS, priority: 1, processProof: '' };
    const none = { goneNonce: null, staleVersion: null, holdAtLeastMs: 0, registerMs: 0 };
    await kit.store.acquire([{ name: 'orders#shards', ...killed, ...none }]);
    const a = group.join('a');
    await kit.until(() => a.metrics.owned === 4);
    await kit.advance(4 * TTL_MS);
    expect(group.seen('a', 'same-id')).toEqual([]);
  });
});

function settling() {
  const group = new KitGroup();
  return { kit: group.kit, settled: group.settled.bind(group) };
}
