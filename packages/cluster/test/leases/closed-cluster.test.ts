/** What electors are told when their cluster is closed: at that moment, and later. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { never } from '../../../../test-kit/until.ts';
import type { Elector } from '../../../hustings/src/elector/elector.ts';
import { createElector } from '../../../hustings/src/index.ts';
import type { LeaseStore } from '../../../hustings/src/lease/lease-store.ts';
import { openCluster } from '../../src/leases/open-cluster.ts';
import { localMembers } from '../wire/wire-cluster.ts';
import { type ScriptedMember, scriptedMember } from './leasing-member.ts';

const CLOSED = {
  code: 'HUSTINGS_CLUSTER_CLOSED',
  message: 'the cluster demo was closed by this process; open it again',
};
const CALLS: readonly [string, (elector: Elector) => Promise<unknown>][] = [
  ['watch', (elector) => elector.watch().next()],
  ['leader', (elector) => elector.leader()],
  ['leaders', (elector) => elector.leaders()],
  ['history', (elector) => elector.history()],
  ['acquire', (elector) => elector.acquire()],
  ['runOnce', (elector) => elector.runOnce(never)],
  ['campaign', (elector) => elector.campaign(never)],
];

describe('a watch', () => {
  let member: ScriptedMember;
  beforeEach(async () => {
    member = await scriptedMember(60_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await member.remove();
  });

  /** The store of the member, and how many listen to it. */
  function counted(): { readonly store: LeaseStore; readonly listeners: () => number } {
    let listeners = 0;
    const watch: LeaseStore['watch'] = (name, listener) => {
      const unwatch = member.leases.watch(name, listener);
      listeners++;
      return () => {
        listeners--;
        unwatch();
      };
    };
    const store = new Proxy(member.leases, {
      get: (target, key) => {
        if (key === 'watch') return watch;
        const value = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { store, listeners: () => listeners };
  }

  it('that waits for a change rejects when the cluster is closed, and leaves no timer and no listener', async () => {
    const { store, listeners } = counted();
    member.follows(2);
    const seen: string[] = [];
    const watching = (async () => {
      for await (const view of member.elector({}, store).watch()) seen.push(view.type);
    })();
    const rejected = expect(watching).rejects.toMatchObject(CLOSED);
    await vi.waitUntil(() => vi.getTimerCount() === 1);
    expect(listeners()).toBe(1);
    await member.leases.drain(0);
    await rejected;
    expect(seen).toEqual(['led']);
    expect([vi.getTimerCount(), listeners()]).toEqual([0, 0]);
  });

  it('whose reader is busy when the cluster is closed rejects at its next step', async () => {
    const { store, listeners } = counted();
    const views = member.elector({}, store).watch();
    expect((await views.next()).value).toMatchObject({ type: 'vacant' });
    await member.leases.close();
    await expect(views.next()).rejects.toMatchObject(CLOSED);
    expect([vi.getTimerCount(), listeners()]).toEqual([0, 0]);
    expect(await views.next()).toEqual({ done: true, value: undefined });
  });

  it('does not end when its member takes no part any more: the leader is unknown', async () => {
    const views = member.elector().watch();
    await views.next();
    member.leases.fail('takes no part any more: the disk is full');
    expect((await views.next()).value).toMatchObject({ type: 'unknown' });
    await views.return();
  });
});

it('every call rejects from the moment of the close, of electors that were served and of new ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-closed-'));
  try {
    const cluster = openCluster({ members: await localMembers(1), id: 1, algorithm: 'raft', folder });
    const served = CALLS.map(() => createElector({ cluster, name: 'job' }));
    for (const elector of served) await elector.leader();
    const outcomes = (electors: readonly Elector[]): Promise<unknown> =>
      Promise.all(
        CALLS.map(async ([name, call], index) => [name, await call(electors[index]).catch((error) => error)]),
      );
    const all = CALLS.map(([name]) => [name, expect.objectContaining(CLOSED)]);
    const closing = cluster.close();
    expect(await outcomes(served)).toEqual(all);
    await closing;
    expect(await outcomes(served)).toEqual(all);
    expect(await outcomes(CALLS.map(() => createElector({ cluster, name: 'new' })))).toEqual(all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
