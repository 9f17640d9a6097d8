/** Sessions that meet on one lease: locks, and what happens between a look and its write. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  adminOf,
  describeWith,
  startMariadb,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import type { AcquireAnswer } from '../../../../src/lease/core/calls.ts';
import * as rules from '../../../../src/lease/core/lease-row.ts';
import { PartialAnswerError } from '../../../../src/lease/core/store-error.ts';
import { MysqlCalls } from '../../../../src/lease/stores/mysql/mysql-calls.ts';
import {
  loadMysql,
  type MysqlClient,
  mysqlAddress,
} from '../../../../src/lease/stores/mysql/mysql-client.ts';
import { endsConnection, mysqlError } from '../../../../src/lease/stores/mysql/mysql-error.ts';
import { MysqlLeaseStore } from '../../../../src/lease/stores/mysql/mysql-lease-store.ts';
import { MysqlLeases } from '../../../../src/lease/stores/mysql/mysql-leases.ts';
import { MysqlPreparation } from '../../../../src/lease/stores/mysql/mysql-preparation.ts';
import { ServerConnections } from '../../../../src/lease/stores/server-connections.ts';
import { claimOf as claim, eventually } from '../../contract/single-call.ts';

const LONG_MS = 3_600_000;
const claimOf = (name: string, nonce: string, ttlMs = LONG_MS) => claim(name, nonce, { nonce, ttlMs });

await describeWith('mariadbd', 'sessions on one MariaDB', () => {
  let server: TestServer;
  let admin: Connection;
  let store: MysqlLeaseStore;
  let connections: ServerConnections<MysqlClient>;
  /** The two packets of a change, one at a time. */
  let leases: MysqlLeases;

  beforeAll(async () => {
    server = await startMariadb();
    admin = await adminOf(server);
    store = await MysqlLeaseStore.open(server.url);
    const address = mysqlAddress(server.url);
    connections = new ServerConnections({
      ...{ label: address.label, most: 1, locks: '', endsConnection },
      make: await loadMysql(address, 3_000),
      destroy: (client) => client.destroy(),
      cancel: () => Promise.resolve(),
      toStoreError: (error) => mysqlError(address, error),
    });
    const options = { label: '', timeoutMs: 3_000, connections, isUrgent: false };
    const calls = new MysqlCalls({ ...options, preparation: new MysqlPreparation(address) });
    leases = new MysqlLeases(calls, 10_000);
  }, 90_000);
  afterAll(async () => {
    await store?.close();
    await connections?.close();
    await admin?.end();
    await server?.stop();
  });

  const win = async (name: string, nonce = 'a', ttlMs = LONG_MS): Promise<bigint> => {
    const [answer] = await store.acquire([claimOf(name, nonce, ttlMs)]);
    if (answer.type !== 'ok') throw new Error(`${nonce} did not get ${name}`);
    return answer.token;
  };
  const release = (name: string, token: bigint, nonce = 'a') =>
    store.release([{ name, nonce, token, reason: 'released', successor: null, reserveMs: 0 }]);
  const lock = async (name: string): Promise<void> => {
    await admin.query('START TRANSACTION');
    await admin.query('SELECT * FROM hustings_lease WHERE name = ? FOR UPDATE', [Buffer.from(name)]);
  };
  const acquireAfter = (name: string, look: Awaited<ReturnType<MysqlLeases['look']>>) =>
    leases.change<AcquireAnswer>(
      [
        {
          name,
          rule: (row) => rules.acquire(row, claimOf(name, 'late'), look.nowMs, true, look.minToken),
        },
      ],
      look,
    );

  it('a request that has looked at a free lease does not take it after another one did', async () => {
    const look = await leases.look(['taken']);
    await win('taken');
    expect(await acquireAfter('taken', look)).toEqual([undefined]);
    const again = await leases.look(['taken']);
    await release('taken', again.leases.get('taken')!.row.token);
    await win('taken', 'b');
    expect(await acquireAfter('taken', again)).toMatchObject([{ answer: { type: 'held' } }]);
    expect((await store.read(['taken']))[0].holder?.nonce).toBe('b');
    expect((await store.history('taken')).map(({ nonce }) => nonce)).toEqual(['b', 'a']);
  });

  it('a request that has looked at an expired lease does not take it after its row was written', async () => {
    await win('again', 'a', 1);
    await eventually(
      async () => ((await store.read(['again']))[0].remainingMs === 0 ? true : undefined),
      'the lease has expired',
    );
    const look = await leases.look(['again']);
    await win('again', 'b');
    expect(await acquireAfter('again', look)).toEqual([undefined]);
    expect((await store.read(['again']))[0].holder?.nonce).toBe('b');
  });

  it('a release that was decided before the end of the lease has no effect after it', async () => {
    const token = await win('late', 'a', 300);
    const look = await leases.look(['late']);
    const request = {
      name: 'late',
      nonce: 'a',
      token,
      reason: 'released' as const,
      successor: null,
      reserveMs: 0,
    };
    expect(rules.release(look.leases.get('late')!.row, request, look.nowMs).answer.type).toBe('ok');
    await eventually(
      async () => ((await store.read(['late']))[0].remainingMs === 0 ? true : undefined),
      'the lease has expired',
    );
    const rule = (row: rules.LeaseRow) => rules.release(row, request, look.nowMs);
    expect(await leases.change([{ name: 'late', rule }], look)).toEqual([undefined]);
    expect((await store.history('late'))[0]).toMatchObject({ cause: 'expired' });
  });

  it('a token is larger than those of an election that was deleted after the look', async () => {
    const look = await leases.look(['pruned']);
    await store.init({ tokenFrom: 2n ** 55n });
    const token = await win('pruned');
    expect(token).toBeGreaterThan(2n ** 55n);
    await release('pruned', token);
    await eventually(
      async () => ((await store.prune(0)).includes('pruned') ? true : undefined),
      'the election is deleted',
    );
    const [changed] = await acquireAfter('pruned', look);
    expect(changed!.token).toBeGreaterThan(token);
    await admin.query('UPDATE hustings_layout SET past_token = 0');
  });

  it('a renewal that waited for a lock is judged by the time after it', async () => {
    const token = await win('waited', 'a', 400);
    await lock('waited');
    const renewal = store.renew([{ name: 'waited', nonce: 'a', token, ttlMs: LONG_MS }]);
    await sleep(700);
    await admin.query('COMMIT');
    expect(await renewal).toEqual([{ type: 'lost' }]);
  });

  it('a locked row stops its own election alone, and only as long as it is locked', async () => {
    const tokens = [await win('locked'), await win('not locked')];
    const renewals = ['locked', 'not locked'].map((name, index) => ({
      ...{ name, nonce: 'a', token: tokens[index], ttlMs: LONG_MS },
    }));
    await lock('locked');
    const failure = await store.renew(renewals).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialAnswerError);
    expect(failure).toMatchObject({
      kind: 'busy',
      message: expect.stringMatching(/locks the row of "locked"/),
    });
    expect((failure as PartialAnswerError).answers).toEqual([
      undefined,
      expect.objectContaining({ type: 'ok' }),
    ]);
    await expect(release('locked', tokens[0])).rejects.toMatchObject({ kind: 'busy' });
    expect((await store.read(['locked']))[0].holder?.nonce).toBe('a');
    expect(await store.acquire([claimOf('locked', 'b')])).toMatchObject([{ type: 'held' }]);
    await admin.query('COMMIT');
    expect(await store.renew(renewals)).toMatchObject([{ type: 'ok' }, { type: 'ok' }]);
  });

  it('lists in opposite orders never deadlock', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `crossed ${index}`);
    const other = await MysqlLeaseStore.open(server.url);
    for (let round = 0; round < 10; round += 1) {
      const [up, down] = await Promise.all([
        store.acquire(names.map((name) => claimOf(name, 'a'))),
        other.acquire([...names].reverse().map((name) => claimOf(name, 'b'))),
      ]);
      const held = names.map((_, index) => [up[index], down[names.length - 1 - index]]);
      for (const pair of held) expect(pair.filter(({ type }) => type === 'ok')).toHaveLength(1);
      await Promise.all(
        held.map(async ([a, b], index) => {
          if (a.type === 'ok') await release(names[index], a.token, 'a');
          if (b.type === 'ok') await release(names[index], b.token, 'b');
        }),
      );
    }
    await other.close();
  });

  it('a tick that ended after it was looked at is not started again', async () => {
    const first = await win('ticks');
    const tick = { name: 'ticks', tickMs: 1_000, missedMs: [], retry: true };
    expect(await store.startTick({ ...tick, nonce: 'a', token: first })).toEqual({ type: 'started' });
    await release('ticks', first);
    const second = await win('ticks', 'b');
    const [ended, started] = await Promise.all([
      store.endTick({ name: 'ticks', token: first, tickMs: 1_000, state: 'completed' }),
      store.startTick({ ...tick, nonce: 'b', token: second }),
    ]);
    expect([ended, started.type]).toSatisfy(
      ([isEnded, type]) => (isEnded && type === 'taken') || (!isEnded && type === 'started'),
    );
  });
});
