import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { runToSuccess } from '../../../../../../test-kit/limits/child-process.ts';
import { describeWith, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { startServer } from '../../../../../../test-kit/servers/server-process.ts';
import { InputError } from '../../../../../study/src/kernel/errors.ts';
import { RedisLeaseStore } from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { claim, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { open, start, toEnd } from './redis-fixture.ts';

const asApp = (server: TestServer): string => `redis://app:p@127.0.0.1:${server.port}`;

const SECRET = 's3cr3t/p@ss';
const encoded = encodeURIComponent(SECRET);

/** All that somebody could print of an error or a store. */
const printed = (value: unknown): string =>
  [
    inspect(value, { depth: 9, showHidden: true }),
    JSON.stringify(value),
    `${value}`,
    (value as Error)?.stack,
  ].join('\n');

async function failureOf(call: Promise<unknown>): Promise<Error & { code: string }> {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error;
}

describe('a URL of Redis', () => {
  it.each([
    ['redis://:s3cr3t@', 'no host'],
    ['redis://u:s3cr3t@h:99999', 'no port'],
    ['redis://u:s3cr3t@h/jobs', 'no number of a database'],
    ['redis://u:s3cr3t@h?password=s3cr3t', 'an unknown word'],
    ['redis://u:s3cr3t@h?timeoutMs=soon', 'no number'],
    ['redis://u:s3cr3t@h?waitAfterRestart=0', 'neither true nor false'],
    ['redis://u:s3cr3t@h?prefix={x}', 'braces in the prefix'],
    ['redis://u:s3cr3t%@h', 'a bare percent sign'],
    ['http://u:s3cr3t@h', 'another protocol'],
    ['s3cr3t', 'no URL'],
  ])('is refused as %s: %s, and the password is not quoted', async (url) => {
    const error = await failureOf(RedisLeaseStore.open(url));
    expect(error).toBeInstanceOf(InputError);
    expect(printed(error)).not.toContain('s3cr3t');
  });

  it.each([
    [`redis://us3r:${encoded}@localhost`, 'redis://localhost'],
    [`rediss://:${encoded}@db.example:7000/3`, 'rediss://db.example:7000/3'],
    ['redis://[::1]:7000/0?prefix=a:&waitReplicas=1', 'redis://[::1]:7000/0'],
  ])('%s has a label without user and password', async (url, label) => {
    const store = await open(url);
    expect(store.label).toBe(label);
    expect(printed(store)).not.toMatch(/s3cr3t|us3r/);
  });
});

await describeWith('redis-server', 'Redis', () => {
  it('with a password accepts it, and refuses others with an error without secrets', async () => {
    const server = await start({ password: SECRET });
    await win(await open(server.url), 'job', 'a');
    const wrong = await open(`redis://:wr0ng-${encoded}@127.0.0.1:${server.port}`);
    const none = await open(`redis://127.0.0.1:${server.port}`);
    const stranger = await open(`redis://nobody:${encoded}@127.0.0.1:${server.port}`);
    for (const store of [wrong, none, stranger]) {
      for (const call of [claim(store, 'job', 'b'), store.names(), store.probe()]) {
        const error = await failureOf(call);
        expect(error).toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
        expect(error.message).toMatch(/^redis:\/\/127\.0\.0\.1:\d+ refuses the user or the password/);
        expect(printed(error)).not.toMatch(/s3cr3t|wr0ng|nobody/);
      }
    }
  });

  it('works for a user with only the keys and channels of the prefix', async () => {
    const server = await start({
      acl: ['app on >p ~hustings:* &hustings:* +@all', 'other on >p ~elsewhere:* &elsewhere:* +@all'],
    });
    const store = await open(`redis://app:p@127.0.0.1:${server.port}`);
    let notifications = 0;
    store.watch('job', () => notifications++);
    await expect.poll(() => notifications, { timeout: 20_000 }).toBe(1);
    const token = await win(store, 'job', 'a');
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'ok' });
    await store.release([releaseOf('job', 'a', token)]);
    await expect.poll(() => notifications, { timeout: 20_000 }).toBe(2);
    expect(await store.names()).toEqual(['job']);
    expect(await store.probe()).toMatchObject({ problems: [], warnings: [] });
    const other = await open(`redis://other:p@127.0.0.1:${server.port}`);
    for (const call of [claim(other, 'job', 'b'), other.read(['job']), other.probe()]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
      expect(error.message).toMatch(/allow the user the keys and channels of the prefix/);
    }
  });

  it('works with the fewest permissions, and warns of missing INFO and channels', async () => {
    const commands =
      '+eval +evalsha +time +hset +hget +hmget +hgetall +hincrby +hdel +del +lpush +ltrim +lrange +zadd +zrem ' +
      '+zrevrange +zrangebyscore +zremrangebyrank +scan';
    const server = await start({ acl: [`app on >p ~hustings:* resetchannels ${commands}`] });
    const store = await open(`redis://app:p@127.0.0.1:${server.port}`);
    const token = await win(store, 'job', 'a');
    expect(await store.evict('job')).toBe(true);
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'evicted' });
    await store.release([releaseOf('job', 'a', token)]);
    expect(await store.history('job')).toHaveLength(1);
    expect(await store.names()).toEqual(['job']);
    const { problems, warnings } = await store.probe();
    expect(problems).toEqual([]);
    expect(warnings.join('\n')).toMatch(/\+info/);
    expect(warnings.join('\n')).toMatch(/&hustings:\* \+publish/);
  });

  it('reports every missing permission of its scripts', async () => {
    const needed = [
      'hset',
      'hget',
      'hmget',
      'hgetall',
      'hincrby',
      'hdel',
      'lpush',
      'ltrim',
      'lrange',
      'zadd',
      'zrem',
      'zrevrange',
      'zrangebyscore',
      'zremrangebyrank',
      'time',
    ];
    const server = await start({
      acl: needed.map((command) => `no-${command} on >p ~hustings:* &* +@all -${command}`),
    });
    for (const command of needed) {
      const store = await open(`redis://no-${command}:p@127.0.0.1:${server.port}`);
      expect(await failureOf(store.probe())).toMatchObject({ code: 'HUSTINGS_STORE_DENIED' });
    }
  });

  it('takes its settings from the URL', async () => {
    const server = await start();
    const store = await open(`${server.url}?prefix=jobs:&timeoutMs=5000&waitAfterRestart=false`);
    await win(store, 'job', 'a');
    expect(await (await open(server.url, { prefix: 'jobs:' })).names()).toEqual(['job']);
    expect(await (await open(server.url)).names()).toEqual([]);
  });

  it('refuses a missing database, and keeps its databases separate', async () => {
    const server = await start();
    for (const [db, id] of ['a', 'b'].entries()) {
      await win(await open(`${server.url}/${db + 1}`, { waitAfterRestart: false }), 'job', id);
    }
    const error = await failureOf(claim(await open(`${server.url}/999`), 'job', 'c'));
    expect(error).toMatchObject({ code: 'HUSTINGS_STORE_UNUSABLE' });
  });

  it('reports what a restart would lose', async () => {
    const forgetful = await start({
      appendonly: false,
      args: ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'],
    });
    const probe = await (await open(forgetful.url)).probe();
    expect(probe.server).toMatch(/^(Redis|Valkey) \d/);
    expect(Math.abs(probe.clockOffsetMs)).toBeLessThan(5_000);
    expect(probe.problems).toEqual([expect.stringContaining('allkeys-lru')]);
    expect(probe.warnings).toEqual([expect.stringContaining('appendonly is off')]);
    const lax = await start({ args: ['--appendfsync', 'everysec'] });
    expect((await (await open(lax.url)).probe()).warnings).toEqual([expect.stringContaining('appendfsync')]);
  });

  it('with waitReplicas answers when the replicas have confirmed', async () => {
    const server = await start({ args: ['--repl-diskless-sync-delay', '0'] });
    await start({ args: ['--replicaof', '127.0.0.1', `${server.port}`] });
    const store = await open(server.url, { waitReplicas: 1, timeoutMs: 1_000, waitAfterRestart: false });
    const token = await eventually(
      () => win(store, 'job', 'a').catch(() => undefined),
      'the replica has joined',
    );
    expect(token > 0n).toBe(true);
    expect((await store.probe()).problems).toEqual([]);
    const greedy = await open(server.url, { waitReplicas: 2, timeoutMs: 500 });
    expect(await failureOf(claim(greedy, 'other', 'b'))).toMatchObject({
      code: 'HUSTINGS_STORE_UNREACHABLE',
    });
    expect((await greedy.probe()).problems).toEqual([expect.stringMatching(/2 replicas.* 1 are connected/)]);
    const { warnings } = await (await open(server.url)).probe();
    expect(warnings).toEqual([
      expect.stringMatching(/Sentinel.*partition.*waitReplicas, or.*min-replicas-to-write/),
    ]);
    const raw = new Redis(server.url);
    await raw.config('SET', 'min-replicas-to-write', '1');
    raw.disconnect();
    expect((await (await open(server.url)).probe()).warnings).toEqual([]);
  });

  it('refuses a replica for writes and reads, also one that accepts writes', async () => {
    const server = await start({ args: ['--repl-diskless-sync-delay', '0'] });
    const args = ['--replicaof', '127.0.0.1', `${server.port}`, '--replica-read-only', 'no'];
    const replica = await start({ args, appendonly: false, acl: ['app on >p ~* +@all -@dangerous'] });
    const primary = await open(server.url, { waitReplicas: 1, timeoutMs: 1_000, waitAfterRestart: false });
    await eventually(() => win(primary, 'job', 'a').catch(() => undefined), 'the replica has joined');
    for (const url of [replica.url, `redis://app:p@127.0.0.1:${replica.port}`]) {
      const store = await open(url);
      for (const call of [
        claim(store, 'other', 'b'),
        store.read(['job']),
        store.history('job'),
        store.probe(),
      ]) {
        expect(await failureOf(call)).toMatchObject({
          code: 'HUSTINGS_STORE_BUSY',
          message: expect.stringMatching(/is a replica.*; name the primary/),
        });
      }
    }
  });

  it.each([
    ['may run INFO', 'yes', (server: TestServer) => server.url],
    ['may run INFO', 'no', (server: TestServer) => server.url],
    ['may not run INFO', 'yes', asApp],
    ['may not run INFO', 'no', asApp],
  ])(
    'refuses a primary that became a replica, on open connections; the user %s; replica-read-only %s',
    async (...row) => {
      const [, readOnly, urlOf] = row;
      const server = await start({
        args: ['--replica-read-only', readOnly],
        acl: ['app on >p ~* +@all -@dangerous'],
      });
      const store = await open(urlOf(server));
      const token = await win(store, 'job', 'a');
      const raw = new Redis(server.url);
      toEnd.push(async () => raw.disconnect());
      for (const call of [
        () => claim(store, 'other', 'b'),
        () => claim(store, 'job', 'b'),
        () => renew(store, 'job', 'a', token),
        () => renew(store, 'job', 'a', token - 1n),
        () => store.evict('job'),
        () => store.read(['job']),
        () => store.read(['job', 'other']),
        () => store.history('job'),
        () => store.candidates('job'),
        () => store.ticks('job'),
        () => store.names(),
      ]) {
        await raw.replicaof('NO', 'ONE');
        expect((await store.read(['job']))[0].holder?.id, 'as a primary').toBe('a');
        await raw.replicaof('127.0.0.1', 1);
        expect(await failureOf(call()), `${call}`).toMatchObject({
          code: 'HUSTINGS_STORE_BUSY',
          message: expect.stringMatching(/is a.* replica.*; name the primary/),
        });
      }
    },
  );

  it('refuses a primary that became a replica just after a renewal', async () => {
    const server = await start();
    const store = await open(server.url);
    const token = await win(store, 'job', 'a');
    const raw = new Redis(server.url);
    toEnd.push(async () => raw.disconnect());
    for (const asked of [token, token - 1n]) {
      await raw.replicaof('NO', 'ONE');
      expect((await renew(store, 'job', 'a', token)).type).toBe('ok');
      await raw.replicaof('127.0.0.1', 1);
      expect(await failureOf(renew(store, 'job', 'a', asked))).toMatchObject({
        code: 'HUSTINGS_STORE_BUSY',
        message: expect.stringMatching(/is a.* replica.*; name the primary/),
      });
    }
  });

  it.each([
    ['yes', (tookMs: number) => 1 + tookMs / 1_000],
    ['no', () => 20],
  ])(
    'runs INFO once a second for renewals, always if a replica accepts writes; replica-read-only %s',
    async (...row) => {
      const [readOnly, mostOf] = row;
      const server = await start({ args: ['--replica-read-only', readOnly] });
      const store = await open(server.url);
      const token = await win(store, 'job', 'a');
      const raw = new Redis(server.url);
      toEnd.push(async () => raw.disconnect());
      await raw.config('RESETSTAT');
      const startMs = performance.now();
      for (let times = 0; times < 20; times++) await renew(store, 'job', 'a', token);
      const most = mostOf(performance.now() - startMs);
      const calls = Number(/cmdstat_info:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1] ?? 0);
      expect(calls).toBeLessThanOrEqual(most);
      if (readOnly === 'no') expect(calls).toBe(20);
    },
  );

  it('refuses a Sentinel, and names the primary as the remedy', async () => {
    const config = (folder: string): string => join(folder, 'sentinel.conf');
    const server = await startServer({
      program: 'redis-server',
      politeSignal: 'SIGTERM',
      prepare: async (folder) => writeFileSync(config(folder), ''),
      args: (folder, port) => [config(folder), '--sentinel', '--port', `${port}`, '--bind', '127.0.0.1'],
      answers: async (port) => {
        const socket = createConnection({ port, host: '127.0.0.1' });
        await once(socket, 'connect');
        socket.destroy();
        return true;
      },
      url: (port) => `redis://127.0.0.1:${port}`,
    });
    toEnd.push(() => server.stop());
    expect(await failureOf((await open(server.url)).read(['job']))).toMatchObject({
      code: 'HUSTINGS_STORE_UNUSABLE',
      message: expect.stringMatching(/is a Sentinel.*; name the primary/),
    });
  });

  it('is used over TLS only with a valid certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-tls-'));
    toEnd.push(async () => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    runToSuccess(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost`
        .split(' ')
        .concat(['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]),
      { stdio: 'ignore' },
    );
    const server = await start({ tls: { key, cert } });
    const store = await open(server.url, { tls: { ca: readFileSync(cert) } });
    await win(store, 'job', 'a');
    expect(store.label).toMatch(/^rediss:/);
    const trusting = await open(server.url);
    expect(await failureOf(claim(trusting, 'job', 'b'))).toMatchObject({
      code: 'HUSTINGS_STORE_UNUSABLE',
      message: expect.stringMatching(/certificate/),
    });
    const plain = await open(server.url.replace('rediss:', 'redis:'));
    expect(await failureOf(claim(plain, 'job', 'b'))).toMatchObject({ name: 'StoreError' });
  });
});
