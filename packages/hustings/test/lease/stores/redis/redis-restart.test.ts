import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { describeWith, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { createElector } from '../../../../src/elector/create-elector.ts';
import type { AcquireAnswer } from '../../../../src/lease/core/calls.ts';
import { keysOf } from '../../../../src/lease/stores/redis/redis-row.ts';
import { claim, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { open, start, toEnd } from './redis-fixture.ts';

async function connect(url: string): Promise<Redis> {
  const redis = new Redis(url, { stringNumbers: true });
  toEnd.push(async () => redis.disconnect());
  return redis;
}

/** Longer than any test takes: a lease that is granted was granted at once. */
const TTL_MS = 600_000;
const waiting = { type: 'held', record: { holder: null, successor: null } };
const remainingOf = (answer: AcquireAnswer): number =>
  (answer.type === 'held' ? answer.record.remainingMs : null) ?? Number.NaN;
const NO_INFO = ['app on >p ~* +@all -@dangerous'];
const asApp = (server: TestServer): string => `redis://app:p@127.0.0.1:${server.port}`;

await describeWith('redis-server', 'Redis after a restart', () => {
  it.each([
    ['may run INFO', (server: TestServer) => server.url],
    ['may not run INFO', asApp],
  ])('in which it forgot everything grants nothing for one ttl; the user %s', async (_, urlOf) => {
    const server = await start({ appendonly: false, acl: NO_INFO });
    const store = await open(urlOf(server));
    await win(store, 'job', 'a', TTL_MS);
    await server.restart('kill9');
    const answer = await eventually(
      () => claim(store, 'job', 'b', TTL_MS).catch(() => undefined),
      'it is back',
    );
    expect(answer).toMatchObject(waiting);
    // One TTL from the first request, and no longer.
    expect(remainingOf(answer)).toBeGreaterThan(TTL_MS - 60_000);
    expect(remainingOf(answer)).toBeLessThanOrEqual(TTL_MS);
  });

  it('and at its first use the log says why nobody leads yet, and for how long', async () => {
    const server = await start({ isNew: true });
    const lines: string[] = [];
    const elector = createElector({
      ...{ store: server.url, name: 'job', ttlMs: TTL_MS },
      logger: ({ message }) => lines.push(message),
    });
    toEnd.push(() => elector.close());
    elector.campaign(async () => undefined).catch(() => undefined);
    await eventually(async () => lines.length > 0 || undefined, 'a line is logged');
    expect(lines[0]).toMatch(
      /^hustings: 'job': waiting: the store is new or was restarted empty, and grants its first lease in (600|5\d\d) s$/,
    );
  });

  it('that is durable, but came back empty, grants nothing for one ttl', async () => {
    const server = await start();
    const store = await open(server.url);
    await win(store, 'job', 'a', TTL_MS);
    await server.kill9();
    // The folder since Redis 7, the file before.
    for (const kept of ['appendonlydir', 'appendonly.aof']) {
      rmSync(join(server.folder, kept), { recursive: true, force: true });
    }
    await server.restart();
    const answer = await eventually(
      () => claim(store, 'job', 'b', TTL_MS).catch(() => undefined),
      'it is back',
    );
    expect(answer).toMatchObject(waiting);
  });

  it('with the leases of a snapshot grants none for the longer ttl of holder and challenger, unless it is renewed', async () => {
    const server = await start({ appendonly: false });
    const store = await open(server.url);
    const [kept, expired] = [await win(store, 'kept', 'a', TTL_MS), await win(store, 'expired', 'a', TTL_MS)];
    await store.release([releaseOf('free', 'a', await win(store, 'free', 'a', TTL_MS))]);
    const raw = await connect(server.url);
    await raw.hset(keysOf('hustings:', 'expired').row, 'untilMs', '1');
    await raw.save();
    await server.restart('kill9');
    const free = await eventually(
      () => claim(store, 'free', 'b', 1_000).catch(() => undefined),
      'it is back',
    );
    for (const answer of [free, await claim(store, 'expired', 'b', 1_000)]) {
      expect(answer).toMatchObject(waiting);
      expect(remainingOf(answer)).toBeGreaterThan(TTL_MS - 60_000);
    }
    expect(await renew(store, 'expired', 'a', expired)).toEqual({ type: 'lost' });
    expect((await renew(store, 'kept', 'a', kept)).type).toBe('ok');
    await store.release([releaseOf('kept', 'a', kept)]);
    expect((await win(store, 'kept', 'b', TTL_MS)) > kept).toBe(true);
  });

  it('or a failover to a replica grants no lease that the new primary has not renewed', async () => {
    const primary = await start({ args: ['--repl-diskless-sync-delay', '0'] });
    const args = ['--replicaof', '127.0.0.1', `${primary.port}`];
    const replica = await start({ appendonly: false, args });
    const before = await open(primary.url, { waitReplicas: 1, timeoutMs: 1_000, waitAfterRestart: false });
    const token = await eventually(
      () => win(before, 'job', 'a').catch(() => undefined),
      'the replica has joined',
    );
    await before.release([releaseOf('job', 'a', token)]);
    await (await connect(replica.url)).replicaof('NO', 'ONE');
    const after = await open(replica.url);
    expect(await claim(after, 'job', 'b', TTL_MS)).toMatchObject(waiting);
  });

  it.each([
    ['that has copied the new primary', true],
    ['that never reached the new primary', false],
  ])('or a failback to the first primary, %s, grants nothing for one ttl', async (_, isCopied) => {
    const options = { appendonly: false, args: ['--repl-diskless-sync-delay', '0'] };
    const [first, second] = [await start(options), await start(options)];
    const [rawFirst, rawSecond] = [await connect(first.url), await connect(second.url)];
    const isSynced = async (raw: Redis): Promise<true | undefined> =>
      /master_link_status:up/.test(await raw.info('replication')) || undefined;
    await rawSecond.replicaof('127.0.0.1', first.port);
    await eventually(() => isSynced(rawSecond), 'the second server has joined');
    const [immediate, store] = [
      await open(first.url, { waitAfterRestart: false, waitReplicas: 1 }),
      await open(first.url),
    ];
    await immediate.release([releaseOf('job', 'a', await win(immediate, 'job', 'a', TTL_MS))]);
    await rawSecond.replicaof('NO', 'ONE');
    await rawFirst.replicaof('127.0.0.1', isCopied ? second.port : 1);
    const during = await open(second.url, { waitAfterRestart: false, waitReplicas: isCopied ? 1 : 0 });
    if (isCopied) {
      await eventually(() => isSynced(rawFirst), 'the first server has joined');
      await win(during, 'other', 'b', TTL_MS);
      await rawFirst.replicaof('127.0.0.1', 1);
    }
    const lost = await open(second.url, { waitAfterRestart: false });
    await win(lost, 'job', 'b', TTL_MS);
    await rawFirst.replicaof('NO', 'ONE');
    expect(await claim(store, 'job', 'c', TTL_MS)).toMatchObject(waiting);
    expect(await claim(await open(first.url), 'job', 'c', TTL_MS)).toMatchObject(waiting);
  });

  it('or a promotion grants a lease at once only if it was renewed after a script has seen the promotion', async () => {
    const server = await start();
    const [holder, other] = [await open(server.url), await open(server.url)];
    const raw = await connect(server.url);
    const rowOf = (name: string): string => keysOf('hustings:', name).row;
    const [early, late] = [await win(holder, 'early', 'a', TTL_MS), await win(holder, 'late', 'a', TTL_MS)];
    const run = await raw.hget(rowOf('early'), 'run');
    await raw.replicaof('127.0.0.1', 1);
    await raw.replicaof('NO', 'ONE');
    expect((await renew(holder, 'early', 'a', early)).type).toBe('ok');
    // On a slow machine the last examination is too old, and this renewal has examined the server.
    const hasExamined = (await raw.hget(rowOf('early'), 'run')) !== run;
    await raw.hset(rowOf('early'), 'untilMs', '1');
    expect((await claim(other, 'early', 'b', TTL_MS)).type).toBe(hasExamined ? 'ok' : 'held');
    expect((await renew(holder, 'late', 'a', late)).type).toBe('ok');
    await raw.hset(rowOf('late'), 'untilMs', '1');
    expect((await claim(other, 'late', 'b', TTL_MS)).type).toBe('ok');
  });

  it('on a clock that was ahead waits for at most one ttl', async () => {
    const server = await start();
    const store = await open(server.url);
    const raw = await connect(server.url);
    await raw.hset(keysOf('hustings:', '').layout, 'seenUs', `${(Date.now() + TTL_MS) * 1_000}`);
    const answer = await claim(store, 'job', 'a', 500);
    expect(answer).toMatchObject(waiting);
    expect(remainingOf(answer)).toBeLessThanOrEqual(500);
    await eventually(() => win(store, 'job', 'a', 500).catch(() => undefined), 'it is granted');
  });

  it('is recognized by all users, whichever of them asks first', async () => {
    const server = await start({ appendonly: false, acl: NO_INFO });
    const [ignorant, informed] = [await open(asApp(server)), await open(server.url)];
    await server.restart('kill9');
    for (const store of [ignorant, informed, ignorant]) {
      expect(await claim(store, 'job', 'b', TTL_MS)).toMatchObject(waiting);
    }
    const raw = await connect(server.url);
    const layout = await raw.hgetall(keysOf('hustings:', '').layout);
    expect(layout.run).toMatch(/^[0-9a-f]{40}:[0-9a-f]{40}$/);
    await claim(ignorant, 'job', 'b', TTL_MS);
    expect(await raw.hgetall(keysOf('hustings:', '').layout)).toEqual(layout);
  });

  it('grants nothing for one ttl after FLUSHALL; tokens are larger all the same, and the lease is lost', async () => {
    const server = await start();
    const raw = await connect(server.url);
    const store = await open(server.url, { waitAfterRestart: false });
    const waiting = await open(server.url);
    let last = 0n;
    for (let round = 0; round < 50; round++) {
      const token = await win(store, 'job', 'a');
      expect(token > last, `${token} after ${last}`).toBe(true);
      last = token;
      await raw.flushall();
      expect(await renew(store, 'job', 'a', token)).toEqual({ type: 'lost' });
      expect((await store.read(['job']))[0]).toMatchObject({ token: 0n, holder: null });
      expect(await claim(waiting, 'job', 'b')).toMatchObject({ type: 'held', record: { holder: null } });
    }
  });
});
