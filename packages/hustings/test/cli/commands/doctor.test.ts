import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHustings, temporaryFolder } from '../../../../../test-kit/command.ts';
import {
  describeWith,
  freePort,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { plain } from '../../../../base/src/command/terminal.ts';
import { doctorPage } from '../../../src/cli/report/doctor-page.ts';
import { type DoctorReport, doctor, type LeaseStore, openStore } from '../../../src/lease/index.ts';
import { MemoryLeaseStore } from '../../../src/lease/stores/memory/index.ts';
import { RedisLeaseStore } from '../../../src/lease/stores/redis/index.ts';
import { lead } from './lease-claim.ts';

const folder = temporaryFolder();
/** As long as the URL is in the environment, its password is nowhere else. */
const PASSWORD = 'hunter:2/@?#%ü';
const WRONG = 'wrong:9/@?#%ü';

async function run(url: string, ...args: string[]) {
  const { ended: ending } = startHustings(args, folder.path, { HUSTINGS_STORE: url });
  const ended = await ending;
  for (const secret of [PASSWORD, WRONG]) {
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
      expect(ended.stdout + ended.stderr).not.toContain(form);
    }
    expect(ended.stdout + ended.stderr).not.toMatch(/hunter|wrong:/);
  }
  return ended;
}

describe('hustings doctor on a file', () => {
  it('prints its guarantees, that leases work, and the latency of calls', async () => {
    const { status, stdout, stderr } = await run('sqlite:leases.db', 'doctor');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^sqlite:leases\.db {2}SQLite \d/);
    expect(stdout).toContain('  ✓ A lease is over by the clock of the store.');
    expect(stdout).toContain('  – Not guaranteed: that acknowledged writes survive a failover to a replica.');
    expect(stdout).toContain('  – Only the processes of one host take part');
    expect(stdout).toContain('  ! The file did not exist and was created');
    expect(stdout).toContain(
      "  ✓ A lease was acquired, renewed and released in the election 'hustings-doctor'.",
    );
    expect(stdout).toMatch(/\n {2}renew +\d+ +[\d.]+ ms +[\d.]+ m?s\n/);
    expect(stdout).toMatch(/\n✓ Leases work on this store, with \d warnings?\.\n$/);
  });

  it('prints one JSON document, and leaves the scratch election without a holder', async () => {
    const { status, stdout } = await run('sqlite:leases.db', 'doctor', '--json');
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({
      usable: true,
      store: 'sqlite:leases.db',
      capabilities: { expiry: 'clock', survivesCrash: true, survivesFailover: false },
      problems: [],
      trial: { election: 'hustings-doctor' },
    });
    expect(found.trial.renew.p50Ms).toBeLessThanOrEqual(found.trial.renew.p99Ms);
    expect(status).toBe(0);
    const store = await openStore(`sqlite:${join(folder.path, 'leases.db')}`);
    expect((await store.read(['hustings-doctor']))[0].holder).toBeNull();
    await store.close();
  });

  it('exits with 3 for a file that is not a store, and does not change it', async () => {
    const text = readFileSync(new URL(import.meta.url));
    const { status, stdout } = await run(`sqlite:${new URL(import.meta.url).pathname}`, 'doctor');
    expect(stdout).toMatch(/\n {2}✗ sqlite:.*\.ts: /);
    expect(status).toBe(3);
    expect(readFileSync(new URL(import.meta.url)).equals(text)).toBe(true);
  });
});

