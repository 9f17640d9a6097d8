/** Electors of one process with the same URL share one store, and with it its connections. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import {
  describeWith,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../../test-kit/servers/index.ts';
import { until } from '../../../../test-kit/until.ts';
import { createElector } from '../../src/elector/create-elector.ts';
import type { Elector } from '../../src/elector/elector.ts';

const LIMIT_MS = 60_000;
const ELECTIONS = 200;
const folder = temporaryFolder();

const SERVERS = [
  { program: 'postgres', title: 'PostgreSQL', start: startPostgres, connections: postgresConnections },
  { program: 'redis-server', title: 'Redis', start: startRedis, connections: redisConnections },
] as const;

/** Without the one that asks. */
async function postgresConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    return rows[0].n;
  } finally {
    await client.end();
  }
}

async function redisConnections(url: string): Promise<number> {
  const client = new Redis(url);
  try {
    return (
      String(await client.client('LIST'))
        .trim()
        .split('\n').length - 1
    );
  } finally {
    client.disconnect();
  }
}

for (const { program, title, start, connections } of SERVERS) {
  await describeWith(program, `${ELECTIONS} electors with one URL of ${title}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await start();
    }, LIMIT_MS);
    afterAll(() => server?.stop());

    test(
      'all lead with a handful of connections, which the last close ends',
      async () => {
        const electors = Array.from({ length: ELECTIONS }, (_, i) =>
          createElector({ store: server.url, name: `job ${i}` }),
        );
        const leads = await Promise.all(electors.map((elector) => elector.acquire()));
        expect(leads.filter((lead) => lead.isValid())).toHaveLength(ELECTIONS);
        expect(await connections(server.url)).toBeLessThanOrEqual(5);
        await Promise.all(leads.map((lead) => lead.release()));

        const [last, ...others] = electors;
        await Promise.all(others.map((elector) => elector.close()));
        expect((await last.leader()).type).toBe('vacant');
        await last.close();
        await until(async () => (await connections(server.url)) === 0);
      },
      LIMIT_MS,
    );
  });
}

test('an elector that is created while the last one closes the store opens it again', async () => {
  const url = `sqlite:${join(folder.path, 'again.db')}`;
  const elector = (): Elector => createElector({ store: url, name: 'job' });
  const first = elector();
  await first.leader();
  const closing = first.close();
  const second = elector();
  await (await second.acquire()).release();
  await closing;
  expect((await second.leader()).type).toBe('vacant');
  await second.close();
});

test('an elector that is created after the file was removed opens a new one, and the others are unhealthy', async () => {
  const path = join(folder.path, 'removed.db');
  const elector = (): Elector => createElector({ store: `sqlite:${path}`, name: 'job', ttlMs: 600 });
  const [first, second, third] = [elector(), elector(), elector()];
  const stop = new AbortController();
  const running = first.campaign(({ ended }) => ended, { signal: stop.signal });
  await until(() => first.health().state === 'leading');
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  await until(() => !first.health().healthy);
  expect(first.health().problem).toContain('the file was removed or replaced while in use; restart');
  const lead = await second.acquire({ timeoutMs: 0 });
  // Both use the new file.
  expect(await third.leader()).toMatchObject({ type: 'led', token: lead.token });
  await lead.release();
  stop.abort();
  await running;
  await Promise.all([first.close(), second.close(), third.close()]);
});

test('a relative path names another file after the working directory has changed', async () => {
  const before = process.cwd();
  const elector = (): Elector => createElector({ store: 'sqlite:./relative.db', name: 'job' });
  const [first, second] = [elector(), elector()];
  try {
    process.chdir(mkdtempSync(join(folder.path, 'first-')));
    const lead = await first.acquire();
    process.chdir(mkdtempSync(join(folder.path, 'second-')));
    expect((await second.leader()).type).toBe('vacant');
    await lead.release();
  } finally {
    process.chdir(before);
  }
  await Promise.all([first.close(), second.close()]);
});

test('a store that cannot be opened is opened again by the next call', async () => {
  const parent = join(folder.path, 'later');
  writeFileSync(parent, 'a file, not a folder');
  const elector = createElector({ store: `sqlite:${join(parent, 'leases.db')}`, name: 'job' });
  await expect(elector.leader()).rejects.toThrow();
  rmSync(parent);
  mkdirSync(parent);
  expect((await elector.leader()).type).toBe('vacant');
  await elector.close();
});
