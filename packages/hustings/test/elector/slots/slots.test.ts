import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createElector,
  type Elector,
  type ElectorEvent,
  type ElectorOptions,
  type Lead,
} from '../../../src/index.ts';
import { slotName } from '../../../src/lease/index.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/index.ts';

const open: Elector[] = [];
const held: Lead[] = [];
afterEach(async () => {
  await Promise.all(held.splice(0).map((lead) => lead.release()));
  await Promise.all(open.splice(0).map((elector) => elector.close()));
});

const electorOn = (store: MemoryLeaseStore, id: string, options: Partial<ElectorOptions> = {}): Elector => {
  const elector = createElector({
    store,
    name: 'jobs',
    slots: 3,
    id,
    ttlMs: 2_000,
    processProof: '',
    ...options,
  } as ElectorOptions);
  open.push(elector);
  return elector;
};

const win = async (...args: Parameters<typeof electorOn>): Promise<Lead> => {
  const won = await electorOn(...args).acquire();
  held.push(won);
  return won;
};

const three = (store: MemoryLeaseStore): Promise<Lead[]> =>
  Promise.all(['a', 'b', 'c'].map((id) => win(store, id)));

describe('an election with three slots', () => {
  let store: MemoryLeaseStore;
  beforeEach(() => {
    store = new MemoryLeaseStore();
  });

  test('three of five candidates lead, each in a slot of its own with its own token; the others wait', async () => {
    const leads = await three(store);
    expect(leads.map(({ slot }) => slot).sort()).toEqual([1, 2, 3]);
    expect(leads.map(({ term }) => term.name).sort()).toEqual(['jobs', 'jobs#2', 'jobs#3']);
    const waiting = electorOn(store, 'd');
    await expect(waiting.acquire({ timeoutMs: 0 })).rejects.toThrow("did not become leader of 'jobs'");
    const views = await waiting.leaders();
    expect(views.map(({ slot, type }) => [slot, type])).toEqual([1, 2, 3].map((slot) => [slot, 'led']));
    await expect(waiting.leader()).rejects.toThrow("'jobs' has 3 leases; call leaders()");
    expect(JSON.parse(JSON.stringify(views))[0]).toMatchObject({ slot: 1, token: expect.any(String) });
  });

  test('a slot that is released is taken by a candidate that waits, with a larger token of that slot', async () => {
    const leads = await three(store);
    const waiting = win(store, 'd');
    await expect.poll(() => store.candidates('jobs#2')).toHaveLength(1);
    const second = leads.find(({ slot }) => slot === 2)!;
    await second.release();
    const lead = await waiting;
    expect(lead.slot).toBe(2);
    expect(lead.token > second.token).toBe(true);
    expect(lead.fence).toBe(`h0.${Buffer.from('jobs#2').toString('base64url')}.${lead.token}`);
    // It waits for nothing any more.
    await expect.poll(async () => (await electorOn(store, 'd').candidates()).length).toBe(0);
  });

  test('a candidate holds one slot, also if several are released at the same time', async () => {
    const leads = await three(store);
    const waiting = win(store, 'd');
    await expect.poll(() => store.candidates('jobs#3')).toHaveLength(1);
    await Promise.all(leads.map((lead) => lead.release()));
    await waiting;
    await expect
      .poll(async () =>
        (await store.read(['jobs', 'jobs#2', 'jobs#3'])).filter(({ holder }) => holder !== null),
      )
      .toMatchObject([{ holder: { id: 'd' } }]);
  });

  test('two slots that one request is granted become one: the other is released unused', async () => {
    // Without notifications, a waiting candidate does not know that two slots were released.
    const silent = Object.assign(Object.create(store) as MemoryLeaseStore, {
      ...{ label: store.label, capabilities: store.capabilities, watch: undefined, isPushing: () => false },
    });
    for (const name of ['acquire', 'renew', 'release', 'read', 'withdraw', 'candidates'] as const) {
      Object.assign(silent, {
        [name]: (...args: never[]) => (store[name] as (...all: never[]) => unknown)(...args),
      });
    }
    const leads = await three(store);
    const waiting = win(silent, 'd');
    await expect.poll(() => store.candidates('jobs#3')).toHaveLength(1);
    await Promise.all(leads.map((lead) => lead.release()));
    const lead = await waiting;
    await expect
      .poll(async () =>
        (await store.read(['jobs', 'jobs#2', 'jobs#3'])).map(({ holder }) => holder?.id ?? null),
      )
      .toEqual([1, 2, 3].map((slot) => (slot === lead.slot ? 'd' : null)));
    const unused = (await electorOn(store, 'e').history()).filter(({ holder }) => holder === 'd');
    expect(unused.filter(({ cause }) => cause === 'released')).toHaveLength(2);
  });

  test.each([true, false])(
    'a slot whose holder does not renew is taken when its lease is over; the store has a clock: %s',
    async (hasClock) => {
      store = new MemoryLeaseStore({ hasClock });
      await three(store);
      const dead = await store.read(['jobs#2']);
      const renew = store.renew.bind(store);
      store.renew = async (requests) => {
        const isAlive = ({ name }: { name: string }) => name !== 'jobs#2';
        return Promise.all(
          requests.map(async (each) =>
            isAlive(each) ? (await renew([each]))[0] : new Promise<never>(() => {}),
          ),
        );
      };
      const lead = await win(store, 'd');
      expect(lead.slot).toBe(2);
      expect(lead.token > dead[0].token).toBe(true);
    },
  );

  test('on a slow store, requests that timed out do not pile up', async () => {
    const acquire = store.acquire.bind(store);
    let pending = 0;
    let most = 0;
    store.acquire = async (requests) => {
      most = Math.max(most, ++pending);
      // Longer than the timeout of a request, and shorter than a lease.
      await sleep(500);
      pending--;
      return acquire(requests);
    };
    const leads = await three(store);
    expect(leads.map(({ slot }) => slot).sort()).toEqual([1, 2, 3]);
    // One of each candidate.
    expect(most).toBeLessThanOrEqual(3);
  });

  test('evict and transfer concern one slot', async () => {
    const leads = await three(store);
    const [first, second, third] = leads.sort((x, y) => x.slot - y.slot);
    const waiting = win(store, 'd');
    await expect.poll(() => store.candidates('jobs')).toHaveLength(1);
    expect(await store.evict(slotName('jobs', 1))).toBe(true);
    expect((await first.ended).reason).toBe('evicted');
    await first.release();
    expect((await waiting).slot).toBe(1);
    const successor = win(store, 'e');
    await expect.poll(() => store.candidates('jobs#2')).toMatchObject([{ id: 'e' }]);
    await second.transfer({ to: 'e' });
    expect((await successor).slot).toBe(2);
    expect(third.isValid()).toBe(true);
  });

  test('one holder yields to a candidate of higher priority, the one of the lowest priority', async () => {
    const priorities = { a: 5, b: 1, c: 3 };
    const options = { ttlMs: 5_000, yieldAfterMs: 1, renewEveryMs: 100, requestTimeoutMs: 600 };
    let renewals = 0;
    const onEvent = ({ type }: ElectorEvent): void => {
      if (type === 'renewed') renewals++;
    };
    const campaigns = Object.entries(priorities).map(([id, priority]) => {
      const elector = electorOn(store, id, { ...options, priority, onEvent });
      void elector.campaign((lead) => lead.ended);
      return elector;
    });
    await expect
      .poll(async () => (await campaigns[0].leaders()).filter(({ type }) => type === 'led'))
      .toHaveLength(3);
    const lead = await win(store, 'd', { ...options, priority: 4 });
    const holders = async () =>
      (await campaigns[0].leaders()).map((view) => (view.type === 'led' ? view.holder : null)).sort();
    await expect.poll(holders).toEqual(['a', 'c', 'd']);
    expect(lead.isValid()).toBe(true);
    // The holders are told of a challenger with a renewal.
    renewals = 0;
    await expect.poll(() => renewals, { timeout: 20_000 }).toBeGreaterThan(6);
    const terms = await campaigns[0].history();
    // Nobody else has stepped down.
    expect(terms.filter(({ cause }) => cause === 'transferred').map(({ holder }) => holder)).toEqual(['b']);
  });

  test('a watch tells the changes of all slots, or of one', async () => {
    const stop = new AbortController();
    const seen: (readonly [number | undefined, string])[] = [];
    const watching = (async () => {
      for await (const view of electorOn(store, 'w').watch({ signal: stop.signal }))
        seen.push([view.slot, view.type]);
    })();
    await expect.poll(() => seen.length).toBe(3);
    const lead = await win(store, 'a');
    await expect.poll(() => seen.slice(3)).toEqual([[1, 'led']]);
    await lead.release();
    await expect.poll(() => seen.slice(4)).toEqual([[1, 'vacant']]);
    stop.abort();
    await watching;
    for await (const view of electorOn(store, 'w').watch({ slot: 3 })) {
      expect(view.type).toBe('vacant');
      break;
    }
    expect(() => electorOn(store, 'w').watch({ slot: 4 })).toThrow(
      'slot must be a whole number from 1 to 3, not 4',
    );
  });

  test('a waiting candidate gets a free slot in one round trip, and reads once that no other number leads', async () => {
    const leads = await three(store);
    const waiting = win(store, 'd');
    await expect.poll(() => store.candidates('jobs#3')).toHaveLength(1);
    const acquire = vi.spyOn(store, 'acquire');
    const read = vi.spyOn(store, 'read');
    await leads.find(({ slot }) => slot === 3)!.release();
    await waiting;
    expect([acquire.mock.calls.length, read.mock.calls.length]).toEqual([1, 1]);
  });

  test('an elector of one slot is an elector without slots', async () => {
    const lead = await win(store, 'a', { slots: 1 });
    expect([lead.slot, lead.term.name]).toEqual([1, 'jobs']);
    expect(await electorOn(store, 'b', { slots: undefined }).leader()).toMatchObject({ holder: 'a' });
  });

  test('refuses numbers that are none, and a schedule, which needs one leader', async () => {
    for (const [slots, shown] of [...[0, 1.5, 101].map((each) => [each, `${each}`]), ['3', "'3'"]]) {
      expect(() => electorOn(store, 'a', { slots: slots as never })).toThrow(
        `slots must be a whole number from 1 to 100, not ${shown}`,
      );
    }
    expect(() => electorOn(store, 'a', { name: 'x'.repeat(199) })).toThrow('an election with slots');
    await expect(electorOn(store, 'a').cron('* * * * *', () => {})).rejects.toThrow(
      'a schedule needs one election with one leader',
    );
  });
});