describe('the page of a report', () => {
  const pageOf = (report: DoctorReport) => doctorPage(report, { paint: plain, width: 200 }).join('\n');

  it('of a memory store says that leases work, in one process', async () => {
    const page = pageOf(await doctor(new MemoryLeaseStore()));
    expect(page).toContain('  – Leases are kept in the memory of one process');
    expect(page).toContain("The store's clock agrees with the clock of this machine.");
    expect(page).toMatch(/A watcher was notified of the release after [\d.]+ ms/);
    expect(page).toMatch(/✓ Leases work on this store(, with \d warnings?)?\.$/);
  });

  it('says how the store learns that a lease is over', async () => {
    expect(pageOf(await doctor(new MemoryLeaseStore()))).toContain(
      '  ✓ A lease is over by the clock of the store.',
    );
    const observed = new MemoryLeaseStore({ hasClock: false });
    expect(pageOf(await doctor(observed))).toContain(
      '  ✓ A lease is over by observation: a waiting candidate',
    );
  });

  it('counts the problems, and says which clock is ahead', async () => {
    const report = await doctor(new MemoryLeaseStore());
    const page = pageOf({
      ...report,
      clockOffsetMs: -90_000,
      problems: ['The tables are missing.', 'It is a replica.'],
      trial: null,
    });
    expect(page).toContain('  ✗ The tables are missing.\n  ✗ It is a replica.\n');
    expect(page).toContain("The store's clock is 1 min 30 s behind the clock of this machine.");
    expect(page).toMatch(/✗ 2 problems: leases do not work reliably on this store\.$/);
  });
});

