import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createElector } from '../../../../src/elector/create-elector.ts';
import { EtcdLeaseStore } from '../../../../src/lease/stores/etcd/etcd-lease-store.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

/** A server, or a proxy before one, that gives every request this answer. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_, answer) => answer.writeHead(status).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  toEnd.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `etcd://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ofEtcd = (text: string): string => JSON.stringify({ error: text, message: text, code: 2 });

it.each([
  ['a text of etcd that is not known', 500, ofEtcd('raft proposal dropped'), 'unreachable', /cannot serve/],
  ['a text that a later etcd may have', 500, ofEtcd('etcdserver: try later'), 'unreachable', /cannot serve/],
  ['a proxy without a server', 502, '<html>Bad Gateway</html>', 'unreachable', /502 "<html>Bad Gateway/],
  ['a proxy that timed out', 504, '', 'unreachable', /504 ""/],
  ['a proxy that waited for the request', 408, '', 'unreachable', /408/],
  ['a proxy that limits requests', 429, 'slow down', 'busy', /slow down/],
  ['etcd without a leader', 503, ofEtcd('etcdserver: no leader'), 'unreachable', /has no leader now/],
  ['a request that is too large', 500, ofEtcd('etcdserver: request is too large'), 'unusable', /max-request/],
  ['no gateway at this address', 404, '404 page not found', 'unusable', /etcd 3\.4 or later: 404/],
  [
    'a page of another program',
    200,
    '<html>hello</html>',
    'unusable',
    /etcd 3\.4 or later: 200 "<html>hello/,
  ],
  ['JSON of another program', 200, '{"hello":"world"}', 'unusable', /etcd 3\.4 or later: 200/],
  ['JSON that is no object', 200, 'null', 'unusable', /etcd 3\.4 or later: 200 "null"/],
])('the answer of %s, %i, is taken as what it is', async (_, status, body, kind, message) => {
  const store = await EtcdLeaseStore.open(await answering(status, body));
  toEnd.push(() => store.close());
  for (const call of [() => store.read(['job']), () => store.names(), () => store.probe()]) {
    await expect(call()).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
  }
});

it('a watch takes a page of another program for an end, and throws nothing', async () => {
  const store = await EtcdLeaseStore.open(await answering(200, '<html>\nhello\n</html>\n'));
  toEnd.push(() => store.close());
  store.watch!('job', () => undefined);
  await sleep(300);
  expect(store.isPushing()).toBe(false);
});

it('a candidate goes on asking a server that fails with a text that is not known', async () => {
  const store = await answering(500, ofEtcd('raft proposal dropped'));
  const elector = createElector({ store, name: 'job', ttlMs: 2_000 });
  toEnd.push(() => elector.close());
  const ended = elector.runOnce(async () => undefined, { timeoutMs: 700 });
  await expect(ended).rejects.toMatchObject({ code: 'HUSTINGS_ACQUIRE_TIMEOUT' });
});
