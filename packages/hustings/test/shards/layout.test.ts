import { describe, expect, test } from 'vitest';
import { createElector } from '../../src/elector/create-elector.ts';
import type { LeaseStore } from '../../src/lease/index.ts';
import { MemoryLeaseStore } from '../../src/lease/stores/memory/index.ts';
import { stateOf } from '../../src/shards/group-watch.ts';
import type { ShardWork } from '../../src/shards/index.ts';
import { KitGroup, obedient, TTL_MS } from './kit-group.ts';

/** Notes the checkpoint of each shard that it begins with, and leaves one. */
const noting =
  (found: Record<string, string | null>, mark: string): ShardWork =>
  async (lead) => {
    found[lead.shard] = lead.checkpoint;
    await obedient(lead);
    return `${mark} ${lead.shard}`;
  };

const listed = async ({ kit }: KitGroup): Promise<string[]> =>
  (await stateOf(kit.store, 'orders')).shards.map(({ shard }) => shard);

describe('a restart with other shards', () => {
  test('begins without checkpoints, and only the new shards are listed; the same shards keep them', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const layouts: [string, number | string[], Record<string, string | null>][] = [
      ['a', 4, { 0: null, 1: null, 2: null, 3: null }],
      ['b', 4, { 0: 'a 0', 1: 'a 1', 2: 'a 2', 3: 'a 3' }],
      ['c', 2, { 0: null, 1: null }],
      ['d', 4, { 0: null, 1: null, 2: null, 3: null }],
      ['e', ['0', 'x'], { 0: null, x: null }],
      ['f', ['0', 'y'], { 0: null, y: null }],
      ['g', ['0', 'y'], { 0: 'f 0', y: 'f y' }],
    ];
    for (const [id, shards, expected] of layouts) {
      const found = {};
      const member = group.join(id, noting(found, id), { shards });
      await kit.until(() => Object.keys(found).length === Object.keys(expected).length);
      expect(found).toEqual(expected);
      expect(await listed(group)).toEqual(Object.keys(expected));
      await group.settled(member.close());
      expect(group.ends.get(id)).toBe(null);
    }
  });

  test('all new members may start at once, and wait until the old ones have finished their work', async () => {
    const group = new KitGroup();
    const { kit } = group;
    let isOldWorking = false;
    const slow: ShardWork = async (lead) => {
      isOldWorking = true;
      await obedient(lead);
      await new Promise<void>((resolve) => void kit.clock.setTimeout?.(resolve, 3_000));
      isOldWorking = false;
    };
    const old = group.join('old', slow, { shards: ['x'] });
    await kit.until(() => old.metrics.owned === 1);
    const closing = group.settled(old.close());
    await kit.until(async () =>
      (await stateOf(kit.store, 'orders')).members.every(({ weight }) => weight === 0),
    );
    expect(isOldWorking).toBe(true);
    let isTogether = false;
    const work: ShardWork = (lead) => {
      isTogether ||= isOldWorking;
      return obedient(lead);
    };
    const members = ['a', 'b', 'c'].map((id) => group.join(id, work, { shards: 6 }));
    await closing;
    await kit.until(() => members.every(({ metrics }) => metrics.owned === 2));
    expect(isTogether).toBe(false);
    expect(group.ends).toEqual(new Map([['old', null]]));
  });

  test.each([
    [true, 2],
    [false, 4],
  ])(
    'may follow at once when all old members were killed; the store has a clock: %s',
    async (hasClock, ttls) => {
      const group = new KitGroup();
      const { kit } = group;
      let isKilled = false;
      const reached: LeaseStore = hasClock ? kit.store : new MemoryLeaseStore({ hasClock, clock: kit.clock });
      const store = new Proxy(reached, {
        get(target, property) {
          const value = Reflect.get(target, property, target);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) =>
            isKilled && property !== 'isPushing' ? new Promise(() => undefined) : value.apply(target, args);
        },
      });
      const old = ['a', 'b'].map((id) => group.join(id, obedient, { store }));
      await kit.until(() => old.every(({ metrics }) => metrics.owned === 2));
      isKilled = true;
      let isTooEarly = false;
      const checking: ShardWork = async (lead) => {
        // The leases of the old members have ended. The last renewal was a fifth of a TTL ago, or less.
        isTooEarly ||= kit.clock.now().monoMs < killedMs + 0.75 * TTL_MS;
        await obedient(lead);
      };
      const killedMs = kit.clock.now().monoMs;
      const members = ['c', 'd'].map((id) => group.join(id, checking, { shards: 6, store: reached }));
      const areWorking = (): boolean => members.every(({ metrics }) => metrics.owned === 3);
      await kit.until(() => group.ends.size > 0 || areWorking(), { withinMs: ttls * TTL_MS });
      expect(group.ends).toEqual(new Map());
      expect(isTooEarly).toBe(false);
    },
  );

  test('is refused while a member has the old ones, which works on', async () => {
    const group = new KitGroup();
    const { kit } = group;
    const a = group.join('a');
    await kit.until(() => a.metrics.owned === 4);
    group.join('b', obedient, { shards: 5 });
    await kit.until(() => group.ends.has('b'));
    expect(`${group.ends.get('b')}`).toContain(
      "the shard group 'orders' has 4 shards, and this member was given 5 or other names",
    );
    await kit.advance(2 * TTL_MS);
    expect(a.metrics).toMatchObject({ owned: 4, lost: 0 });
  });
});

