import { Redis } from 'ioredis';
import { afterEach, expect, it, vi } from 'vitest';
import { describeWith, startTcpProxy } from '../../../../../../test-kit/servers/index.ts';
import { releaseOf, renew, win } from '../../contract/single-call.ts';
import { open, start, toEnd } from './redis-fixture.ts';

afterEach(() => void vi.useRealTimers());

/** The number of calls of each command that clients have sent; commands inside scripts and those of this count excluded. */
async function commandsOf(raw: Redis): Promise<Record<string, number>> {
  const lines = (await raw.info('commandstats')).matchAll(/cmdstat_([^:]+):calls=(\d+)/g);
  const sent = ['evalsha', 'eval', 'subscribe', 'unsubscribe', 'publish', 'ping', 'hello', 'script|load'];
  return Object.fromEntries(
    [...lines].filter(([, name]) => sent.includes(name)).map(([, name, calls]) => [name, Number(calls)]),
  );
}

const FAKE = { toFake: ['setTimeout' as const, 'clearTimeout' as const], shouldAdvanceTime: true };
const within = { timeout: 20_000 };

await describeWith('redis-server', 'notifications from Redis', () => {
  it('need no command while they are idle, so a holder sends its renewals alone', async () => {
    const server = await start();
    const raw = new Redis(server.url);
    toEnd.push(async () => raw.disconnect());
    const store = await open(server.url, { timeoutMs: 20_000 });
    const token = await win(store, 'job', 'a');
    await renew(store, 'job', 'a', token);
    vi.useFakeTimers(FAKE);
    let notifications = 0;
    store.watch('job', () => notifications++);
    await expect.poll(() => notifications, within).toBe(1);
    await expect.poll(() => store.isPushing(), within).toBe(true);
    const before = await commandsOf(raw);
    await vi.advanceTimersByTimeAsync(3_600_000);
    vi.useRealTimers();
    await renew(store, 'job', 'a', token);
    expect(await commandsOf(raw)).toEqual({ ...before, evalsha: (before.evalsha ?? 0) + 1 });
  });

  it('are believed only after one came through the own subscription, and not while its connection is lost', async () => {
    const server = await start();
    const proxy = await startTcpProxy(server.port);
    toEnd.push(() => proxy.close());
    const store = await open(proxy.url(server.url));
    expect(store.isPushing()).toBe(false);
    const end = store.watch('job', () => undefined);
    expect(store.isPushing()).toBe(false);
    await expect.poll(() => store.isPushing(), within).toBe(true);
    proxy.set('cut');
    await expect.poll(() => store.isPushing(), within).toBe(false);
    proxy.set('pass');
    await expect.poll(() => store.isPushing(), within).toBe(true);
    end();
    expect(store.isPushing()).toBe(false);
  });

  it.each([
    ['subscribe', 'resetchannels +@all'],
    ['publish', '&* +@all -publish'],
  ])(
    'are not believed for a user that may not %s, and are not asked for again and again',
    async (_, rights) => {
      const server = await start({ acl: [`app on >p ~* ${rights}`] });
      const raw = new Redis(server.url);
      toEnd.push(async () => raw.disconnect());
      const store = await open(`redis://app:p@127.0.0.1:${server.port}`);
      vi.useFakeTimers(FAKE);
      store.watch('job', () => undefined);
      const tried = async (): Promise<number> => {
        const [, rejected] =
          (await raw.info('commandstats')).match(
            /cmdstat_(?:subscribe|publish):.*rejected_calls=([1-9]\d*)/,
          ) ?? [];
        return Number(rejected ?? 0);
      };
      await expect.poll(tried, within).toBe(1);
      await store.release([releaseOf('job', 'a', await win(store, 'job', 'a'))]);
      const before = await commandsOf(raw);
      await vi.advanceTimersByTimeAsync(300_000);
      vi.useRealTimers();
      await raw.ping();
      expect(store.isPushing()).toBe(false);
      expect(await commandsOf(raw)).toEqual({ ...before, ping: (before.ping ?? 0) + 1 });
    },
  );

  it('are proved again, or subscribed again, after the connection for requests was lost', async () => {
    const server = await start();
    const proxy = await startTcpProxy(server.port);
    toEnd.push(() => proxy.close());
    const store = await open(proxy.url(server.url), { timeoutMs: 500 });
    const token = await win(store, 'job', 'a');
    store.watch('job', () => undefined);
    await expect.poll(() => store.isPushing(), within).toBe(true);
    // Both connections are half open now. Nothing tells the subscriber.
    proxy.set('blackhole');
    await expect(renew(store, 'job', 'a', token)).rejects.toThrow(/did not answer/);
    proxy.set('pass');
    const direct = await open(server.url);
    let notifications = 0;
    store.watch('job', () => notifications++);
    await expect
      .poll(async () => {
        await renew(store, 'job', 'a', token).catch(() => undefined);
        await direct.evict('job');
        return notifications;
      }, within)
      .toBeGreaterThan(0);
    await expect.poll(() => store.isPushing(), within).toBe(true);
  });
});
