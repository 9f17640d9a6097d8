import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from 'vitest';
import { hustings } from '../../../../../../test-kit/command.ts';
import { describeWith, startNats } from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { NatsLeaseStore, type NatsStoreOptions } from '../../../../src/lease/stores/nats/nats-lease-store.ts';
import { natsSettings } from '../../../../src/lease/stores/nats/nats-settings.ts';
import { claim, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

async function start(options?: Parameters<typeof startNats>[0]) {
  const server = await startNats(options);
  toEnd.push(() => server.stop());
  return server;
}

async function open(url: string, options?: NatsStoreOptions): Promise<NatsLeaseStore> {
  const store = await NatsLeaseStore.open(url, { waitAfterCreation: false, ...options });
  toEnd.push(() => store.close());
  return store;
}

describe('a URL of NATS', () => {
  it.each([
    ['nats://u:s3cr3t@', 'no host'],
    ['nats://u:s3cr3t@a,,b', 'an empty host'],
    ['nats://u:s3cr3t@a/b.c', 'no name of a bucket'],
    ['nats://u:s3cr3t@a?token=s3cr3t', 'an unknown word'],
    ['nats://u:s3cr3t@a?replicas=0', 'no replicas'],
    ['nats://u:s3cr3t@a?waitAfterCreation=0', 'neither true nor false'],
    ['http://u:s3cr3t@a', 'another protocol'],
  ])('is refused as %s: %s, and the password is not quoted', async (url) => {
    const error = await NatsLeaseStore.open(url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).not.toContain('s3cr3t');
  });

  it('may name several servers and a bucket, with a password or a token', () => {
    expect(natsSettings('nats://me:s3cr%2Ft@a,b:1/jobs?replicas=3')).toMatchObject({
      label: 'nats://a,b:1/jobs',
      bucket: 'jobs',
      replicas: 3,
      connection: { servers: ['a', 'b:1'], user: 'me', pass: 's3cr/t' },
    });
    expect(natsSettings('nats://t0ken@a')).toMatchObject({
      bucket: 'hustings',
      connection: { token: 't0ken' },
    });
  });
});

/** Accepts connections and says nothing. */
async function silentServer(port = 0) {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    // Otherwise the end of the other side is not seen.
    socket.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject).listen(port, '127.0.0.1', resolve);
  });
  toEnd.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
  };
}

describe('a server that accepts connections and says nothing', () => {
  it('is left: no connection to it stays open, and a command ends', async () => {
    const silent = await silentServer();
    const url = `nats://127.0.0.1:${silent.port}?timeoutMs=200`;
    const store = await open(url);
    await expect(store.read(['job'])).rejects.toMatchObject({ kind: 'unreachable' });
    await expect.poll(() => silent.open, { timeout: 20_000 }).toBe(0);
    const pending = store.read(['job']).catch((reason: unknown) => reason);
    await expect.poll(() => silent.accepted, { timeout: 20_000 }).toBe(2);
    await store.close();
    expect(await pending).toMatchObject({ kind: 'unreachable' });
    await expect.poll(() => silent.open, { timeout: 20_000 }).toBe(0);

    // This process does not accept meanwhile, but its kernel does.
    const ended = hustings(['leader', 'job', '--store', url]);
    expect(ended).toMatchObject({ status: 3, stderr: expect.stringContaining('cannot be reached') });
  }, 90_000);
});

await describeWith('nats-server', 'NATS', () => {
  it('leaves each connection that is not answered while it reconnects, and ends the last one when it is closed', async () => {
    const server = await start();
    const store = await open(`${server.url}?timeoutMs=200`);
    await win(store, 'job', 'a', 60_000);
    await server.kill9();
    const silent = await silentServer(server.port);
    await expect.poll(() => silent.accepted, { timeout: 20_000 }).toBeGreaterThan(3);
    await expect.poll(() => silent.open, { timeout: 20_000 }).toBeLessThan(2);
    await store.close();
    await expect.poll(() => silent.open, { timeout: 20_000 }).toBe(0);
  }, 60_000);

  it('says that JetStream is missing, and works when it is enabled', async () => {
    const server = await start({ jetStream: false });
    const store = await open(server.url);
    await expect(store.read(['job'])).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('no JetStream'),
    });
    writeFileSync(join(server.folder, 'nats.conf'), `jetstream { store_dir: "${server.folder}/data" }`);
    await server.restart();
    await eventually(() => win(store, 'job', 'a').catch(() => undefined), 'the store works');
  });

  it('refuses a wrong password and a denied subject, and does not quote the password', async () => {
    const config = `authorization { users: [
      { user: app, password: "p@ss", permissions: { publish: ["$JS.API.>", "$KV.>", "hustings.>"], subscribe: ["_INBOX.>", "hustings.>"] } }
      { user: poor, password: "poor1", permissions: { publish: ["$JS.API.INFO"], subscribe: ["_INBOX.>"] } } ] }`;
    const server = await start({ config });
    const at = (login: string): string => server.url.replace('//', `//${login}@`);
    const wrong = await (await open(at('app:s3cr3t'))).read(['job']).catch((reason: unknown) => reason);
    expect(wrong).toMatchObject({ kind: 'denied', message: expect.stringContaining('password') });
    expect(String(wrong)).not.toContain('s3cr3t');
    await expect((await open(at('poor:poor1'))).read(['job'])).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('$KV.hustings.>'),
    });
    await win(await open(at('app:p%40ss')), 'job', 'a');
  });

  it('keeps its leases through kill -9 of the server, and notifies again', async () => {
    const server = await start();
    const [a, b] = [await open(server.url), await open(server.url)];
    let notifications = 0;
    b.watch!('job', () => notifications++);
    const token = await win(a, 'job', 'a', 60_000);
    await eventually(async () => b.isPushing() || undefined, 'notifications arrive');
    await server.kill9();
    await expect(renew(a, 'job', 'a', token)).rejects.toMatchObject({ kind: 'unreachable' });
    expect(b.isPushing()).toBe(false);
    await server.restart();
    const renewed = await eventually(() => renew(a, 'job', 'a', token).catch(() => undefined), 'it is back');
    expect(renewed.type).toBe('ok');
    const held = await eventually(() => claim(b, 'job', 'b').catch(() => undefined), 'b is answered');
    expect(held).toMatchObject({ type: 'held', record: { token } });
    await eventually(async () => b.isPushing() || undefined, 'notifications arrive again');
    notifications = 0;
    await a.release([releaseOf('job', 'a', token)]);
    await eventually(async () => notifications > 0 || undefined, 'b was notified');
  });

  it('reports a bucket with a TTL, a limit and one replica', async () => {
    const server = await start();
    const connection = await connect({ servers: server.url });
    toEnd.push(() => connection.close());
    await new Kvm(connection).create('mine', { ttl: 60_000, max_bytes: 1_000_000 });
    const store = await open(`${server.url}/mine`);
    const { problems, warnings, server: name } = await store.probe();
    expect(problems.join()).toMatch(/deletes its keys.*limit of its size/);
    expect(warnings.join()).toContain('1 of the 3 replicas');
    expect(name).toMatch(/^NATS 2\./);
  });
});
