import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { aborted, never, until } from '../../../../test-kit/until.ts';
import type { Elector } from '../../../hustings/src/elector/elector.ts';
import type { ElectorOptions } from '../../../hustings/src/elector/elector-options.ts';
import type { Lead } from '../../../hustings/src/elector/lead.ts';
import { createElector } from '../../../hustings/src/index.ts';
import type { LeaseStore } from '../../../hustings/src/lease/lease-store.ts';
import { MemoryLeaseStore } from '../../../hustings/src/lease/stores/memory/memory-lease-store.ts';
import { type ScriptedMember, scriptedMember } from './leasing-member.ts';

/** Longer than any test: only what the member says ends a lead. */
const LONG = 60_000;
/** Short enough to wait for, and long enough for a busy machine. */
const LEASE = 3_000;
const CLOSED = {
  code: 'HUSTINGS_CLUSTER_CLOSED',
  message: 'the cluster demo was closed by this process; open it again',
};
const members: ScriptedMember[] = [];
let member: ScriptedMember;
const memberWith = async (...args: Parameters<typeof scriptedMember>): Promise<ScriptedMember> => {
  const made = await scriptedMember(...args);
  members.push(made);
  return made;
};
beforeEach(async () => {
  member = await memberWith(LONG);
});
afterEach(async () => {
  for (const each of members.splice(0)) await each.remove();
});

