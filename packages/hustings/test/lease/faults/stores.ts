/** The stores on which real processes go through faults: all stores of the registry that processes can share. */
import { join } from 'node:path';
import {
  type Program,
  startEtcd,
  startMariadb,
  startNats,
  startPostgres,
  startRedis,
  startZookeeper,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { startKubernetesStandIn } from '../../../../../test-kit/servers/kubernetes-server.ts';
import { STORES } from '../../../src/lease/stores/registry.ts';
import { ETCD_FAULTS } from './etcd-faults.ts';
import { type Fault, SERVER_FAULTS } from './fault.ts';
import type { FaultRunPlan } from './fault-run.ts';
import { STAND_IN_FAULTS } from './kubernetes-faults.ts';
import { MYSQL_FAULTS } from './mysql-faults.ts';
import { NATS_FAULTS } from './nats-faults.ts';
import { POSTGRES_FAULTS } from './postgres-faults.ts';
import { DURABLE_REDIS_FAULTS, VOLATILE_REDIS_FAULTS } from './redis-faults.ts';
import { SQLITE_FAULTS, SQLITE_FILE } from './sqlite-faults.ts';
import { ZOOKEEPER_FAULTS } from './zookeeper-faults.ts';

type StorePlan = Pick<FaultRunPlan, 'server' | 'fenceKey' | 'url' | 'storeFaults'>;

export interface TestStore {
  readonly title: string;
  /** The server that must be installed; null for a store without one. */
  readonly program: Program | null;
  /** How many faults `npm test` inflicts; as many as there are kinds by default. */
  readonly shortFaults?: number;
  start(): Promise<TestServer | null>;
  plan(server: TestServer | null): StorePlan;
}

const FENCE_KEY = 'a key for tests, of at least thirty-two bytes';

const planOf =
  (storeFaults: readonly Fault[]) =>
  (server: TestServer | null): StorePlan => ({
    server,
    fenceKey: FENCE_KEY,
    url: () => server!.url,
    storeFaults: [...SERVER_FAULTS, ...storeFaults],
  });

/** By the kind of the store in the registry. */
const BY_KIND: Readonly<Record<string, readonly TestStore[]>> = {
  sqlite: [
    {
      title: 'SQLite',
      program: null,
      start: async () => null,
      plan: () => ({
        server: null,
        fenceKey: null,
        url: (folder) => `sqlite:${join(folder, SQLITE_FILE)}`,
        storeFaults: SQLITE_FAULTS,
      }),
    },
  ],
  redis: [
    {
      title: 'Redis that keeps every write',
      program: 'redis-server',
      start: () => startRedis(),
      plan: planOf(DURABLE_REDIS_FAULTS),
    },
    {
      title: 'Redis that keeps nothing but snapshots',
      program: 'redis-server',
      start: () => startRedis({ appendonly: false }),
      plan: planOf(VOLATILE_REDIS_FAULTS),
    },
  ],
  postgres: [
    {
      title: 'PostgreSQL',
      program: 'postgres',
      start: () => startPostgres(),
      plan: planOf(POSTGRES_FAULTS),
    },
  ],
  mysql: [
    {
      title: 'MariaDB',
      program: 'mariadbd',
      start: () => startMariadb(),
      plan: planOf(MYSQL_FAULTS),
    },
  ],
  etcd: [{ title: 'etcd', program: 'etcd', start: () => startEtcd(), plan: planOf(ETCD_FAULTS) }],
  zookeeper: [
    {
      title: 'ZooKeeper',
      program: 'zkServer.sh',
      shortFaults: 3,
      start: () => startZookeeper(),
      plan: (server) => ({
        ...planOf(ZOOKEEPER_FAULTS)(server),
        // So short that a candidate that is stopped loses its session, and with it the node of the holder.
        url: () => `${server!.url}?sessionTimeoutMs=1500`,
      }),
    },
  ],
  kubernetes: [
    {
      title: 'a stand-in for Kubernetes',
      program: null,
      start: () => startKubernetesStandIn(),
      plan: planOf(STAND_IN_FAULTS),
    },
  ],
  nats: [
    {
      title: 'NATS',
      program: 'nats-server',
      start: () => startNats(),
      plan: planOf(NATS_FAULTS),
    },
  ],
};

export const TEST_STORES: readonly TestStore[] = STORES.filter(({ shared }) => shared).flatMap(({ kind }) => {
  if (!(kind in BY_KIND)) throw new Error(`the fault tests must start ${kind}; add it to BY_KIND`);
  return BY_KIND[kind];
});
