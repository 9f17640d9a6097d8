import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { runToSuccess } from '../../../../../../test-kit/limits/child-process.ts';
import {
  describeWith,
  startEtcd,
  startEtcdCluster,
  startTcpProxy,
} from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { createElector } from '../../../../src/elector/create-elector.ts';
import { EtcdClient, encode } from '../../../../src/lease/stores/etcd/etcd-client.ts';
import { EtcdLeaseStore, type EtcdStoreOptions } from '../../../../src/lease/stores/etcd/etcd-lease-store.ts';
import { etcdSettings } from '../../../../src/lease/stores/etcd/etcd-settings.ts';
import { claim, eventually, releaseOf, renew, win } from '../../contract/single-call.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

async function start(options?: Parameters<typeof startEtcd>[0]) {
  const server = await startEtcd(options);
  toEnd.push(() => server.stop());
  return server;
}

async function open(url: string, options?: EtcdStoreOptions): Promise<EtcdLeaseStore> {
  const store = await EtcdLeaseStore.open(url, options);
  toEnd.push(() => store.close());
  return store;
}

/** An operator's cleaning of leases. */
async function revokeAll(client: EtcdClient): Promise<void> {
  const { leases = [] } = await client.call<{ leases?: readonly { ID: string }[] }>('/v3/lease/leases', {});
  for (const { ID } of leases) await client.call('/v3/lease/revoke', { ID });
}

