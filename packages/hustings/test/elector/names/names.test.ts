import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../../../test-kit/until.ts';
import { createElector, type Elector, type ElectorOptions, type Lead } from '../../../src/index.ts';
import { readFence } from '../../../src/lease/fence/index.ts';
import type { LeaseStore } from '../../../src/lease/index.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/index.ts';
import { claimOf } from '../../lease/contract/suite.ts';

const open: Elector[] = [];
const held: Lead[] = [];
afterEach(async () => {
  await Promise.all(held.splice(0).map((lead) => lead.release()));
  await Promise.all(open.splice(0).map((elector) => elector.close()));
});

const electorOn = (
  store: LeaseStore,
  id: string,
  names: readonly string[],
  more: Partial<ElectorOptions> = {},
): Elector => {
  const elector = createElector({
    store,
    names,
    id,
    ttlMs: 1_000,
    processProof: '',
    ...more,
  } as ElectorOptions);
  open.push(elector);
  return elector;
};
const win = async (...args: Parameters<typeof electorOn>): Promise<Lead> => {
  const lead = await electorOn(...args).acquire();
  held.push(lead);
  return lead;
};
const holders = async (store: LeaseStore, names = ['a', 'b', 'c']): Promise<(string | undefined)[]> =>
  (await store.read(names)).map(({ holder }) => holder?.id);

