import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { StoreCalls } from '../../src/elector/candidate/store-calls.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/memory-lease-store.ts';
import {
  createShardGroup,
  type ShardGroup,
  type ShardGroupEvent,
  type ShardGroupOptions,
  type ShardLead,
} from '../../src/shards/index.ts';

const groups: ShardGroup[] = [];

afterEach(async () => {
  await Promise.all(groups.splice(0).map((group) => group.close()));
});

/** Works until it is told to finish. */
const obedient = (lead: ShardLead): Promise<void> =>
  new Promise((resolve) => {
    if (lead.draining.aborted) resolve();
    lead.draining.addEventListener('abort', () => resolve());
  });

/** The owners of all shards by their work, checked at every change: no shard has two. */
class Owners {
  readonly of = new Map<string, string>();
  readonly twice: string[] = [];
  readonly tokens = new Map<string, bigint>();

  work(id: string, inner: (lead: ShardLead) => unknown = obedient) {
    return async (lead: ShardLead): Promise<unknown> => {
      if (this.of.has(lead.shard)) this.twice.push(lead.shard);
      if (lead.token < (this.tokens.get(lead.shard) ?? 0n))
        this.twice.push(`${lead.shard} by an older token`);
      this.tokens.set(lead.shard, lead.token);
      this.of.set(lead.shard, id);
      try {
        return await inner(lead);
      } finally {
        this.of.delete(lead.shard);
      }
    };
  }

  counts(): number[] {
    const counts = new Map<string, number>();
    for (const id of this.of.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts.values()].sort((a, b) => a - b);
  }
}

function member(store: MemoryLeaseStore, id: string, options: Partial<ShardGroupOptions> = {}): ShardGroup {
  const group = createShardGroup({
    ...{ store, name: 'orders', shards: 12, id, ttlMs: 2_000, planEveryMs: 50, processProof: '' },
    ...options,
  });
  groups.push(group);
  return group;
}

