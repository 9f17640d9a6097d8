import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EtcdLeaseStore } from '../../../../src/lease/stores/etcd/etcd-lease-store.ts';

const DAY_MS = 86_400_000;
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** The part of a member that says its version. `date`: its Date header; '' for none. */
async function startMember(date: () => string): Promise<Server> {
  const server = createServer((_, response) => {
    response.sendDate = false;
    if (date() !== '') response.setHeader('date', date());
    response.end('{"etcdserver":"3.5.0"}');
  });
  open.push({ close: () => server.closeAllConnections() }, server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

const aheadBy = (ms: number) => (): string => new Date(Date.now() + ms).toUTCString();

async function storeOf(...members: readonly Server[]): Promise<EtcdLeaseStore> {
  const hosts = members.map((member) => `127.0.0.1:${(member.address() as AddressInfo).port}`);
  const store = await EtcdLeaseStore.open(`etcd://${hosts.join(',')}`);
  open.unshift(store);
  return store;
}

describe('the clock of etcd', () => {
  it('is that of most members if the one that answers is a day ahead', async () => {
    const members = await Promise.all([DAY_MS, 0, 0].map((ms) => startMember(aheadBy(ms))));
    const store = await storeOf(...members);
    expect(Math.abs((await store.time()) - Date.now())).toBeLessThan(30_000);
  });

  it('is that of the members that answer, though one is down', async () => {
    const members = await Promise.all([DAY_MS, 0, 0].map((ms) => startMember(aheadBy(ms))));
    const store = await storeOf(...members);
    members[2].close();
    expect(Math.abs((await store.time()) - Date.now())).toBeLessThan(30_000);
  });

  it('is that of its only member, whatever it says twice', async () => {
    const store = await storeOf(await startMember(aheadBy(DAY_MS)));
    expect(Math.abs((await store.time()) - Date.now() - DAY_MS)).toBeLessThan(30_000);
  });

  it('is missing behind a proxy that drops the Date header, and the error says so', async () => {
    const store = await storeOf(await startMember(() => ''));
    await expect(store.time()).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringMatching(/answers without a Date header, .*; let the proxy between pass it on$/),
    });
  });
});
