import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant, revoke } from '../../../../../../test-kit/servers/kubernetes-exchange.ts';
import {
  type KubernetesServer,
  startKubernetesStandIn,
} from '../../../../../../test-kit/servers/kubernetes-server.ts';
import { startTcpProxy, type TcpProxy } from '../../../../../../test-kit/servers/tcp-proxy.ts';
import type { LeaseStore } from '../../../../src/lease/lease-store.ts';
import { KubernetesLeaseStore } from '../../../../src/lease/stores/kubernetes/kubernetes-lease-store.ts';
import { claimOf, releaseOf } from '../../contract/single-call.ts';

const LONG = { ttlMs: 60_000 };
let server: KubernetesServer;
let proxy: TcpProxy;
/** Not through the proxy. */
let holder: LeaseStore;
let watcher: LeaseStore;

beforeAll(async () => {
  server = await startKubernetesStandIn();
  holder = await KubernetesLeaseStore.open(server.url);
}, 60_000);
afterAll(async () => {
  await holder?.close();
  await server?.stop();
});

const eventually = (isTrue: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(isTrue, { timeout: 20_000, interval: 20 }).toBe(true);

async function held(name: string): Promise<bigint> {
  const [answer] = await holder.acquire([claimOf(name, 'a', LONG)]);
  if (answer.type !== 'ok') throw new Error('not granted');
  return answer.token;
}

/** Opens a store through a proxy, watches, waits until it pushes, and counts notifications. */
async function watched(
  names: readonly string[],
  act: (counts: Map<string, number>, stop: () => void) => Promise<void>,
  url = server.url,
): Promise<void> {
  proxy = await startTcpProxy(server.port);
  watcher = await KubernetesLeaseStore.open(proxy.url(url));
  const counts = new Map(names.map((name) => [name, 0]));
  const ends = names.map((name) => watcher.watch!(name, () => counts.set(name, counts.get(name)! + 1)));
  try {
    await act(counts, () => {
      for (const end of ends) end();
    });
  } finally {
    await watcher.close();
    await proxy.close();
  }
}

describe('a watch in Kubernetes', () => {
  it('reports a release, and goes on after its connection was cut', async () => {
    const token = await held('cut');
    await watched(['cut'], async (counts) => {
      await eventually(() => watcher.isPushing() && counts.get('cut')! > 0);
      proxy.set('cut');
      await eventually(() => !watcher.isPushing());
      // Released while nobody listens: the next stream begins where the last one ended.
      const before = counts.get('cut')!;
      await holder.release([releaseOf('cut', 'a', token)]);
      proxy.set('pass');
      await eventually(() => watcher.isPushing() && counts.get('cut')! > before);
    });
  });

  it('begins again, and says so, when the server has forgotten the changes since', async () => {
    await held('forgotten');
    await watched(['forgotten'], async (counts) => {
      await eventually(() => watcher.isPushing() && counts.get('forgotten')! > 0);
      const before = counts.get('forgotten')!;
      await server.ask('POST', '/stand-in/compact?endsWatches=true');
      await eventually(() => counts.get('forgotten')! > before && watcher.isPushing());
    });
  });

  it('of many elections shares one stream, and reports each to its own watchers', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `shared-${index}`);
    const token = await held(names[3]);
    await watched(names, async (counts, stop) => {
      await eventually(() => watcher.isPushing() && counts.get(names[3])! > 0);
      expect(proxy.openConnections).toBeLessThanOrEqual(2);
      const before = new Map(counts);
      await holder.release([releaseOf(names[3], 'a', token)]);
      await eventually(() => counts.get(names[3])! > before.get(names[3])!);
      expect(counts.get(names[4])).toBe(before.get(names[4]));
      stop();
      await eventually(() => proxy.openConnections === 0);
      expect(watcher.isPushing()).toBe(false);
    });
  });

  it('that is not allowed does not push, and one election may be allowed alone', async () => {
    await held('allowed');
    await grant(server, 'watcher', [{ verbs: ['watch'], resourceNames: ['allowed'] }]);
    try {
      await watched(
        ['denied'],
        async () => {
          await eventually(() => proxy.bytesToClient > 0);
          expect(watcher.isPushing()).toBe(false);
        },
        server.urlFor('limited'),
      );
      await watched(['allowed'], () => eventually(() => watcher.isPushing()), server.urlFor('limited'));
    } finally {
      await revoke(server, 'watcher');
    }
  });

  it('is opened again when a request shows that connections are dead', async () => {
    await held('dead');
    await watched(
      ['dead'],
      async () => {
        await eventually(() => watcher.isPushing());
        proxy.set('blackhole');
        await expect(watcher.read(['dead'])).rejects.toThrow(/no answer/);
        expect(watcher.isPushing()).toBe(false);
        proxy.set('pass');
        await eventually(() => watcher.isPushing());
      },
      `${server.url}&timeoutMs=300`,
    );
  });
});