describe('hustings store init', () => {
  it('creates the file of leases, and says so only the first time', async () => {
    expect((await run('sqlite:made.db', 'store', 'init')).stdout).toBe(
      '✓ sqlite:made.db was created with its tables\n',
    );
    expect((await run('sqlite:made.db', 'store', 'init')).stdout).toBe('✓ sqlite:made.db has its tables\n');
  });

  it('with --print changes nothing', async () => {
    const { status, stdout } = await run('sqlite:printed.db', 'store', 'init', '--print');
    expect(stdout).toMatch(/^-- sqlite:printed\.db: the first process that uses the file creates it/);
    expect(status).toBe(0);
    expect(existsSync(join(folder.path, 'printed.db'))).toBe(false);
    // Nobody listens there: the statements need no server.
    const url = `postgres://app:${encodeURIComponent(PASSWORD)}@127.0.0.1:1/app`;
    const { statements } = JSON.parse((await run(url, 'store', 'init', '--print', '--json')).stdout);
    expect(statements.join()).toMatch(/CREATE TABLE IF NOT EXISTS .*GRANT .* TO "app"/s);
  });

  it.each([
    [['store'], /store needs an action; write 'hustings store init'/],
    [['store', 'inti'], /'inti' is not an action of store: it has init and prune; did you mean init\?/],
    [['docter'], /did you mean doctor\?/],
  ])('for hustings %j there is one line, exit code 2 and nothing printed', async (args, says) => {
    const { status, stdout, stderr } = await run('', ...args);
    expect(stderr).toMatch(/^hustings: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});

/** The same answers from both servers. */
function answers(
  server: () => TestServer,
  withPassword: (password: string, port: number) => string,
  open: (url: string) => Promise<LeaseStore>,
): void {
  it('with a wrong password makes every verb exit with 3', async () => {
    const url = withPassword(WRONG, server().port);
    const { status, stdout } = await run(url, 'doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ usable: false, kind: 'denied' });
    expect(status).toBe(3);
    const verbs = [
      ['leader', 'x', '--json'],
      ['history', 'x'],
      ['evict', 'x'],
      ['store', 'init'],
    ];
    for (const ended of await Promise.all(verbs.map((args) => run(url, ...args)))) {
      expect(ended.stderr).toMatch(/^hustings: (redis|postgres):\/\/127\.0\.0\.1:\d+[^\n]*password[^\n]*\n$/);
      expect(ended.status).toBe(3);
    }
  });

  it('that is down makes every verb exit with 3 and say so', async () => {
    const url = withPassword(PASSWORD, await freePort());
    const [{ status, stdout }, ended] = await Promise.all([
      run(url, 'doctor'),
      run(url, 'transfer', 'x', '--to', 'y'),
    ]);
    expect(stdout).toMatch(/^(redis|postgres):\/\/127\.0\.0\.1:\d+\S*\n\n {2}✗ .*ECONNREFUSED/);
    expect(status).toBe(3);
    expect(ended.stderr).toMatch(/^hustings: [^\n]*ECONNREFUSED[^\n]*\n$/);
    expect(ended).toMatchObject({ status: 3, stdout: '' });
  });

  it('shows the leader', async () => {
    const url = withPassword(PASSWORD, server().port);
    const store = await open(url);
    const { token } = await lead(store, "o'hara {x}*", 'replica "1"');
    await store.close();
    const [{ status, stdout }, all] = await Promise.all([
      run(url, 'leader', "o'hara {x}*", '--json'),
      run(url, 'leader'),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'led', holder: 'replica "1"', token: `${token}` });
    expect(status).toBe(0);
    expect(all.stdout).toMatch(/o'hara \{x\}\* +replica "1" /);
  });
}

await describeWith('redis-server', 'a Redis server', () => {
  let server: TestServer;
  const urlOf = (password: string, port: number) =>
    `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  beforeAll(async () => {
    server = await startRedis({ password: PASSWORD, appendonly: false });
  });
  afterAll(() => server?.stop());

  // This server forgets, and would keep a new leader waiting after its start.
  answers(
    () => server,
    urlOf,
    (url) => RedisLeaseStore.open(url, { waitAfterRestart: false }),
  );

  it('without persistence gets a warning from doctor, and leases work', async () => {
    const { status, stdout } = await run(server.url, 'doctor');
    expect(stdout).toMatch(/^redis:\/\/127\.0\.0\.1:\d+ {2}Redis \d/);
    expect(stdout).toContain('  – Not guaranteed: that acknowledged writes survive a crash of the store.');
    expect(stdout).toContain('  ! The server forgets leases in a crash, because appendonly is off.');
    expect(stdout).toContain('  ✓ A lease was acquired, renewed and released');
    expect(status).toBe(0);
    expect((await run(server.url, 'store', 'init')).stdout).toMatch(/answers and needs no tables\n$/);
  });
});

await describeWith('postgres', 'a PostgreSQL server', () => {
  let server: TestServer;
  const urlOf = (password: string, port: number, user = 'postgres') =>
    `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  beforeAll(async () => {
    server = await startPostgres({ password: PASSWORD, settings: { fsync: 'off' } });
    const admin = new pg.Client(server.url);
    await admin.connect();
    await admin.query(`CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'`);
    await admin.end();
  }, 90_000);
  afterAll(() => server?.stop());

  it('that needs a password says so if the URL has none', async () => {
    const { status, stderr } = await run(`postgres://app@127.0.0.1:${server.port}/postgres`, 'leader');
    expect(stderr).toContain('the server asks for a password, and the URL has none; check the user');
    expect(status).toBe(3);
  });

  it('without tables and without permission to create them is a problem that names the statements', async () => {
    const url = urlOf(PASSWORD, server.port, 'app');
    const { status, stdout } = await run(url, 'doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      usable: true,
      trial: null,
      problems: [
        expect.stringMatching(
          /^The tables are missing, and app may not create them: .*`hustings store init`/,
        ),
      ],
    });
    expect(status).toBe(1);
    const init = await run(url, 'store', 'init');
    expect(init.stderr).toMatch(/^hustings: [^\n]*may not create them[^\n]*CREATE TABLE[^\n]*GRANT[^\n]*\n$/);
    expect(init).toMatchObject({ status: 3, stdout: '' });
  });

  it('is prepared by store init; doctor warns of fsync off, and leases work', async () => {
    expect(await run(server.url, 'store', 'init')).toMatchObject({ status: 0 });
    const { status, stdout } = await run(server.url, 'doctor');
    expect(stdout).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/postgres {2}PostgreSQL \d/);
    expect(stdout).toContain('  ! fsync is off');
    expect(stdout).toContain('  ✓ A lease was acquired, renewed and released');
    expect(status).toBe(0);
  });

  answers(() => server, urlOf, openStore);
});
