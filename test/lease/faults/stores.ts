/** The stores on which candidates go through faults. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSqlite } from '../../../src/lease/stores/sqlite-library.ts';
import { startPostgres, startRedis, type TestServer } from '../servers/index.ts';
import type { OrdealPlan } from './fault-run.ts';

export interface Ground {
  readonly title: string;
  readonly program: 'redis-server' | 'postgres' | null;
  start(): Promise<TestServer | null>;
  readonly plan: (server: TestServer | null) => Pick<OrdealPlan, 'server' | 'fenceKey' | 'url' | 'keepBusy'>;
}

const FENCE_KEY = 'a key for tests, of at least thirty-two bytes';

export const GROUNDS: readonly Ground[] = [
  {
    title: 'SQLite',
    program: null,
    start: async () => null,
    plan: () => ({
      server: null,
      fenceKey: null,
      url: (folder) => `sqlite:${join(folder, 'leases.db')}`,
      keepBusy: async (folder, ms) => {
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
      },
    }),
  },
  {
    title: 'Redis',
    program: 'redis-server',
    start: () => startRedis(),
    plan: (server) => ({ server, fenceKey: FENCE_KEY, url: () => server!.url, keepBusy: null }),
  },
  {
    title: 'PostgreSQL',
    program: 'postgres',
    start: () => startPostgres(),
    plan: (server) => ({ server, fenceKey: FENCE_KEY, url: () => server!.url, keepBusy: null }),
  },
];
