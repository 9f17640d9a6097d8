/** What goes wrong between a store and its MariaDB: what the store says, and that it goes on by itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Connection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  adminOf,
  describeWith,
  freePort,
  startMariadb,
  startTcpProxy,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { StoreError } from '../../../../src/lease/core/store-error.ts';
import {
  MysqlLeaseStore,
  type MysqlStoreOptions,
} from '../../../../src/lease/stores/mysql/mysql-lease-store.ts';
import { claimOf as claim, eventually } from '../../contract/single-call.ts';

const PASSWORD = 'p@ss/w:rd%?#"';
const LONG_MS = 3_600_000;

/** Made for these tests: it is valid for localhost alone, and for a hundred years. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDjKBPCTGp/66LXRM
/BBFpDQqjtDJ2AZ5F0VCmawoo3yhRANCAASdkyHr/AGVDaLY2J4y7Gf/JI9MMdBZ
DDb1SyOf0rBXiWCbQ4jL3KDDk3IJStK9sdy6i8gB/z93imjJEYs03ef+
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnTCCAUOgAwIBAgIUDfdtEqweKKtzWoBAP0P3pfWAlv0wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaHVzdGluZ3MgdGVzdDAgFw0yNjExMTYxMTAzNDFaGA8yMTI2
MTAyMzExMDM0MVowGDEWMBQGA1UEAwwNaHVzdGluZ3MgdGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABJ2TIev8AZUNotjYnjLsZ/8kj0wx0FkMNvVLI5/SsFeJ
YJtDiMvcoMOTcglK0r2x3LqLyAH/P3eKaMkRizTd5/6jaTBnMB0GA1UdDgQWBBQM
t43KWVXWv41GfGWdKJIOVuKEtTAfBgNVHSMEGDAWgBQMt43KWVXWv41GfGWdKJIO
VuKEtTAPBgNVHRMBAf8EBTADAQH/MBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAKBggq
hkjOPQQDAgNIADBFAiAPfbQf8Jw5bdwJaQrgzHqHzE/7Bv90hU5S8HvUKoxX2AIh
ANKvzAC+we7St3Y4LkyVpPIuIfe8WxcIrILf/n+X+c86
-----END CERTIFICATE-----
`;

const claimOf = (name: string, nonce: string, ttlMs = LONG_MS) => claim(name, nonce, { nonce, ttlMs });

await describeWith('mariadbd', 'a store on MariaDB', () => {
  let server: TestServer;
  let admin: Connection;
  const opened: MysqlLeaseStore[] = [];
  const open = async (url = server.url, options?: MysqlStoreOptions): Promise<MysqlLeaseStore> => {
    const store = await MysqlLeaseStore.open(url, options);
    opened.push(store);
    return store;
  };
  const win = async (store: MysqlLeaseStore, name: string, ttlMs = LONG_MS): Promise<bigint> => {
    const [answer] = await store.acquire([claimOf(name, 'a', ttlMs)]);
    if (answer.type !== 'ok') throw new Error(`a did not get ${name}`);
    return answer.token;
  };
  const failureOf = async (call: Promise<unknown>): Promise<StoreError> => {
    const failure = await call.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreError);
    expect(inspect(failure, { depth: 20 })).not.toContain(PASSWORD);
    return failure as StoreError;
  };
  const asUser = (user: string, database = 'app'): string =>
    `mysql://${user}@127.0.0.1:${server.port}/${database}`;
  /** Calls until the store answers: the fault may be over a moment later for the server. */
  const recovers = (call: () => Promise<unknown>): Promise<unknown> =>
    eventually(
      () =>
        call().then(
          () => true,
          () => undefined,
        ),
      'the store recovers by itself',
    );

  beforeAll(async () => {
    server = await startMariadb({ password: PASSWORD });
    admin = await adminOf(server);
    writeFileSync(join(server.folder, 'ca.pem'), CERTIFICATE);
  }, 90_000);
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  describe('refuses a URL', () => {
    it.each([
      ['mysql://h', /database/],
      ['mysql://h/a/b', /one database/],
      ['mysql://h/a?ssl=1', /tls, ca, socket/],
      ['mysql://h/a?tls=yes', /off, verify, no-verify/],
      ['mysql://h/a?ca=x', /needs tls=verify/],
      ['mysql://127.0.0.1/a?tls=verify', /name of the host/],
      ['mysql://h/a?tls=verify&ca=/no/such', /cannot be read/],
    ])('such as %s', async (url, text) => {
      const failure = await MysqlLeaseStore.open(url).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(InputError);
      expect(String(failure)).toMatch(text);
    });
  });

  it('says that the password is wrong, and shows none', async () => {
    const store = await open(asUser('app:wrong-one'));
    expect(await failureOf(store.names())).toMatchObject({ kind: 'denied', message: /password/ });
  });

  it('says that the database is missing, and uses it once it exists', async () => {
    const store = await open(asUser('root', 'later'));
    expect(await failureOf(store.names())).toMatchObject({
      kind: 'unprepared',
      message: /create the database/,
    });
    await admin.query('CREATE DATABASE later');
    expect(await store.names()).toEqual([]);
  });

  it('says which statements create the tables and grant the permissions, and goes on once they were run', async () => {
    await admin.query(
      "CREATE DATABASE guarded; CREATE USER 'guest'@'%'; GRANT SELECT ON guarded.* TO 'guest'@'%'",
    );
    const store = await open(asUser('guest', 'guarded'));
    const failure = await failureOf(store.acquire([claimOf('x', 'a')]));
    expect(failure).toMatchObject({ kind: 'unprepared', message: /may not create/ });
    for (const statement of store.initStatements())
      expect(failure.message).toContain(statement.replace(/\s+/g, ' '));
    expect((await store.probe()).problems.join()).toBe('');
    await admin.query(`USE guarded; ${store.initStatements().slice(0, 6).join('; ')}`);
    expect(await failureOf(store.acquire([claimOf('x', 'a')]))).toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('grant this account SELECT, INSERT, UPDATE and DELETE'),
    });
    expect((await store.probe()).problems.join()).toMatch(
      /GRANT SELECT, INSERT, UPDATE, DELETE ON `guarded`/,
    );
    await admin.query(`${store.initStatements().slice(6).join('; ')}; USE app`);
    expect(await win(store, 'x')).toBeGreaterThan(0n);
    expect((await store.probe()).problems).toEqual([]);
  });

  it('never creates tables again that it has seen', async () => {
    await admin.query('CREATE DATABASE emptied');
    const store = await open(asUser('root', 'emptied'));
    await win(store, 'x');
    await admin.query('DROP TABLE emptied.hustings_lease; KILL USER root').catch(() => undefined);
    admin = await adminOf(server);
    await recovers(async () => {
      expect(await failureOf(store.names())).toMatchObject({ kind: 'unprepared', message: /removed/ });
    });
  });

  it('refuses a server that became read-only, for reads too, and goes on when it is writable', async () => {
    const store = await open();
    const token = await win(store, 'read-only');
    await admin.query('SET GLOBAL read_only = 1');
    try {
      for (const call of [
        () => store.read(['read-only']),
        () => store.renew([{ name: 'read-only', nonce: 'a', token, ttlMs: LONG_MS }]),
        () => store.acquire([claimOf('read-only', 'b')]),
      ]) {
        expect(await failureOf(call())).toMatchObject({
          kind: 'busy',
          message: /read-only.*name the primary/,
        });
      }
      expect((await store.probe()).problems.join()).toMatch(/read-only/);
    } finally {
      await admin.query('SET GLOBAL read_only = 0');
    }
    expect(await store.renew([{ name: 'read-only', nonce: 'a', token, ttlMs: LONG_MS }])).toMatchObject([
      { type: 'ok' },
    ]);
  });

  it('says that the server has too many connections, and goes on when there are fewer', async () => {
    await admin.query("CREATE USER 'few'@'%' WITH MAX_USER_CONNECTIONS 1; GRANT ALL ON app.* TO 'few'@'%'");
    const first = await open(asUser('few'));
    await first.names();
    const second = await open(asUser('few'));
    expect(await failureOf(second.names())).toMatchObject({ kind: 'busy', message: /max_connections/ });
    await first.close();
    await recovers(() => second.names());
  });

  it('goes on after its connections were killed', async () => {
    const store = await open();
    const token = await win(store, 'killed');
    await admin.query("KILL USER 'app'");
    await recovers(() => store.renew([{ name: 'killed', nonce: 'a', token, ttlMs: LONG_MS }]));
    expect((await store.read(['killed']))[0]).toMatchObject({ token, holder: { nonce: 'a' } });
  });

  it('answers within its timeout while the server does not, and goes on afterwards', async () => {
    const store = await open(server.url, { timeoutMs: 1_000 });
    const token = await win(store, 'paused');
    server.pause();
    try {
      const failure = await failureOf(store.renew([{ name: 'paused', nonce: 'a', token, ttlMs: LONG_MS }]));
      expect(failure).toMatchObject({ kind: 'unreachable', message: /no answer within 1000 ms/ });
    } finally {
      server.resume();
    }
    await recovers(() => store.renew([{ name: 'paused', nonce: 'a', token, ttlMs: LONG_MS }]));
  });

  it('says that nobody answers at the address', async () => {
    const store = await open(`mysql://app@127.0.0.1:${await freePort()}/app`);
    expect(await failureOf(store.names())).toMatchObject({ kind: 'unreachable', message: /host, port/ });
  });

  it('rejects what is pending when it is closed', async () => {
    const proxy = await startTcpProxy(server.port);
    const store = await open(server.url.replace(`:${server.port}/`, `:${proxy.port}/`));
    await store.names();
    proxy.set('swallow-to-client');
    const pending = failureOf(store.names());
    await store.close();
    expect((await pending).kind).toBe('unreachable');
    await proxy.close();
  });

  it('encrypts, and checks the certificate and the name of the host, if the URL says so', async () => {
    writeFileSync(join(server.folder, 'key.pem'), KEY, { mode: 0o600 });
    const file = (name: string): string => join(server.folder, name);
    const secured = await startMariadb({
      args: [`--ssl-cert=${file('ca.pem')}`, `--ssl-key=${file('key.pem')}`],
    });
    try {
      const plain = secured.url;
      const named = plain.replace('127.0.0.1', 'localhost');
      const check = async (url: string): Promise<readonly string[]> => (await open(url)).names();
      expect(await check(`${plain}?tls=no-verify`)).toEqual([]);
      expect(await check(`${named}?tls=verify&ca=${file('ca.pem')}`)).toEqual([]);
      expect(await failureOf(check(`${named}?tls=verify`))).toMatchObject({ message: /ca=FILE/ });
      expect(await failureOf(check(`${server.url}?tls=no-verify`))).toMatchObject({ message: /has no TLS/ });
      const users = await adminOf(secured);
      await users.query("ALTER USER 'app'@'%' REQUIRE SSL");
      await users.end();
      expect(await failureOf(check(plain))).toMatchObject({ kind: 'denied' });
    } finally {
      for (const store of opened.splice(0)) await store.close();
      await secured.stop();
    }
  }, 60_000);
});

await describeWith('mariadbd', 'a MariaDB with unsafe settings', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startMariadb({
      args: [
        ...['--sysdate-is-now', '--innodb-flush-log-at-trx-commit=0', '--log-bin', '--server-id=1'],
        ...[
          '--binlog-format=STATEMENT',
          '--default-time-zone=+05:30',
          '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES',
        ],
      ],
    });
  }, 90_000);
  afterAll(() => server?.stop());

  it('is refused because of --sysdate-is-now, and doctor sees every setting', async () => {
    const store = await MysqlLeaseStore.open(server.url);
    try {
      const call = store.acquire([claimOf('x', 'a')]);
      await expect(call).rejects.toMatchObject({ kind: 'unusable', message: /remove sysdate-is-now/ });
      const { problems, warnings, clockOffsetMs } = await store.probe();
      expect(problems.join(' ')).toMatch(/sysdate-is-now.*STATEMENT/);
      expect(warnings.join(' ')).toMatch(/innodb_flush_log_at_trx_commit is 0: a crash of the server/);
      expect(Math.abs(clockOffsetMs)).toBeLessThan(60_000);
    } finally {
      await store.close();
    }
  });
});
