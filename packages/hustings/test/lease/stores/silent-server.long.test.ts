/**
 * Three real servers of which one is silent: SIGSTOP leaves its connections open, and nothing answers. A leader keeps its lease
 * or loses it in order, and a successor leads within the bound.
 */

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import {
  describeWith,
  type Program,
  startEtcdCluster,
  startNatsCluster,
  startZookeeperEnsemble,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { eventually } from '../contract/single-call.ts';
import { duringCampaign, staleLines } from './leading.ts';

const TTL_MS = 4_000;
/** Twice the TTL, and as much for a busy machine. */
const BOUND_MS = 4 * TTL_MS;
const LIMIT_MS = 300_000;

interface Cluster {
  readonly program: Program;
  readonly title: string;
  start(): Promise<readonly TestServer[]>;
  url(hosts: string): string;
  /** How long the servers take to elect a leader of their own, twice in a row, if that is long against the TTL. */
  readonly electionsMs?: number;
}

const CLUSTERS: readonly Cluster[] = [
  { program: 'etcd', title: 'etcd', start: () => startEtcdCluster(3), url: (hosts) => `etcd://${hosts}` },
  {
    program: 'zkServer.sh',
    title: 'ZooKeeper',
    start: () => startZookeeperEnsemble(3),
    url: (hosts) => `zookeeper://${hosts}?sessionTimeoutMs=${TTL_MS}`,
  },
  {
    program: 'nats-server',
    title: 'NATS',
    start: () => startNatsCluster(3),
    url: (hosts) => `nats://${hosts}?replicas=3`,
    // A server of NATS waits 4 s to 9 s before it stands for election, and one that was resumed ends the term of the leader.
    electionsMs: 18_000,
  },
];

/** The same store, which `close` leaves open. */
const unclosed = (store: LeaseStore): LeaseStore =>
  new Proxy(store, {
    get(target, key) {
      if (key === 'close') return async () => {};
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

for (const { program, title, start, url, electionsMs = 0 } of CLUSTERS) {
  const boundMs = BOUND_MS + electionsMs;
  await describeWith(program, `${title} with three servers, one of them silent`, () => {
    const begin = async (): Promise<{ servers: readonly TestServer[]; store: string }> => {
      const servers = await start();
      for (const server of servers) toEnd.push(() => server.stop());
      const store = url(servers.map(({ port }) => `127.0.0.1:${port}`).join(','));
      // A cluster needs a moment until it has a leader.
      const first = await eventually(() => openStore(store).catch(() => undefined), 'it can be opened');
      toEnd.push(() => first.close());
      await eventually(() => first.read(['x']).catch(() => undefined), 'it answers');
      return { servers, store };
    };

    it(
      'one candidate leads at a time, with a token of its own, and work goes on within the bound, whichever server is silent or resumed',
      async () => {
        const { servers, store } = await begin();
        const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(store)));
        const gaps: number[] = [];
        const lines = await duringCampaign(stores, TTL_MS, async ({ lines: written, writes }) => {
          const longestPauseMs = async (): Promise<number> => {
            const beginMs = performance.now();
            let longestMs = 0;
            for (let last = beginMs; performance.now() - beginMs < 3 * TTL_MS; ) {
              const before = written.length;
              await expect
                .poll(() => written.length, { timeout: 60_000, interval: 10 })
                .toBeGreaterThan(before);
              longestMs = Math.max(longestMs, performance.now() - last);
              last = performance.now();
            }
            return Math.round(longestMs);
          };
          await writes();
          for (const server of servers) {
            server.pause();
            gaps.push(await longestPauseMs());
            server.resume();
            gaps.push(await longestPauseMs());
          }
        });
        const terms = new Set(lines.map(({ token }) => token)).size;
        expect(new Set(lines.map(({ id, token }) => `${id} ${token}`)).size).toBe(terms);
        process.stdout.write(`${title}: longest pause of the work ${gaps.join(', ')} ms, ${terms} terms\n`);
        expect(staleLines(lines)).toEqual([]);
        expect(Math.max(...gaps)).toBeLessThan(boundMs);
      },
      LIMIT_MS,
    );

    it(
      'a leader that is killed while a server is silent is replaced within the bound',
      async () => {
        const { servers, store } = await begin();
        const successor = await openStore(store);
        const takeovers: number[] = [];
        for (const server of servers) {
          const script = `import { createElector } from 'hustings';
          const elector = createElector({ store: ${JSON.stringify(store)}, name: 'the campaign', id: 'child', ttlMs: ${TTL_MS}, processProof: '' });
          await elector.campaign(async (lead) => { console.log('leads'); await lead.ended; });`;
          const child = startProcess(process.execPath, ['--input-type=module', '-e', script], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          const exited = once(child, 'exit');
          toEnd.push(async () => {
            child.kill('SIGKILL');
            await exited;
          });
          await once(createInterface({ input: child.stdout }), 'line');
          server.pause();
          await duringCampaign([unclosed(successor)], TTL_MS, async ({ writes }) => {
            child.kill('SIGKILL');
            await exited;
            const killedMs = performance.now();
            await writes();
            takeovers.push(Math.round(performance.now() - killedMs));
          });
          server.resume();
        }
        await successor.close();
        process.stdout.write(`${title}: takeovers after ${takeovers.join(', ')} ms\n`);
        expect(Math.max(...takeovers)).toBeLessThan(boundMs);
      },
      LIMIT_MS,
    );
  });
}