describe('a group of members on one store', () => {
  test("the first member owns all shards; each further member gets its share, and nobody else's shards move", async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const moves: string[] = [];
    const onEvent = (event: ShardGroupEvent): void => {
      if (event.type === 'draining') moves.push(event.shard);
    };
    void member(store, 'a', { onEvent }).run(owners.work('a'));
    await until(() => owners.of.size === 12);
    void member(store, 'b', { onEvent }).run(owners.work('b'));
    await until(() => owners.counts().join() === '6,6');
    expect(moves).toHaveLength(6);
    void member(store, 'c', { onEvent }).run(owners.work('c'));
    await until(() => owners.counts().join() === '4,4,4');
    expect(moves).toHaveLength(10);
    expect(owners.twice).toEqual([]);
  });

  test('a member of weight 3 gets three times as many shards as one of weight 1', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    void member(store, 'a', { weight: 3 }).run(owners.work('a'));
    void member(store, 'b').run(owners.work('b'));
    const of = (member: string): number => [...owners.of.values()].filter((id) => id === member).length;
    // Until the two know each other's weights, they may divide the shards in another way.
    await until(() => of('a') === 9 && of('b') === 3);
  });

  test('a member that leaves hands its shards over, with the checkpoints that its work returns', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const found = new Map<string, string | null>();
    const first = member(store, 'a');
    const leaving = first.run(
      owners.work('a', async (lead) => {
        await obedient(lead);
        return `a left ${lead.shard}`;
      }),
    );
    await until(() => owners.of.size === 12);
    const work = owners.work('b', (lead) => {
      found.set(lead.shard, lead.checkpoint);
      return obedient(lead);
    });
    void member(store, 'b').run(work);
    await until(() => owners.counts().join() === '6,6');
    await first.close();
    await leaving;
    await until(() => owners.of.size === 12 && owners.counts().join() === '12');
    expect(found.size).toBe(12);
    for (const [shard, checkpoint] of found) expect(checkpoint).toBe(`a left ${shard}`);
    expect(owners.twice).toEqual([]);
  });

  test('the shards of a member that is cut off from the store are taken over when its leases have expired', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const cut = cutOff(store);
    void member(cut.store, 'a').run(owners.work('a'));
    void member(store, 'b').run(owners.work('b'));
    await until(() => owners.counts().join() === '6,6');
    cut.isCut = true;
    await until(() => owners.counts().join() === '12');
    cut.isCut = false;
    await until(() => owners.counts().join() === '6,6');
    expect(owners.twice).toEqual([]);
  });

  test('a member that is told to leave before the store has answered takes no shard', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const candidates = store.candidates.bind(store);
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      store.candidates = async (name) => {
        resolve();
        await new Promise<void>((resume) => {
          answer = resume;
        });
        return candidates(name);
      };
    });
    const group = member(store, 'a');
    const running = group.run(owners.work('a'));
    await asked;
    const closing = group.close();
    answer();
    await Promise.all([running, closing]);
    expect(owners.of.size).toBe(0);
  });

  test('work that throws is called again in the same term, and its shard is not lost', async () => {
    const store = new MemoryLeaseStore();
    const calls = new Map<string, bigint[]>();
    const errors: unknown[] = [];
    const onEvent = (event: ShardGroupEvent): void => {
      if (event.type === 'work-failed') errors.push(event.error);
    };
    const group = member(store, 'a', { shards: ['x'], onEvent });
    void group.run(async (lead) => {
      const tokens = calls.get(lead.shard) ?? [];
      tokens.push(lead.token);
      calls.set(lead.shard, tokens);
      if (tokens.length < 3) throw new Error('not yet');
      await obedient(lead);
    });
    await until(() => calls.get('x')?.length === 3);
    expect(errors).toHaveLength(2);
    expect(new Set(calls.get('x')).size).toBe(1);
    expect(group.metrics).toMatchObject({ owned: 1, workErrors: 2, acquired: 1, lost: 0 });
  });

  test('work that ignores the request to finish gets its signal after drainMs, and the shard moves', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const stubborn = (lead: ShardLead): Promise<void> =>
      new Promise((resolve) => lead.signal.addEventListener('abort', () => resolve()));
    void member(store, 'a', { shards: 2, drainMs: 100 }).run(owners.work('a', stubborn));
    await until(() => owners.of.size === 2);
    void member(store, 'b', { shards: 2 }).run(owners.work('b'));
    await until(() => owners.counts().join() === '1,1');
    expect(owners.twice).toEqual([]);
  });

  test('renews all its shards in few round trips', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    let renewals = 0;
    const renew = store.renew.bind(store);
    store.renew = (items) => {
      renewals += items.length;
      return renew(items);
    };
    void member(store, 'a', { shards: 200, planEveryMs: 400 }).run(owners.work('a'));
    await until(() => owners.of.size === 200);
    const before = StoreCalls.of(store).roundTrips;
    renewals = 0;
    await until(() => renewals >= 1_000);
    expect((StoreCalls.of(store).roundTrips - before) * 20).toBeLessThanOrEqual(renewals);
  });

  test('a member with other shards is refused, and says so', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    void member(store, 'a').run(owners.work('a'));
    await until(
      async () => owners.of.size === 12 && (await store.read(['orders#shards']))[0].checkpoint !== null,
    );
    await expect(member(store, 'b', { shards: 13 }).run(owners.work('b'))).rejects.toThrow(
      "the shard group 'orders' has 12 shards, and this member was given 13 or other names",
    );
    expect(owners.counts()).toEqual([12]);
  });
});

