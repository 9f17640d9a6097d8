/** One of several servers accepts connections and never answers, as a stopped process or a host behind a firewall. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  describeWith,
  startEtcd,
  startTcpProxy,
  type TcpProxy,
} from '../../../../../test-kit/servers/index.ts';
import { startKubernetesStandIn } from '../../../../../test-kit/servers/kubernetes-server.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { EtcdClient, encode } from '../../../src/lease/stores/etcd/etcd-client.ts';
import { EtcdLeaseStore } from '../../../src/lease/stores/etcd/etcd-lease-store.ts';
import { etcdSettings } from '../../../src/lease/stores/etcd/etcd-settings.ts';
import { KubernetesLeaseStore } from '../../../src/lease/stores/kubernetes/kubernetes-lease-store.ts';
import { claim, eventually, renew, win } from '../contract/single-call.ts';

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

/** A store with two addresses of one server. */
interface Doubled {
  readonly proxies: readonly TcpProxy[];
  open(): Promise<LeaseStore>;
}

async function doubled(port: number, open: (hosts: string) => Promise<LeaseStore>): Promise<Doubled> {
  const proxies = [await startTcpProxy(port), await startTcpProxy(port)];
  toEnd.push(...proxies.map((proxy) => () => proxy.close()));
  return {
    proxies,
    open: async () => {
      const store = await open(proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(','));
      toEnd.push(() => store.close());
      return store;
    },
  };
}

async function onEtcd(): Promise<Doubled> {
  const server = await startEtcd();
  toEnd.push(() => server.stop());
  return doubled(server.port, (hosts) => EtcdLeaseStore.open(`etcd://${hosts}?timeoutMs=4000`));
}

async function onKubernetes(): Promise<Doubled> {
  const server = await startKubernetesStandIn();
  toEnd.push(() => server.stop());
  return doubled(server.port, (hosts) =>
    KubernetesLeaseStore.open(`${server.url.replace(/\/\/[^/]*/, `//${hosts}`)}&timeoutMs=4000`),
  );
}

/** Errors are allowed: on a slow machine the other server may be late too. Where the requests went is certain. */
function passesOver(start: () => Promise<Doubled>): void {
  it('is passed over with the first call of a candidate, and by its watch', async () => {
    const { proxies, open } = await start();
    proxies[0].set('blackhole');
    const store = await open();
    await claim(store, 'job', 'a').catch(() => undefined);
    expect(proxies[1].bytesToServer).toBeGreaterThan(0);
    await eventually(() => win(store, 'job', 'a').catch(() => undefined), 'a has the lease');
    let notifications = 0;
    store.watch!('job', () => notifications++);
    await eventually(async () => store.isPushing() || undefined, 'the watch stands');
    await eventually(() => store.evict('job').catch(() => undefined), 'a is evicted');
    await eventually(async () => notifications > 0 || undefined, 'a notification came');
  }, 60_000);

  it('is passed over by a holder, although several requests failed at once', async () => {
    const { proxies, open } = await start();
    const store = await open();
    const token = await eventually(() => win(store, 'job', 'a').catch(() => undefined), 'a has the lease');
    const used = proxies.findIndex(({ bytesToServer }) => bytesToServer > 0);
    proxies[used].set('blackhole');
    const before = proxies[1 - used].bytesToServer;
    await Promise.allSettled([store.read(['job']), store.read(['job'])]);
    const renewed = () => renew(store, 'job', 'a', token).catch(() => undefined);
    await renewed();
    expect(proxies[1 - used].bytesToServer).toBeGreaterThan(before);
    expect((await eventually(renewed, 'it is renewed')).type).toBe('ok');
  }, 60_000);
}

await describeWith('etcd', 'a silent member of etcd', () => passesOver(onEtcd));
describe('a silent API server of Kubernetes', () => passesOver(onKubernetes));

describe('a call of etcd', () => {
  /** Two members, of which the first never answers, and the paths that each was asked for. */
  async function start(): Promise<{ readonly client: EtcdClient; readonly asked: readonly string[][] }> {
    const asked: string[][] = [[], []];
    const hosts: string[] = [];
    for (const member of [0, 1]) {
      const server = createServer(({ url = '' }, response) => {
        asked[member].push(url);
        if (member === 1) response.end('{"header":{}}');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      toEnd.push(() => server.close().closeAllConnections());
      hosts.push(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    const client = new EtcdClient(etcdSettings(`etcd://${hosts.join(',')}?timeoutMs=2000`));
    toEnd.push(() => client.close());
    return { client, asked };
  }

  it('that reads is sent to the next member after a share of its time', async () => {
    const { client, asked } = await start();
    await client.range('k');
    expect(asked).toEqual([['/v3/kv/range'], ['/v3/kv/range']]);
  });

  it('that writes is not repeated, because it may have taken effect', async () => {
    const { client, asked } = await start();
    const put = { key: encode('k'), value: '' };
    await expect(client.call('/v3/kv/put', put)).rejects.toThrow(/no answer within 1000 ms/);
    expect(asked).toEqual([['/v3/kv/put'], []]);
    await client.call('/v3/kv/put', put);
    expect(asked).toEqual([['/v3/kv/put'], ['/v3/kv/put']]);
  });
});
