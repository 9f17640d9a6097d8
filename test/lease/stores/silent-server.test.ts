/** One of several servers accepts connections and never answers, as a stopped process or a host behind a firewall. */
import { afterEach, describe, expect, it } from 'vitest';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { EtcdLeaseStore } from '../../../src/lease/stores/etcd/etcd-lease-store.ts';
import { KubernetesLeaseStore } from '../../../src/lease/stores/kubernetes/kubernetes-lease-store.ts';
import { eventually, renew, win } from '../contract/single-call.ts';
import { describeWith, startEtcd, startTcpProxy, type TcpProxy } from '../servers/index.ts';
import { startKubernetesStandIn } from '../servers/kubernetes-server.ts';

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
  return doubled(server.port, (hosts) => EtcdLeaseStore.open(`etcd://${hosts}?timeoutMs=20000`));
}

async function onKubernetes(): Promise<Doubled> {
  const server = await startKubernetesStandIn();
  toEnd.push(() => server.stop());
  return doubled(server.port, (hosts) =>
    KubernetesLeaseStore.open(`${server.url.replace(/\/\/[^/]*/, `//${hosts}`)}&timeoutMs=20000`),
  );
}

function passesOver(start: () => Promise<Doubled>): void {
  it('is passed over by a new candidate, without an error, and by its watch', async () => {
    const { proxies, open } = await start();
    proxies[0].set('blackhole');
    const store = await open();
    expect(await win(store, 'job', 'a')).toBeGreaterThan(0n);
    let notifications = 0;
    store.watch!('job', () => notifications++);
    await eventually(async () => store.isPushing() || undefined, 'the watch stands');
    await store.evict('job');
    await eventually(async () => notifications > 0 || undefined, 'a notification came');
  }, 60_000);

  it('costs a holder one renewal at most, also when the other was silent before', async () => {
    const { proxies, open } = await start();
    const store = await open();
    const token = await win(store, 'job', 'a');
    store.watch!('job', () => undefined);
    await eventually(async () => store.isPushing() || undefined, 'the watch stands');
    for (const silent of [0, 1]) {
      proxies[silent].set('blackhole');
      proxies[1 - silent].set('pass');
      await expect(renew(store, 'job', 'a', token)).rejects.toMatchObject({ kind: 'unreachable' });
      expect((await renew(store, 'job', 'a', token)).type).toBe('ok');
      await eventually(async () => store.isPushing() || undefined, 'the watch stands at the other');
    }
  }, 60_000);
}

await describeWith('etcd', 'a silent member of etcd', () => passesOver(onEtcd));
describe('a silent API server of Kubernetes', () => passesOver(onKubernetes));