test('of members with different shards that start at the same instant, those with one layout work, and the others never', async () => {
  const group = new KitGroup();
  const { kit } = group;
  const worked = new Set<number>();
  const join = (id: string, shards: number) =>
    group.join(
      id,
      (lead) => {
        worked.add(shards);
        return obedient(lead);
      },
      { shards },
    );
  join('a', 4);
  join('b', 5);
  join('c', 4);
  join('d', 5);
  await kit.until(() => group.ends.size === 2);
  await kit.advance(2 * TTL_MS);
  expect(worked.size).toBe(1);
  const [shards] = worked;
  expect((await stateOf(kit.store, 'orders')).shards).toHaveLength(shards);
  expect([...group.ends.keys()]).toEqual(shards === 4 ? ['b', 'd'] : ['a', 'c']);
});

test('a member that was suspended while the group got other shards stops, and does not work', async () => {
  const group = new KitGroup();
  const { kit } = group;
  let isCut = false;
  let calls = 0;
  const store = new Proxy(kit.store, {
    get(target, property) {
      const value = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        isCut && property !== 'isPushing' ? new Promise(() => undefined) : value.apply(target, args);
    },
  });
  const a = group.join(
    'a',
    (lead) => {
      calls++;
      return obedient(lead);
    },
    { store },
  );
  await kit.until(() => a.metrics.owned === 4);
  isCut = true;
  const b = group.join('b', obedient, { shards: 2 });
  // It waits at first: the store still lists the other member.
  await kit.until(() => b.metrics.owned === 2);
  isCut = false;
  await kit.until(() => group.ends.has('a'));
  expect(`${group.ends.get('a')}`).toContain('has 2 shards, and this member was given 4');
  expect(calls).toBe(4);
  expect(b.metrics.owned).toBe(2);
});

test('an elector with the name of the group, with slots, is no member and holds no shard', async () => {
  const group = new KitGroup();
  const { kit } = group;
  const { store, clock } = kit;
  const ending = new AbortController();
  const elector = createElector({ store, clock, name: 'orders', slots: 3, id: 'elector', ttlMs: TTL_MS });
  const leading = elector.campaign(({ ended }) => ended, { signal: ending.signal });
  await kit.until(async () => (await elector.leaders()).some(({ type }) => type === 'led'));
  const a = group.join('a');
  await kit.until(() => a.metrics.owned === 4);
  expect((await a.shards()).members.map(({ id }) => id)).toEqual(['a']);
  ending.abort();
  await group.settled(leading);
});