describe('a URL of etcd', () => {
  it.each([
    ['etcd://u:s3cr3t@', 'no host'],
    ['etcd://u:s3cr3t@a,,b', 'an empty host'],
    ['etcd://u:s3cr3t@a:99999', 'no port'],
    ['etcd://u:s3cr3t@a?ca=s3cr3t', 'an unknown word'],
    ['etcd://u:s3cr3t@a?timeoutMs=soon', 'no number'],
    ['etcd://u:s3cr3t%@a', 'a bare percent sign'],
    ['http://u:s3cr3t@a', 'another protocol'],
  ])('is refused as %s: %s, and the password is not quoted', async (url) => {
    const error = await EtcdLeaseStore.open(url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(String(error)).not.toContain('s3cr3t');
  });

  it('may name several members and a prefix, and is shown without the password', () => {
    expect(etcdSettings('etcds://me:s3cr%2Ft@a,b:1,[::1]:2/jobs')).toMatchObject({
      label: 'etcds://a,b:1,[::1]:2/jobs',
      endpoints: ['https://a:2379', 'https://b:1', 'https://[::1]:2'],
      user: 'me',
      password: 's3cr/t',
      prefix: 'jobs/',
    });
  });
});

await describeWith('etcd', 'etcd', () => {
  it('grants nothing because the key of a holder is gone, or an operator revoked all leases of etcd: the holder keeps its term', async () => {
    const server = await start();
    const a = await open(server.url);
    const b = await open(server.url);
    const client = new EtcdClient(etcdSettings(server.url));
    toEnd.push(() => client.close());
    const token = await win(a, 'job', 'a');
    const key = encode('hustings/holder/job');
    for (const lose of [
      () => client.call('/v3/kv/deleterange', { key }),
      () => client.call('/v3/kv/put', { key, value: encode('somebody else') }),
      () => revokeAll(client),
    ]) {
      await lose();
      expect(await claim(b, 'job', 'b')).toMatchObject({
        type: 'held',
        record: { token, holder: { id: 'a' } },
      });
      expect((await renew(a, 'job', 'a', token)).type).toBe('ok');
      expect(await client.range('hustings/holder/job')).toMatchObject([{ value: encode('a-nonce') }]);
    }
    expect((await b.history('job')).length).toBe(1);
    // A release is the word of the holder, also if its key was deleted just before.
    let notifications = 0;
    b.watch!('job', () => notifications++);
    await eventually(async () => b.isPushing() || undefined, 'the watch stands');
    await client.call('/v3/kv/deleterange', { key });
    await eventually(async () => notifications > 0 || undefined, 'a missing key is a reason to look');
    notifications = 0;
    await a.release([releaseOf('job', 'a', token)]);
    await eventually(async () => notifications > 0 || undefined, 'the release is notified');
    expect((await win(b, 'job', 'b')) > token).toBe(true);
  });

  it('does not elect a second leader while operators delete the key of a leader that renews', async () => {
    const server = await start();
    const client = new EtcdClient(etcdSettings(server.url));
    toEnd.push(() => client.close());
    const electors = ['a', 'b'].map((id) =>
      createElector({ store: server.url, name: 'job', id, ttlMs: 2_000, processProof: '' }),
    );
    for (const elector of electors) toEnd.push(() => elector.close());
    const terms: string[] = [];
    for (const elector of electors) {
      elector
        .campaign(async (lead) => {
          terms.push(lead.term.holder);
          await lead.ended;
        })
        .catch(() => undefined);
      await eventually(async () => terms.length > 0 || undefined, 'a leads');
    }
    await eventually(async () => (await electors[0].candidates()).length > 0 || undefined, 'b waits');
    for (let deletions = 0; deletions < 15; deletions++) {
      await client.call('/v3/kv/deleterange', { key: encode('hustings/holder/job') });
      await sleep(100);
    }
    expect(terms).toEqual(['a']);
  });

  it('answers a renewal that follows a lost answer', async () => {
    const server = await start();
    const proxy = await startTcpProxy(server.port);
    toEnd.push(() => proxy.close());
    const store = await open(`etcd://127.0.0.1:${proxy.port}`);
    const token = await win(store, 'job', 'a', 60_000);
    proxy.set('blackhole');
    await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject({ kind: 'unreachable' });
    proxy.set('pass');
    const again = await eventually(
      () => renew(store, 'job', 'a', token).catch(() => undefined),
      'it is renewed',
    );
    expect(again.type).toBe('ok');
  });

  it('goes on notifying after its history was compacted and its connection was cut', async () => {
    const server = await start();
    const proxy = await startTcpProxy(server.port);
    toEnd.push(() => proxy.close());
    const watcher = await open(`etcd://127.0.0.1:${proxy.port}`);
    const operator = await open(server.url);
    let notifications = 0;
    watcher.watch!('job', () => notifications++);
    await eventually(async () => watcher.isPushing() || undefined, 'the watch stands');
    proxy.set('cut');
    await eventually(async () => !watcher.isPushing() || undefined, 'the watch is cut');
    const token = await win(operator, 'job', 'a');
    await operator.release([releaseOf('job', 'a', token)]);
    const client = new EtcdClient(etcdSettings(server.url));
    toEnd.push(() => client.close());
    const { header } = await client.transaction({ success: [] });
    await client.call('/v3/kv/compaction', { revision: header.revision, physical: true });
    notifications = 0;
    proxy.set('pass');
    await eventually(async () => watcher.isPushing() || undefined, 'the watch stands again');
    // What changed meanwhile is not known, so it counts as a change.
    expect(notifications).toBeGreaterThan(0);
    notifications = 0;
    await operator.evict('job');
    await win(operator, 'job', 'b');
    await operator.evict('job');
    await eventually(async () => notifications > 0 || undefined, 'a notification came');
  });

  it('survives the loss of the member that a holder uses, and of the leader among the members', async () => {
    const members = await startEtcdCluster(3);
    for (const member of members) toEnd.push(() => member.stop());
    const hosts = members.map(({ port }) => `127.0.0.1:${port}`);
    const a = await open(`etcd://${hosts.join(',')}`);
    const b = await open(`etcd://${[...hosts].reverse().join(',')}`);
    const token = await win(a, 'job', 'a', 60_000);
    await members[0].kill9();
    const renewed = await eventually(
      () => renew(a, 'job', 'a', token).catch(() => undefined),
      'it is renewed at another member',
    );
    expect(renewed.type).toBe('ok');
    const held = await eventually(() => claim(b, 'job', 'b').catch(() => undefined), 'b is answered');
    expect(held).toMatchObject({ type: 'held', record: { token, holder: { id: 'a' } } });
    await eventually(
      () => a.release([releaseOf('job', 'a', token)]).catch(() => undefined),
      'it is released',
    );
    const later = await eventually(() => win(b, 'job', 'b').catch(() => undefined), 'b leads');
    expect(later > token).toBe(true);
    expect((await b.probe()).warnings).toEqual([]);
    // Without a majority nobody is answered.
    await members[1].kill9();
    await expect(b.read(['job'])).rejects.toMatchObject({ kind: 'unreachable' });
    await members[1].restart();
    const back = await eventually(() => b.read(['job']).catch(() => undefined), 'the majority is back');
    expect(back[0].holder?.id).toBe('b');
  }, 120_000);

  it('refuses a wrong password and a key without rights, and works once they are given', async () => {
    const server = await start();
    const client = new EtcdClient(etcdSettings(server.url));
    toEnd.push(() => client.close());
    const range = { key: encode('hustings/'), range_end: encode('hustings0') };
    await client.call('/v3/auth/user/add', { name: 'root', password: 'r00t' });
    await client.call('/v3/auth/role/add', { name: 'root' });
    await client.call('/v3/auth/user/grant', { user: 'root', role: 'root' });
    await client.call('/v3/auth/user/add', { name: 'app', password: 'p@ss/word' });
    await client.call('/v3/auth/role/add', { name: 'app' });
    await client.call('/v3/auth/user/grant', { user: 'app', role: 'app' });
    await client.call('/v3/auth/enable', {});
    const at = (login: string): string => server.url.replace('//', `//${login}@`);
    await expect((await open(server.url)).read(['job'])).rejects.toMatchObject({ kind: 'denied' });
    const wrong = await (await open(at('app:secret1'))).read(['job']).catch((reason: unknown) => reason);
    expect(wrong).toMatchObject({ kind: 'denied', message: expect.stringContaining('user or the password') });
    expect(String(wrong)).not.toContain('secret1');
    const app = await open(at('app:p%40ss%2Fword'));
    await expect(win(app, 'job', 'a')).rejects.toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('readwrite on the prefix'),
    });
    const root = new EtcdClient(etcdSettings(at('root:r00t')));
    toEnd.push(() => root.close());
    await root.call('/v3/auth/role/grant', { name: 'app', perm: { permType: 'READWRITE', ...range } });
    const token = await win(app, 'job', 'a');
    // A restart forgets the tokens of simple authentication.
    await server.restart();
    const renewed = await eventually(
      () => renew(app, 'job', 'a', token).catch(() => undefined),
      'it is back',
    );
    expect(renewed.type).toBe('ok');
  });

  it('speaks TLS, and refuses a server that it cannot trust', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hustings-etcd-'));
    toEnd.push(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    runToSuccess(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
        ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    const server = await start({ tls: { key, cert } });
    await expect((await open(server.url)).read(['job'])).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('give its CA'),
    });
    const trusting = await open(server.url, { tls: { ca: readFileSync(cert) } });
    await win(trusting, 'job', 'a');
    const plain = await start();
    for (const [url, hint] of [
      [server.url.replace('etcds', 'etcd'), 'if it speaks TLS, write etcds:// instead of etcd://'],
      [plain.url.replace('etcd', 'etcds'), 'if it speaks no TLS, write etcd:// instead of etcds://'],
    ]) {
      await expect((await open(url)).read(['job'])).rejects.toThrow(hint);
    }
  });

  it('says that a server is not there, and works when it comes', async () => {
    const server = await start();
    const store = await open(server.url);
    await server.kill9();
    await expect(store.read(['job'])).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    await server.restart();
    await win(store, 'job', 'a');
  });

  it('refuses a document that somebody else wrote, and names its key', async () => {
    const server = await start();
    const store = await open(server.url);
    await store.init();
    const client = new EtcdClient(etcdSettings(server.url));
    toEnd.push(() => client.close());
    await client.call('/v3/kv/put', { key: encode('hustings/election/job'), value: encode('hello') });
    await expect(store.read(['job'])).rejects.toMatchObject({ kind: 'unusable' });
    expect((await store.probe()).warnings.join()).toContain('1 of at least 3 members');
  });
});
