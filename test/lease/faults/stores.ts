/** The stores on which real processes go through faults: all stores of the registry that processes can share. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STORES } from '../../../src/lease/stores/registry.ts';
import { loadSqlite } from '../../../src/lease/stores/sqlite-library.ts';
import { startPostgres, startRedis, type TestServer } from '../servers/index.ts';
import type { FaultRunPlan } from './fault-run.ts';

type StorePlan = Pick<FaultRunPlan, 'server' | 'fenceKey' | 'url' | 'keepBusy'>;

interface StoreStarter {
  /** The server that must be installed; null for a store without one. */
  readonly program: 'redis-server' | 'postgres' | null;
  start(): Promise<TestServer | null>;
  plan(server: TestServer | null): StorePlan;
}

export interface TestStore extends StoreStarter {
  readonly title: string;
}

const FENCE_KEY = 'a key for tests, of at least thirty-two bytes';

function onServer(program: 'redis-server' | 'postgres', start: () => Promise<TestServer>): StoreStarter {
  return {
    program,
    start,
    plan: (server) => ({ server, fenceKey: FENCE_KEY, url: () => server!.url, keepBusy: null }),
  };
}

/** By the kind of the store in the registry. */
const STARTERS: Readonly<Record<string, StoreStarter>> = {
  sqlite: {
    program: null,
    start: async () => null,
    plan: () => ({
      server: null,
      fenceKey: null,
      url: (folder) => `sqlite:${join(folder, 'leases.db')}`,
      keepBusy: lockDatabase,
    }),
  },
  redis: onServer('redis-server', startRedis),
  postgres: onServer('postgres', startPostgres),
};

async function lockDatabase(folder: string, ms: number): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(join(folder, 'leases.db'));
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    database.exec('BEGIN IMMEDIATE');
    await sleep(ms);
    database.exec('ROLLBACK');
  } finally {
    database.close();
  }
}

export const TEST_STORES: readonly TestStore[] = STORES.filter(({ shared }) => shared).map(
  ({ kind, title }) => {
    if (!(kind in STARTERS)) throw new Error(`the fault tests must start ${kind}; add it to STARTERS`);
    return { title, ...STARTERS[kind] };
  },
);
