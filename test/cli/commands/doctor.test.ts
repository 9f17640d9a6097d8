import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { examinationPage } from '../../../src/cli/report/doctor-page.ts';
import { plain } from '../../../src/cli/terminal.ts';
import { examineStore } from '../../../src/lease/doctor/store-examination.ts';
import {
  type LeaseStore,
  MemoryLeaseStore,
  openStore,
  type Probe,
  RedisLeaseStore,
  StoreError,
} from '../../../src/lease/index.ts';
import {
  describeWith,
  freePort,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../lease/servers/index.ts';
import { buildBefore, startHustings, temporaryFolder } from '../command.ts';
import { lead } from './lease-claim.ts';

buildBefore();
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
    expect(stdout).toContain('  ✓ The store decides by its own clock when a lease expires.');
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
      capabilities: { clock: true, survivesCrash: true, survivesFailover: false },
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

class FaultyStore extends MemoryLeaseStore {
  constructor(
    private readonly fault: Partial<Probe> & { readonly renew?: () => never; readonly delayMs?: number },
  ) {
    super();
  }

  override async probe(): Promise<Probe> {
    return { ...(await super.probe()), ...this.fault };
  }

  override async renew(renewals: Parameters<LeaseStore['renew']>[0]) {
    this.fault.renew?.();
    const { delayMs = 0 } = this.fault;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return super.renew(renewals);
  }
}

describe('an examination', () => {
  const pageOf = async (store: LeaseStore) =>
    examinationPage(await examineStore(store), { paint: plain, width: 200 }).join('\n');

  it('of a memory store finds that leases work, in one process', async () => {
    const page = await pageOf(new MemoryLeaseStore());
    expect(page).toContain('  – Leases are kept in the memory of one process');
    expect(page).toContain("The store's clock agrees with the clock of this machine.");
    expect(page).toMatch(/A watcher was notified of the release after [\d.]+ ms/);
    expect(page).toMatch(/✓ Leases work on this store(, with \d warnings?)?\.$/);
  });

  it('tries no lease if the server has problems, and counts them', async () => {
    const store = new FaultyStore({ problems: ['The tables are missing.', 'It is a replica.'] });
    const page = await pageOf(store);
    expect(page).toContain('  ✗ The tables are missing.\n  ✗ It is a replica.\n');
    expect(page).toMatch(/✗ 2 problems: leases do not work reliably on this store\.$/);
    expect(await store.names()).toEqual([]);
  });

  it('warns of clocks that differ, and says which one is ahead', async () => {
    expect(await pageOf(new FaultyStore({ clockOffsetMs: -90_000 }))).toMatch(
      /! The clocks differ by 1 min 30 s\. [\s\S]*The store's clock is 1 min 30 s behind the clock of this machine\./,
    );
  });

  it('reports a store as slow if renewals take half of the default request timeout', async () => {
    const slow = new FaultyStore({ delayMs: 1_001 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const examined = examineStore(slow);
      await vi.advanceTimersByTimeAsync(60_000);
      const { problems, trial } = await examined;
      expect(problems).toEqual([
        expect.stringMatching(/^A renewal took 1 s; with a ttl of 15 s it is given up after 2 s/),
      ]);
      expect(trial?.renew.calls).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports a lease that can be acquired but not renewed', async () => {
    const renew = () => {
      throw new StoreError('denied', 'the role may not write');
    };
    const { problems, trial } = await examineStore(new FaultyStore({ renew }));
    expect(problems).toEqual(['A lease could not be acquired, renewed and released: the role may not write']);
    expect(trial).toBeNull();
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
    [['store', 'inti'], /'inti' is not an action of store; did you mean init\?/],
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
    expect(stdout).toContain('  ! The server forgets leases when it crashes: appendonly is off.');
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
    expect(stderr).toContain('the server asks for a password, and the URL has none: check the user');
    expect(status).toBe(3);
  });

  it('without tables and without permission to create them is a problem that names the statements', async () => {
    const url = urlOf(PASSWORD, server.port, 'app');
    const { status, stdout } = await run(url, 'doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      usable: true,
      trial: null,
      problems: [
        expect.stringMatching(/^The tables are missing, and app may not make them: .*`hustings store init`/),
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
