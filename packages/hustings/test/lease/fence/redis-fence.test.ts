import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWith, startRedis, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { FenceRejections, fencedRedis } from '../../../src/lease/fence/index.ts';
import { expectLaw, falls, race, type Sink, terms } from './fence-law.ts';

const MOST = 2n ** 63n - 1n;

await describeWith('redis-server', 'a fence in Redis', () => {
  let server: TestServer;
  let clients: Redis[] = [];
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis({ acl: ['app on >secret ~billing:* +@all'] });
    clients = Array.from({ length: 4 }, () => new Redis(server.url));
    redis = clients[0];
  });
  beforeEach(() => redis.flushall());
  afterAll(async () => {
    for (const each of clients) each.disconnect();
    await server?.stop();
  });

  const key = 'billing:fence';

  it('runs the command under the same or a newer token, and returns its answer', async () => {
    expect(await fencedRedis(redis, { key, token: 7n }, ['SET', 'billing:a', 'x'])).toBe('OK');
    expect(await fencedRedis(redis, { key, token: '7' }, ['GET', 'billing:a'])).toBe('x');
    expect(await fencedRedis(redis, { key, token: 8n }, ['GET', 'billing:none'])).toBeNull();
    expect(await fencedRedis(redis, { key, token: 8n }, ['RPUSH', 'billing:l', 'a', 'b'])).toBe(2);
    expect(await fencedRedis(redis, { key, token: 8n }, ['LRANGE', 'billing:l', '0', '-1'])).toEqual([
      'a',
      'b',
    ]);
    expect(await redis.get(key)).toBe('8');
    expect(await redis.pttl(key)).toBe(-1);
  });

  it('throws at an older token with a client that returns numbers as texts, too', async () => {
    const texts = new Redis(server.url, { stringNumbers: true });
    clients.push(texts);
    expect(await fencedRedis(texts, { key, token: 8n }, ['SET', 'billing:a', 'new'])).toBe('OK');
    await expect(fencedRedis(texts, { key, token: 7n }, ['SET', 'billing:a', 'old'])).rejects.toThrow(/8/);
    expect(await redis.get('billing:a')).toBe('new');
  });

  it('runs nothing under an older token, and counts it', async () => {
    const rejections = new FenceRejections();
    for (const [mark, older] of [
      [10n, 9n],
      [2n ** 53n + 1n, 2n ** 53n],
      [MOST, MOST - 1n],
    ]) {
      await fencedRedis(redis, { key, token: mark }, ['SET', 'billing:a', `${mark}`]);
      const stale = fencedRedis(redis, { key, token: older, onRejected: rejections.count }, [
        'SET',
        'billing:a',
        'late',
      ]);
      await expect(stale).rejects.toMatchObject({ code: 'HUSTINGS_FENCE_STALE' });
      expect(await redis.get('billing:a')).toBe(`${mark}`);
    }
    expect(rejections.byKind.stale).toBe(3);
  });

  it('keeps P4 for racing connections; without it the same race violates P4', async () => {
    const sink = (isFenced: boolean): Sink => {
      let turn = 0;
      return {
        accepted: async () => (await redis.lrange('billing:log', 0, -1)).map(BigInt),
        write: (token) => {
          const client = clients[++turn % clients.length];
          const push = ['RPUSH', 'billing:log', `${token}`];
          return isFenced
            ? fencedRedis(client, { key, token }, push)
            : client.call(push[0], ...push.slice(1));
        },
      };
    };
    expect(await expectLaw(sink(true), terms(6, 60, 2n ** 53n - 20n))).toBeGreaterThan(0);
    await redis.flushall();
    const twin = sink(false);
    await race(twin, terms(6, 60));
    expect(falls(await twin.accepted())).toBe(true);
  });

  it('works again after the server has forgotten its scripts', async () => {
    await fencedRedis(redis, { key, token: 1n }, ['SET', 'billing:a', '1']);
    await redis.script('FLUSH');
    await fencedRedis(redis, { key, token: 2n }, ['SET', 'billing:a', '2']);
    expect(await redis.get('billing:a')).toBe('2');
  });

  it('throws the error of a command, and has raised the mark by then', async () => {
    await redis.set('billing:a', 'text');
    await expect(fencedRedis(redis, { key, token: 5n }, ['LPUSH', 'billing:a', 'x'])).rejects.toThrow(
      'WRONGTYPE',
    );
    expect(await redis.get(key)).toBe('5');
  });

  it('refuses an edited mark, and runs nothing', async () => {
    await redis.set(key, '1e9');
    await expect(fencedRedis(redis, { key, token: 5n }, ['SET', 'billing:a', 'x'])).rejects.toThrow(
      'is not a token',
    );
    expect(await redis.get('billing:a')).toBeNull();
  });

  it('has only the permissions of the user', async () => {
    const app = new Redis(server.url, { username: 'app', password: 'secret' });
    try {
      await fencedRedis(app, { key, token: 1n }, ['SET', 'billing:a', 'x']);
      await expect(fencedRedis(app, { key, token: 1n }, ['SET', 'other', 'x'])).rejects.toThrow('NOPERM');
    } finally {
      app.disconnect();
    }
  });

  it('refuses a client that changes keys', async () => {
    const app = new Redis(server.url, { keyPrefix: 'app:', lazyConnect: true });
    await expect(fencedRedis(app, { key, token: 1n }, ['SET', 'a', 'x'])).rejects.toThrow(
      'must not have a keyPrefix',
    );
  });

  it('accepts any client that can send a command', async () => {
    const send = ([command, ...args]: string[]) => redis.call(command, ...args);
    expect(await fencedRedis(send, { key, token: 1n }, ['INCR', 'billing:n'])).toBe(1);
    expect(await fencedRedis({ sendCommand: send }, { key, token: 1n }, ['INCR', 'billing:n'])).toBe(2);
  });
});
