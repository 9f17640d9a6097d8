import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../../../test/source/source-file.ts';
import { installBuilt } from '../../../../../../test-kit/built-packages.ts';
import { runProcess, startProcess } from '../../../../../../test-kit/limits/child-process.ts';
import {
  describeWith,
  freePort,
  startTcpProxy,
  type TcpProxy,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { claim, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';
import { open, start, toEnd } from './redis-fixture.ts';

async function proxyOf(server: TestServer): Promise<TcpProxy> {
  const proxy = await startTcpProxy(server.port);
  toEnd.push(() => proxy.close());
  return proxy;
}

const unreachable = { code: 'HUSTINGS_STORE_UNREACHABLE' };

await describeWith('redis-server', 'Redis', () => {
  it('that restarts without its leases grants none until they have ended, and then with larger tokens', async () => {
    const server = await start({ appendonly: false });
    const ttlMs = 1_500;
    const a = await open(server.url, { waitAfterRestart: false });
    const b = await open(server.url);
    const first = await win(a, 'job', 'a', ttlMs);
    await server.restart('kill9');
    const startedMs = performance.now();
    const early = await eventually(() => claim(b, 'job', 'b', ttlMs).catch(() => undefined), 'Redis is back');
    // Only a machine that stood still for so long may have let the wait pass.
    if (performance.now() - startedMs < ttlMs) {
      expect(early).toMatchObject({ type: 'held', record: { holder: null, successor: null } });
      if (early.type === 'held') expect(early.record.remainingMs).toBeGreaterThan(0);
    }
    expect(await renew(a, 'job', 'a', first)).toEqual({ type: 'lost' });
    const second = await eventually(async () => {
      const answer = await claim(b, 'job', 'b', ttlMs);
      return answer.type === 'ok' ? answer.token : undefined;
    }, 'the lease is granted again');
    // From before the restart was complete: so the true wait was at least this long.
    expect(performance.now() - startedMs).toBeGreaterThan(ttlMs - 100);
    expect(second > first).toBe(true);
    // What was granted since then is known, so nobody waits any more.
    await b.release([releaseOf('job', 'b', second)]);
    expect((await win(a, 'job', 'a', ttlMs)) > second).toBe(true);
  });

  it('grants at once after a restart with waitAfterRestart: false', async () => {
    const server = await start({ isNew: true });
    const store = await open(server.url, { waitAfterRestart: false });
    await win(store, 'job', 'a');
  });

  it('that persists every write keeps leases, tokens and history over kill −9', async () => {
    const server = await start();
    const store = await open(server.url);
    const token = await win(store, 'job', 'a');
    await server.restart('kill9');
    const answer = await eventually(
      () => renew(store, 'job', 'a', token).catch(() => undefined),
      'Redis is back',
    );
    expect(answer.type).toBe('ok');
    expect(await claim(store, 'job', 'b')).toMatchObject({ type: 'held', record: { token } });
    expect(await store.history('job')).toMatchObject([{ token, holder: 'a', endMs: null }]);
  });

  it('that does not run is unreachable at once, and is used when it runs', async () => {
    const server = await start();
    const store = await open(server.url, { waitAfterRestart: false });
    await server.kill9();
    await expect(win(store, 'job', 'a')).rejects.toMatchObject(unreachable);
    await expect(store.names()).rejects.toMatchObject(unreachable);
    await expect(store.probe()).rejects.toThrow(/ECONNREFUSED/);
    await server.restart();
    await win(store, 'job', 'a');
  });

  it('that is silent is unreachable after the timeout, and is used again later', async () => {
    const server = await start();
    const store = await open(server.url, { timeoutMs: 300 });
    const token = await win(store, 'job', 'a');
    server.pause();
    await expect(renew(store, 'job', 'a', token)).rejects.toThrow(/did not answer within 300 ms/);
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject(unreachable);
    server.resume();
    const answer = await eventually(
      () => renew(store, 'job', 'a', token).catch(() => undefined),
      'Redis answers',
    );
    expect(answer.type).toBe('ok');
  });

  it('behind a connection that is half open is reached over a new one', async () => {
    const server = await start();
    const proxy = await proxyOf(server);
    const store = await open(proxy.url(server.url), { timeoutMs: 1_000 });
    const token = await win(store, 'job', 'a');
    proxy.set('blackhole');
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject(unreachable);
    proxy.set('pass');
    const answer = await eventually(
      () => renew(store, 'job', 'a', token).catch(() => undefined),
      'a new connection',
    );
    expect(answer.type).toBe('ok');
    expect(proxy.connections).toBeGreaterThan(1);
  });

  it('that granted a request whose answer was lost recognizes the repeated request', async () => {
    const server = await start();
    const proxy = await proxyOf(server);
    const store = await open(proxy.url(server.url), { timeoutMs: 1_000 });
    const direct = await open(server.url);
    // The server knows the script by now.
    await win(store, 'another job', 'a');
    proxy.set('swallow-to-client');
    await expect(win(store, 'job', 'a')).rejects.toMatchObject(unreachable);
    proxy.set('pass');
    const { token } = (await direct.read(['job']))[0];
    expect(token > 0n).toBe(true);
    expect(await eventually(() => win(store, 'job', 'a').catch(() => undefined), 'a new connection')).toBe(
      token,
    );
  });

  it('behind a cut connection fails the pending calls, sends nothing twice, and is reached again', async () => {
    const server = await start();
    const proxy = await proxyOf(server);
    const store = await open(proxy.url(server.url), { timeoutMs: 10_000 });
    const token = await win(store, 'job', 'a');
    proxy.delay(200);
    const { version } = (await store.read(['job']))[0];
    const underWay = renew(store, 'job', 'a', token);
    proxy.set('cut');
    await expect(underWay).rejects.toMatchObject(unreachable);
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject(unreachable);
    proxy.set('pass');
    expect((await store.read(['job']))[0].version - version).toBeLessThanOrEqual(1n);
    expect(await renew(store, 'job', 'a', token)).toMatchObject({ type: 'ok' });
  });

  it('that is no Redis gives a StoreError', async () => {
    const web = createServer((_, response) => response.end('hello'));
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    toEnd.push(async () => web.close());
    const { port } = web.address() as { port: number };
    const store = await open(`redis://127.0.0.1:${port}`);
    await expect(store.read(['job'])).rejects.toMatchObject({ name: 'StoreError' });
  });

  it('is watched again after its connection was lost, and every watcher is notified then', async () => {
    const server = await start();
    const proxy = await proxyOf(server);
    const store = await open(proxy.url(server.url));
    const direct = await open(server.url);
    const notifications = { a: 0, b: 0 };
    store.watch('a', () => notifications.a++);
    const end = store.watch('b', () => notifications.b++);
    await expect.poll(() => Math.min(notifications.a, notifications.b), { timeout: 20_000 }).toBe(1);
    proxy.set('cut');
    await expect.poll(() => proxy.openConnections, { timeout: 20_000 }).toBe(0);
    proxy.set('pass');
    await expect.poll(() => Math.min(notifications.a, notifications.b), { timeout: 20_000 }).toBe(2);
    end();
    await win(direct, 'a', 'x');
    await win(direct, 'b', 'x');
    await direct.evict('b');
    await direct.evict('a');
    await expect.poll(() => notifications, { timeout: 20_000 }).toEqual({ a: 3, b: 2 });
  });

  it('does not keep an idle process alive, whether it runs or not', async () => {
    const server = await start();
    const nobody = await freePort();
    const script = `
      import { RedisLeaseStore } from ${JSON.stringify(join(ROOT, 'packages/hustings/dist/lease/stores/redis/redis-lease-store.js'))};
      const store = await RedisLeaseStore.open(${JSON.stringify(server.url)});
      store.watch('job', () => {});
      console.log((await store.read(['job']))[0].token);
      const lost = await RedisLeaseStore.open('redis://127.0.0.1:${nobody}');
      lost.watch('job', () => {});
      await lost.read(['job']).catch((error) => console.log(error.code));
      await new Promise((resolve) => setTimeout(resolve, 500));
      console.log('idle');`;
    const child = startProcess(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    toEnd.push(async () => child.kill('SIGKILL'));
    const [code] = await once(child, 'close');
    expect([code, output]).toEqual([0, '0n\nHUSTINGS_STORE_UNREACHABLE\nidle\n']);
  });

  it('without its client library gives the command that installs it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-bare-'));
    try {
      installBuilt(folder, ['ioredis']);
      const script = `
        const { RedisLeaseStore } = await import('hustings/lease/redis');
        await RedisLeaseStore.open('redis://u:s3cr3t@h').catch((error) => console.log(error.code, error.message));`;
      const { stdout, stderr } = runProcess(process.execPath, ['--input-type=module', '-e', script], {
        cwd: folder,
      });
      expect(stderr).toBe('');
      expect(stdout).toBe(
        'HUSTINGS_STORE_UNUSABLE a redis:// store needs the package ioredis, which is not installed: npm install ioredis\n',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