describe('an elector of a cluster', () => {
  it('leads with the token of its member, and not before that one leads', async () => {
    const elector = member.elector();
    const leading = elector.acquire();
    member.follows(2);
    await expect(member.elector().acquire({ timeoutMs: 0 })).rejects.toThrow("it is held by '2'");
    expect(elector.health().state).toBe('waiting');
    const token = member.leads();
    const lead = await leading;
    expect([lead.token, lead.term.holder, elector.id]).toEqual([BigInt(token), '1', '1']);
    expect(elector.metrics.isLeader).toBe(true);
    await lead.release();
  });

  it('is told at the loss of its member to stop, and not at its next renewal', async () => {
    member.leads();
    const lead = await member.elector().acquire();
    const { deadline } = lead;
    member.follows(2);
    expect(await aborted(lead.signal)).toMatchObject({ reason: 'expired' });
    // Nothing else ended it: the renewal was due in seconds, and the deadline in a minute.
    expect(performance.now()).toBeLessThan(deadline!.monoMs - LONG / 2);
    expect(lead.isValid()).toBe(false);
  });

  it('has the same loss found later, if the store does not notify: a mutant', async () => {
    member.leads();
    const deaf: LeaseStore = new Proxy(member.leases, {
      get: (target, key) => {
        const value = key === 'watch' ? () => () => {} : Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const lead = await member.elector({}, deaf).acquire();
    member.follows(2);
    await sleep(50);
    expect(lead.signal.aborted).toBe(false);
    await lead.release();
  });

  it('runs the work of each term after that of the term before has settled', async () => {
    member = await memberWith(LEASE);
    const stop = new AbortController();
    const log: string[] = [];
    const running = member.elector().campaign(
      async (lead) => {
        log.push(`begin ${lead.token}`);
        await lead.ended;
        await sleep(30);
        log.push(`end ${lead.token}`);
        if (lead.token === 3n) stop.abort();
      },
      { signal: stop.signal },
    );
    member.leads();
    await until(() => log.length === 1);
    member.follows(2);
    member.leads();
    await until(() => log.length === 3);
    member.follows(null);
    await until(() => log.length === 4);
    stop.abort();
    await running;
    expect(log).toEqual(['begin 1', 'end 1', 'begin 3', 'end 3']);
  });

  it('lets its member resign when the work has ended, and leads again with a larger token', async () => {
    const elector = member.elector();
    member.leads();
    expect(await elector.runOnce(async (lead) => lead.token)).toBe(1n);
    expect(member.resigned).toEqual([1]);
    member.leads();
    const lead = await elector.acquire();
    expect(member.resigned).toEqual([1]);
    expect(lead.token).toBe(2n);
    await lead.release();
    expect(member.resigned).toEqual([1, 2]);
  });

  it('is not granted the token of a term that it has ended, even while its member still leads', async () => {
    member = await memberWith(LONG, false);
    member.leads();
    const elector = member.elector();
    await (await elector.acquire()).release();
    expect(await elector.leader()).toMatchObject({ type: 'led', holder: '1', token: 1n });
    await expect(elector.acquire({ timeoutMs: 0 })).rejects.toThrow("it is held by '1'");
  });

  it('lets its member resign from a term in which that one leads again after a loss: nobody could use its token', async () => {
    member.leads();
    const lead = await member.elector().acquire();
    member.lapses();
    await aborted(lead.signal);
    expect(member.resigned).toEqual([]);
    member.leadsAgain();
    expect(member.resigned).toEqual([1]);
  });

  it('leads together with an elector of another name, and the first that ends its term ends it for both', async () => {
    member.leads();
    const reports = await member.elector({ name: 'reports' }).acquire();
    const mails = await member.elector({ name: 'mails' }).acquire();
    expect([reports.token, mails.token]).toEqual([1n, 1n]);
    await reports.release();
    expect(await aborted(mails.signal)).toMatchObject({ reason: 'transferred' });
    // The work of the other one has not settled.
    expect(member.resigned).toEqual([]);
    await mails.release();
    expect(member.resigned).toEqual([1]);
  });

  it('waits for another elector of the same name in its process', async () => {
    member.leads();
    const first = await member.elector().acquire();
    await expect(member.elector().acquire({ timeoutMs: 0 })).rejects.toThrow("it is held by '1'");
    await first.release();
  });

  it('yields the leader that its member knows, with the address, and every change', async () => {
    const elector = member.elector();
    const views = elector.watch();
    const next = async () => (await views.next()).value;
    expect(await next()).toMatchObject({ type: 'vacant', token: 0n });
    member.follows(2);
    expect(await next()).toMatchObject({
      ...{ type: 'led', holder: '2', token: 1n, remainingMs: null },
      metadata: { address: '127.0.0.1:7002' },
    });
    member.leads();
    expect(await next()).toMatchObject({ type: 'led', holder: '1', token: 2n });
    expect(await elector.leader()).toMatchObject({ type: 'led', holder: '1', token: 2n });
    await views.return();
    expect(
      (await elector.history()).map(({ token, holder, endMs }) => [token, holder, endMs === null]),
    ).toEqual([
      [2n, '1', true],
      [1n, '2', false],
    ]);
    expect(await elector.history({ limit: 1 })).toHaveLength(1);
  });

  it('stops at once if its member takes no part any more, and is not healthy until somebody acts', async () => {
    member = await memberWith(LEASE);
    const elector = member.elector();
    member.leads();
    const stop = new AbortController();
    const running = elector.campaign((lead) => lead.ended, { signal: stop.signal });
    await until(() => elector.health().state === 'leading');
    member.leases.fail('takes no part any more: the disk is full');
    await until(() => !elector.health().healthy);
    expect(elector.health().problem).toMatch(/member 1 of the cluster demo takes no part any more: the disk/);
    stop.abort();
    await running;
  });

  it('keeps its lease until its work has settled, when the cluster is closed, and then its campaign rejects', async () => {
    member = await memberWith(LEASE);
    const elector = member.elector();
    member.leads();
    let isSettled = false;
    const running = elector.campaign(async (lead) => {
      await lead.ended;
      await sleep(30);
      isSettled = true;
    });
    await until(() => elector.health().state === 'leading');
    await member.leases.drain(LONG);
    expect(isSettled).toBe(true);
    expect(member.resigned).toEqual([1]);
    await expect(running).rejects.toMatchObject(CLOSED);
  });

  it.each<[string, (elector: Elector) => Promise<unknown>]>([
    ['runOnce', (elector) => elector.runOnce(never)],
    ['acquire', (elector) => elector.acquire()],
    ['campaign', (elector) => elector.campaign(never)],
  ])('rejects %s when the cluster is closed while it waits, and afterwards', async (_, call) => {
    const elector = member.elector();
    member.follows(2);
    const waiting = call(elector);
    await until(() => elector.health().state === 'waiting');
    await member.leases.drain(LONG);
    await expect(waiting).rejects.toMatchObject(CLOSED);
    await expect(call(elector)).rejects.toMatchObject(CLOSED);
    await member.leases.close();
    await expect(call(elector)).rejects.toMatchObject(CLOSED);
    await expect(elector.leader()).rejects.toMatchObject(CLOSED);
  });
});

describe('a lead never claims more than its member has proved', () => {
  beforeEach(async () => {
    member = await memberWith(LEASE);
  });

  it('from the start, after each renewal, and when the majority is lost', async () => {
    const claims: [claimedMs: number, provedMs: number][] = [];
    const look = (lead: Lead): void => {
      const remainingMs = lead.remainingMs();
      if (remainingMs > 0) claims.push([performance.now() + remainingMs, member.untilMs!]);
    };
    member.leads(LEASE - 600);
    let renewals = 0;
    const elector = member.elector({
      onEvent: (event) => {
        if (event.type !== 'renewed') return;
        renewals++;
        look(event.lead);
      },
    });
    const lead = await elector.acquire();
    look(lead);
    member.extend(LEASE);
    await until(() => renewals > 0);
    // Nobody extends it any more.
    const reason = await aborted(lead.signal);
    look(lead);
    expect(reason).toMatchObject({ reason: 'renew-timeout' });
    expect(String(reason)).toContain('no majority has supported this member');
    expect(claims.length).toBeGreaterThan(1);
    // The clock of an elector counts whole milliseconds.
    expect(claims.filter(([claimedMs, provedMs]) => claimedMs > provedMs + 1)).toEqual([]);
    await lead.release();
  });

  it('the check sees a store that leaves out how old the proof is: a mutant', async () => {
    const boastful: LeaseStore = new Proxy(member.leases, {
      get: (target, key) => {
        if (key !== 'acquire') {
          const value = Reflect.get(target, key);
          return typeof value === 'function' ? value.bind(target) : value;
        }
        return async (...args: Parameters<LeaseStore['acquire']>) =>
          (await target.acquire(...args)).map((answer) => ({ ...answer, ageMs: 0 }));
      },
    });
    member.leads(LEASE - 600);
    const lead = await member.elector({}, boastful).acquire();
    expect(performance.now() + lead.remainingMs()).toBeGreaterThan(member.untilMs! + 1);
    await lead.release();
  });

  it('waits while too little is left for its work to start', async () => {
    member.leads(LEASE / 4);
    const leading = member.elector().acquire();
    await sleep(20);
    member.extend(LEASE);
    const lead = await leading;
    expect(lead.remainingMs()).toBeGreaterThan(LEASE / 4);
    await lead.release();
  });
});

test.each<[string, Partial<ElectorOptions>, string]>([
  ['names', { name: undefined, names: ['a', 'b'] }, 'all elections of a cluster have the same leader'],
  ['slots', { slots: 2 }, 'all elections of a cluster have the same leader'],
  ['priority', { priority: 1 }, 'in a cluster the algorithm chooses the leader'],
  ['order', { order: 'fair' }, 'in a cluster the algorithm chooses the leader'],
  ['id', { id: 'a' }, 'in a cluster the candidate is the member'],
  ['metadata', { metadata: { a: 1 } }, 'the members of a cluster share nothing but their leader'],
  ['ttlMs', { ttlMs: 5_000 }, 'in a cluster the durations follow from those of openCluster'],
])('an elector of a cluster refuses %s with its reason', (option, options, why) => {
  expect(() => member.elector(options)).toThrow(`${option} needs a store: ${why}`);
});

test('an elector takes a store or a cluster, and says so if it gets both, neither or something else', () => {
  expect(() => member.elector({ store: new MemoryLeaseStore() })).toThrow('give store or cluster, not both');
  expect(() => createElector({ name: 'job' } as never)).toThrow(/^store is required; .*, or a cluster$/);
  expect(() => createElector({ name: 'job', cluster: Promise.resolve() as never })).toThrow(
    'cluster must be what openCluster returns, not object',
  );
});

test('what candidates would leave for each other is refused, and the term goes on', async () => {
  member.leads();
  const elector = member.elector();
  const shared = 'the members of a cluster share nothing but their leader';
  for (const [what, call] of [
    ['cron', () => elector.cron('* * * * *', never)],
    ['ticks', () => elector.ticks()],
    ['candidates', () => elector.candidates()],
    ['holdAtLeastMs', () => elector.acquire({ holdAtLeastMs: 1 })],
  ] as const) {
    await expect(call()).rejects.toThrow(`${what} needs a store: ${shared}`);
  }
  const lead = await elector.acquire();
  await expect(lead.saveCheckpoint('a')).rejects.toThrow(`saveCheckpoint needs a store: ${shared}`);
  await expect(lead.release({ checkpoint: 'a' })).rejects.toThrow(`a checkpoint needs a store: ${shared}`);
  await expect(lead.transfer({ to: '2' })).rejects.toThrow(`transfer needs a store: ${shared}`);
  expect(() => lead.setMetadata({})).toThrow(`setMetadata needs a store: ${shared}`);
  expect(lead.isValid()).toBe(true);
  await lead.release();
});