describe('candidates that disagree on the number of slots', () => {
  const differing = async (first: number, second: number): Promise<readonly ElectorEvent[]> => {
    const store = new MemoryLeaseStore();
    const lead = await win(store, 'a', { slots: first });
    const events: ElectorEvent[] = [];
    const other = electorOn(store, 'b', { slots: second, onEvent: (event) => void events.push(event) });
    const waiting = other.acquire().then((won) => {
      held.push(won);
      return won;
    });
    await expect.poll(() => events.some(({ type }) => type === 'slots-differ')).toBe(true);
    // It takes no slot while the other leads, although slots are free.
    expect(
      (await electorOn(store, 'c', { slots: 9 }).leaders()).filter(({ type }) => type === 'led'),
    ).toHaveLength(1);
    await lead.release();
    expect((await waiting).isValid()).toBe(true);
    return events.filter(({ type }) => type === 'slots-differ');
  };

  test.each([
    [3, 4],
    [4, 3],
    [1, 3],
    [3, 1],
  ])(
    'with %i and %i: the second waits, is told once, and leads when the first has released',
    async (a, b) => {
      expect(await differing(a, b)).toEqual([{ type: 'slots-differ', holder: 'a', theirs: a, own: b }]);
    },
  );

  test('do not lead at the same time, although a slot was taken between the read and the request of the other', async () => {
    const store = new MemoryLeaseStore();
    const acquire = store.acquire.bind(store);
    let isFirst = true;
    const leads: Lead[] = [];
    store.acquire = async (requests) => {
      if (isFirst && requests.some(({ id }) => id === 'b')) {
        isFirst = false;
        const first = await win(store, 'a', { slots: 3 });
        leads.push(await win(store, 'c', { slots: 3 }));
        await first.release();
      }
      return acquire(requests);
    };
    const events: ElectorEvent[] = [];
    const onEvent = (event: ElectorEvent): void => void events.push(event);
    const waiting = electorOn(store, 'b', { slots: 4, onEvent }).acquire();
    await expect
      .poll(() => events.some(({ type }) => type === 'slots-differ' || type === 'elected'))
      .toBe(true);
    expect(events.map(({ type }) => type)).not.toContain('elected');
    expect(leads[0].slot).toBe(2);
    await expect.poll(async () => (await store.read(['jobs']))[0].holder).toBeNull();
    await leads[0].release();
    held.push(await waiting);
  });

  test('a logger and the process are told what to do', async () => {
    const store = new MemoryLeaseStore();
    await win(store, 'a');
    const lines: string[] = [];
    const logged = electorOn(store, 'b', { slots: 2, logger: ({ message }) => void lines.push(message) });
    await logged.acquire({ timeoutMs: 0 }).catch(() => {});
    expect(lines).toContain(
      "hustings: 'jobs': 'a' leads with slots: 3, and this candidate waits, with slots: 2; start all candidates with the same number",
    );
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await electorOn(store, 'c', { slots: 2 })
      .acquire({ timeoutMs: 0 })
      .catch(() => {});
    expect(warn.mock.calls.map(([, options]) => options)).toEqual([{ code: 'HUSTINGS_SLOTS_DIFFER' }]);
    warn.mockRestore();
  });
});