describe('splits and merges', () => {
  test('a split hands the checkpoint to two children, which have all keys of the shard; a merge undoes it', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const found: string[] = [];
    const work = (id: string) =>
      owners.work(id, async (lead) => {
        found.push(`${lead.shard}: ${lead.checkpoint}`);
        await lead.saveCheckpoint(`work of ${lead.shard}`);
        await obedient(lead);
      });
    const a = member(store, 'a', { shards: ['x'] });
    void a.run(work('a'));
    await until(() => owners.of.has('x'));
    const keys = Array.from({ length: 100 }, (_, key) => `key ${key}`);
    expect(new Set(keys.map((key) => a.shardOf(key)))).toEqual(new Set(['x']));
    await a.split('x');
    await until(() => owners.of.has('x/0') && owners.of.has('x/1'));
    expect(owners.of.has('x')).toBe(false);
    expect(found.slice(1).sort()).toEqual(['x/0: work of x', 'x/1: work of x']);
    const halves = keys.map((key) => a.shardOf(key));
    expect(new Set(halves)).toEqual(new Set(['x/0', 'x/1']));
    expect(halves.filter((shard) => shard === 'x/0').length).toBeGreaterThan(25);
    // Another member gets one of them; the merge takes it back.
    void member(store, 'b', { shards: ['x'] }).run(work('b'));
    await until(() => new Set(owners.of.values()).size === 2);
    await a.merge('x', (first, second) => `${first} and ${second}`);
    await until(() => owners.of.has('x'));
    expect(owners.of.size).toBe(1);
    expect(found.at(-1)).toBe('x: work of x/0 and work of x/1');
    expect(new Set(keys.map((key) => a.shardOf(key)))).toEqual(new Set(['x']));
    expect(owners.twice).toEqual([]);
  });

  test('only the owner can split a shard, and only live children can be merged', async () => {
    const store = new MemoryLeaseStore();
    const owners = new Owners();
    const a = member(store, 'a', { shards: ['x'] });
    await expect(a.split('x')).rejects.toThrow('does not run here; call run first');
    void a.run(owners.work('a'));
    await until(() => owners.of.has('x'));
    await expect(a.split('y')).rejects.toThrow("does not own the shard 'y'");
    await expect(a.merge('x')).rejects.toThrow("'x/0' is not a live shard");
  });
});

test('shards() lists members with their shards, and the shards that nobody owns', async () => {
  const store = new MemoryLeaseStore();
  const owners = new Owners();
  const a = member(store, 'a');
  const before = await a.shards();
  expect(before.members).toEqual([]);
  expect(before.shards.every(({ owner }) => owner === null)).toBe(true);
  void a.run(owners.work('a'));
  await until(() => owners.of.size === 12);
  const { members, shards } = await a.shards();
  expect(members.map(({ id, weight, shards: own }) => [id, weight, own.length])).toEqual([['a', 1, 12]]);
  expect(JSON.parse(JSON.stringify(shards[0]))).toMatchObject({
    shard: '0',
    owner: 'a',
    token: `${shards[0].token}`,
  });
});

describe('options', () => {
  const store = new MemoryLeaseStore();
  test.each([
    [{ shards: 0 }, 'shards must be a whole number from 1 to 10000, not 0'],
    [{ shards: [] }, 'shards must be a number or a list of 1 to 10000 names'],
    [{ shards: ['a', 'a'] }, "the shard 'a' is listed twice"],
    [{ shards: ['a/b'] }, "must not contain '#' or '/'"],
    [{ name: 'a#b' }, "must not contain '#', which separates it from its shards; use 'a-b', not 'a#b'"],
    [
      { planEveryMs: 1e9 },
      'planEveryMs must be a whole number from 1 to 15000, which is ttlMs, not 1000000000',
    ],
    [{ weight: 0 }, 'weight must be a whole number from 1 to 1000, not 0'],
    [{ drainMs: -1 }, 'drainMs must be a whole number from 1, not -1'],
    [{ wieght: 1 }, "createShardGroup has no option 'wieght'"],
  ])('%o is refused', (options, message) => {
    const all = { store, name: 'orders', shards: 2, ...options } as ShardGroupOptions;
    expect(() => createShardGroup(all)).toThrow(message);
  });
});

/** The store, as a member sees it that may be cut off: nothing arrives, and nothing is answered. */
function cutOff(store: MemoryLeaseStore): { store: MemoryLeaseStore; isCut: boolean } {
  const cut = { store, isCut: false };
  cut.store = new Proxy(store, {
    get(target, property) {
      const value = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        cut.isCut && property !== 'isPushing' ? new Promise(() => undefined) : value.apply(target, args);
    },
  });
  return cut;
}