describe('a candidate for several elections', () => {
  test('leads all of them, each with its own token, and releases all', async () => {
    const store = new MemoryLeaseStore();
    const lead = await win(store, 'x', ['b', 'a']);
    const records = await store.read(['a', 'b']);
    expect(lead.tokens).toEqual({ a: records[0].token, b: records[1].token });
    expect([lead.term.name, lead.token]).toEqual(['a', records[0].token]);
    expect(await electorOn(store, 'w', ['a', 'b']).leaders()).toMatchObject([
      { type: 'led', holder: 'x' },
      { type: 'led', holder: 'x' },
    ]);
    await lead.release();
    expect(await holders(store)).toEqual([undefined, undefined, undefined]);
  });

  test('has a fence for each, signed with its key, that holds for this election alone', async () => {
    const key = 'k'.repeat(32);
    const lead = await win(new MemoryLeaseStore(), 'x', ['b', 'a'], { fenceKey: key });
    expect(Object.keys(lead.fences)).toEqual(['a', 'b']);
    for (const name of ['a', 'b']) {
      expect(readFence(lead.fences[name], { key, name })).toMatchObject({ name, token: lead.tokens[name] });
    }
    expect(() => readFence(lead.fences.b, { key, name: 'a' })).toThrow(/not "b"/);
    expect(lead.fence).toBe(lead.fences.a);
  });

  test('leads none while one of them is held, and all when that one is released', async () => {
    const store = new MemoryLeaseStore();
    const single = await createElector({ store, name: 'b', id: 'z', processProof: '' }).acquire();
    const waiting = win(store, 'x', ['a', 'b', 'c']);
    await until(async () => (await store.candidates('b')).length === 1);
    expect(await holders(store)).toEqual([undefined, 'z', undefined]);
    await single.release();
    await waiting;
    expect(await holders(store)).toEqual(['x', 'x', 'x']);
  });

  test.each([true, false])(
    'leads all when the lease of a dead holder of one is over; the store has a clock: %s',
    async (hasClock) => {
      const store = new MemoryLeaseStore({ hasClock });
      const [answer] = await store.acquire([claimOf('b', 'dead', { ttlMs: 300 })]);
      expect(answer.type).toBe('ok');
      await win(store, 'x', ['a', 'b', 'c']);
      expect(await holders(store)).toEqual(['x', 'x', 'x']);
    },
  );

  test('two with overlapping elections lead one after the other, without a deadlock', async () => {
    const store = new MemoryLeaseStore();
    const order: string[] = [];
    const run = async (id: string, names: readonly string[]): Promise<void> => {
      for (let round = 0; round < 5; round++) {
        const lead = await win(store, id, names);
        expect(await holders(store, [...names])).toEqual(names.map(() => id));
        order.push(id);
        await lead.release();
      }
    };
    await Promise.all([run('x', ['a', 'b']), run('y', ['b', 'a', 'c'])]);
    expect(order.filter((id) => id === 'x')).toHaveLength(5);
    expect(order).toHaveLength(10);
  });

  test('loses all when one of them is lost, and releases the others after its work has stopped', async () => {
    const store = new MemoryLeaseStore();
    const renew = store.renew.bind(store);
    let isLost = false;
    store.renew = async (requests) => {
      const answers = await renew(requests);
      return answers.map((answer, index) =>
        isLost && requests[index].name === 'b' ? { type: 'lost' as const } : answer,
      );
    };
    const stopped: (readonly (string | undefined)[])[] = [];
    const ends: string[] = [];
    const elector = electorOn(store, 'x', ['a', 'b'], {
      onEvent: (event) => {
        if (event.type === 'ended') ends.push(event.reason);
      },
    });
    const running = elector
      .runOnce(async (lead) => {
        isLost = true;
        await lead.ended;
        stopped.push(await holders(store, ['a']));
      })
      .catch((error) => error);
    expect(await running).toMatchObject({ code: 'HUSTINGS_LEASE_LOST' });
    expect({ ends, stopped }).toEqual({ ends: ['expired'], stopped: [['x']] });
    await until(async () => (await holders(store, ['a']))[0] === undefined);
  });

  test('reads and writes the checkpoint of the first election in the alphabet, and leaves those of the others', async () => {
    const store = new MemoryLeaseStore();
    const alone = await createElector({ store, name: 'b', id: 'z', processProof: '' }).acquire();
    await alone.release({ checkpoint: 'of b' });
    const checkpoints = async () => (await store.read(['a', 'b'])).map(({ checkpoint }) => checkpoint);
    const first = await win(store, 'x', ['b', 'a']);
    expect(first.checkpoint).toBeNull();
    first.setMetadata({ zone: 1 });
    await first.saveCheckpoint('at 1');
    expect(first.checkpoint).toBe('at 1');
    expect(await checkpoints()).toEqual(['at 1', 'of b']);
    expect((await store.read(['a', 'b'])).map(({ metadata }) => metadata)).toEqual([
      { zone: 1 },
      { zone: 1 },
    ]);
    await first.release({ checkpoint: 'at 2' });
    expect(await checkpoints()).toEqual(['at 2', 'of b']);
    expect((await win(store, 'y', ['a', 'b'])).checkpoint).toBe('at 2');
  });

  test('is evicted from all if it is evicted from one', async () => {
    const store = new MemoryLeaseStore();
    const lead = await win(store, 'x', ['a', 'b']);
    await store.evict('b');
    expect((await lead.ended).reason).toBe('evicted');
    await lead.release();
    expect(await holders(store)).toEqual([undefined, undefined, undefined]);
  });

  test('hands over the election that another candidate asked for, and leaves the other free', async () => {
    const store = new MemoryLeaseStore();
    const lead = await win(store, 'x', ['a', 'b']);
    const successor = createElector({ store, name: 'b', id: 'z', processProof: '' }).acquire();
    await until(async () => (await store.candidates('b')).length === 1);
    expect(await store.requestTransfer('b', 'z')).toBe('requested');
    expect((await lead.ended).reason).toBe('transferred');
    await lead.release();
    held.push(await successor);
    expect((await store.read(['a', 'b'])).map(({ holder, successor: next }) => [holder?.id, next])).toEqual([
      [undefined, null],
      ['z', null],
    ]);
  });

  test('is refused by a store without transactions over several elections', async () => {
    const store: LeaseStore = new MemoryLeaseStore();
    Object.assign(store, { capabilities: { ...store.capabilities, transactions: false } });
    await expect(electorOn(store, 'x', ['a', 'b']).acquire()).rejects.toThrow(
      'memory: has no transactions over several elections; give one name, or use another store',
    );
    expect(await store.names()).toEqual([]);
  });

  test('must be given distinct names, and neither a name nor slots beside them', async () => {
    const store = new MemoryLeaseStore();
    const made = (more: object) => () => createElector({ store, ...more } as never);
    expect(made({ names: [] })).toThrow('names must be a list of elections');
    expect(made({ names: ['a', 'a'] })).toThrow("names has 'a' twice; remove one");
    expect(made({ names: ['a'], name: 'b' })).toThrow('give name or names, not both');
    expect(made({ names: ['a', 'b'], slots: 2 })).toThrow('names exclude slots');
    expect(made({ names: ['a', 'b'], order: 'fair' })).toThrow(
      "order 'fair' needs one lease, and 2 names have one each; leave one of the two out",
    );
    expect(made({ name: 'a', slots: 2, order: 'fair' })).toThrow(
      "order 'fair' needs one lease, and 2 slots have one each; leave one of the two out",
    );
    expect(made({ name: 'a', slots: '3' })).toThrow("slots must be a whole number from 1 to 100, not '3'");
    expect(made({ name: 'a', slots: 1.5 })).toThrow('slots must be a whole number from 1 to 100, not 1.5');
    expect(made({ name: 'a', ttlMs: '9' })).toThrow(
      "ttlMs must be a whole number of milliseconds from 1, not '9'",
    );
    expect(made({})).toThrow('the name of an election');
    const elector = electorOn(store, 'x', ['a', 'b']);
    await expect(elector.leader()).rejects.toThrow("'a + b' has 2 leases; call leaders()");
    await expect(elector.cron('* * * * *', () => {})).rejects.toThrow('leave slots and names out');
  });
});
