/** What goes wrong between a store and its PostgreSQL: what the store says, and that it goes on by itself. */

import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runProcess } from '../../../../../../test-kit/limits/child-process.ts';
import {
  describeWith,
  freePort,
  startPostgres,
  startTcpProxy,
  type TestServer,
} from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../study/src/kernel/errors.ts';
import { createElector } from '../../../../src/elector/create-elector.ts';
import { StoreError } from '../../../../src/lease/core/store-error.ts';
import {
  PostgresLeaseStore,
  type PostgresStoreOptions,
} from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { claimOf as claim, win } from './requests.ts';

const claimOf = (name: string, nonce: string) => claim(name, nonce, { ttlMs: 3_600_000 });

const PASSWORD = 'p@ss/w:rd%?#"';
const WRONG = 'not-the-Passw0rd';

/** Made for these tests: it is valid for 127.0.0.1 alone, and for a hundred years. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKMG7+zIZiZBT/rI1
aDZD2zAXuxK0xin/2mODySYzrzmhRANCAARsJ/+yuMDm7uYXb7dnQf1DTjemdK37
jobV8BgpLAbxXCtYo9ov+Dcxd0Y6QJC54DT0D1aUVzJFgvWheQPFBbC3
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBYzCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1odXN0aW5n
cyB0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1odXN0aW5ncyB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbCf/
srjA5u7mF2+3Z0H9Q043pnSt+46G1fAYKSwG8VwrWKPaL/g3MXdGOkCQueA09A9W
lFcyRYL1oXkDxQWwt6NDMEEwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/
AAABMB0GA1UdDgQWBBTk6k9CjD1eN/xlq1terYpjxbbZbzAKBggqhkjOPQQDAgNH
ADBEAiAnVpdQgWempqVCtLKHpRukHA3j2zQVbIO2fAm7V51WjgIgH3A6ig5sdPvB
X8IJv+YjVAH3DRWiBWxmPf6+NcetNeQ=
-----END CERTIFICATE-----
`;

await describeWith('postgres', 'a store on PostgreSQL', () => {
  let server: TestServer;
  const opened: PostgresLeaseStore[] = [];
  const open = async (url: string, options?: PostgresStoreOptions): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(url, options);
    opened.push(store);
    return store;
  };
  const sql = async (text: string): Promise<pg.QueryResult> => {
    const client = new pg.Client(server.url);
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const urlOf = (parts: { user?: string; password?: string; port?: number; database?: string }): string => {
    const url = new URL(server.url);
    if (parts.user !== undefined) url.username = parts.user;
    if (parts.password !== undefined) url.password = encodeURIComponent(parts.password);
    if (parts.port !== undefined) url.port = `${parts.port}`;
    if (parts.database !== undefined) url.pathname = parts.database;
    return url.href;
  };
  const failure = async (store: PostgresLeaseStore, name = 'x'): Promise<StoreError> => {
    const error = await store.acquire([claimOf(name, 'a')]).then(
      (answer) => new Error(`the call must fail, not answer ${inspect(answer)}`),
      (reason) => reason,
    );
    if (!(error instanceof StoreError)) throw error;
    expect(error.message).not.toMatch(/\n/);
    for (const secret of [PASSWORD, WRONG, encodeURIComponent(PASSWORD)]) {
      const shown = [
        inspect(error, { depth: 9, showHidden: true }),
        JSON.stringify(error),
        error.stack,
        store.label,
      ];
      expect(shown.filter((text) => text?.includes(secret))).toEqual([]);
    }
    return error;
  };
  /** Asks again until it is answered, as an elector does. */
  const atLast = async <T>(call: () => Promise<T>): Promise<T> => {
    for (const endMs = performance.now() + 30_000; ; ) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof StoreError) || performance.now() > endMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };

  beforeAll(async () => {
    server = await startPostgres({ password: PASSWORD });
  }, 90_000);
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => server?.stop());

  it('names a wrong password, user, database, port and URL, and shows no password', async () => {
    const denied = await failure(await open(urlOf({ password: WRONG })));
    expect([denied.kind, denied.code]).toEqual(['denied', 'HUSTINGS_STORE_DENIED']);
    expect((await failure(await open(urlOf({ password: '' })))).kind).toBe('denied');
    expect((await failure(await open(urlOf({ user: 'nobody' })))).kind).toBe('denied');
    const missing = await failure(await open(urlOf({ database: 'nowhere' })));
    expect([missing.kind, missing.message]).toEqual([
      'unprepared',
      expect.stringMatching(/nowhere.*create the database/),
    ]);
    const closed = await failure(await open(urlOf({ port: await freePort() })));
    expect([closed.kind, closed.message]).toEqual([
      'unreachable',
      expect.stringMatching(/ECONNREFUSED.*port/),
    ]);
    const plain = await failure(await open(`${server.url}?sslmode=require`));
    expect([plain.kind, plain.message]).toEqual(['unreachable', expect.stringMatching(/SSL/)]);
    await expect(PostgresLeaseStore.open(`postgres://u:${WRONG}@[bad/x`)).rejects.toThrow(InputError);
    const bad = await PostgresLeaseStore.open(`postgres://u:${WRONG}@[bad/x`).catch((error) => error);
    expect(inspect(bad, { depth: 9, showHidden: true })).not.toContain(WRONG);
  });

  it('refuses invalid settings before it connects', async () => {
    for (const options of [{ connections: 0 }, { timeoutMs: -1 }, { keepTerms: 1.5 }, { schema: '' }]) {
      await expect(PostgresLeaseStore.open(server.url, options)).rejects.toThrow(InputError);
    }
  });

  it('has a label of host, port and database only', async () => {
    const store = await open(server.url);
    expect(store.label).toBe(`postgres://127.0.0.1:${server.port}/postgres`);
    await store.acquire([claimOf('label', 'a')]);
    expect(inspect(store, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
    expect(JSON.stringify(store)).not.toContain(PASSWORD);
  });

  it('creates its tables with the first call, also if many stores start together', async () => {
    for (const schema of ['first', 'se"cond', 'third']) {
      const stores = await Promise.all(Array.from({ length: 8 }, () => open(server.url, { schema })));
      const answers = await Promise.all(
        stores.map((store, index) => store.acquire([claimOf('x', `${index}`)])),
      );
      expect(answers.flat().filter(({ type }) => type === 'ok')).toHaveLength(1);
    }
  });

  it('without permission to create tables names the statements to run, and works after they ran', async () => {
    await sql(
      `CREATE ROLE plain LOGIN PASSWORD 'plain'; CREATE SCHEMA bare; GRANT USAGE ON SCHEMA bare TO plain`,
    );
    const store = await open(urlOf({ user: 'plain', password: 'plain' }), { schema: 'bare' });
    const error = await failure(store);
    expect(error.kind).toBe('unprepared');
    expect(error.message).toMatch(/hustings store init.*CREATE TABLE .*GRANT SELECT, INSERT.*"plain"/);
    await expect(store.init()).rejects.toMatchObject({ kind: 'unprepared' });
    expect((await store.probe()).problems).toEqual([expect.stringMatching(/tables are missing.*store init/)]);
    for (const statement of store.initStatements()) await sql(statement);
    expect(await store.acquire([claimOf('x', 'a')])).toMatchObject([{ type: 'ok' }]);
    expect((await store.probe()).problems).toEqual([]);
    await store.init();
  });

  it('without permission for the tables names the GRANT statement', async () => {
    await (await open(server.url)).init();
    await sql(`CREATE ROLE outsider LOGIN PASSWORD 'outsider'`);
    const store = await open(urlOf({ user: 'outsider', password: 'outsider' }));
    const error = await failure(store);
    expect([error.kind, error.message]).toEqual(['denied', expect.stringMatching(/GRANT .* TO "outsider"/)]);
    expect((await store.probe()).problems).toEqual([expect.stringMatching(/GRANT .* TO "outsider"/)]);
    await sql('GRANT SELECT ON ALL TABLES IN SCHEMA public TO outsider');
    expect((await failure(store)).kind).toBe('denied');
    expect(await store.read(['never was'])).toMatchObject([{ token: 0n }]);
  });

  it('does not use tables of another layout, and does not create removed tables again', async () => {
    const store = await open(server.url, { schema: 'newer' });
    await store.acquire([claimOf('x', 'a')]);
    for (const [version, compatibleFrom, text] of [
      [2, 2, /layout 2.*needs layout 4.*remove/],
      [6, 5, /layout 6.*knows layout 4.*newer release/],
    ] as const) {
      await sql(`UPDATE newer.hustings_layout SET version = ${version}, compatible_from = ${compatibleFrom}`);
      const later = await open(server.url, { schema: 'newer' });
      const error = await failure(later);
      expect([error.kind, error.message]).toEqual(['unprepared', expect.stringMatching(text)]);
      expect((await later.probe()).problems).toEqual([expect.stringMatching(text)]);
    }
    // As the release before this one made it.
    await sql('ALTER TABLE newer.hustings_layout DROP COLUMN compatible_from, DROP COLUMN past_token');
    await sql('UPDATE newer.hustings_layout SET version = 2');
    expect((await failure(await open(server.url, { schema: 'newer' }))).message).toMatch(/needs layout 4/);
    await sql('DROP SCHEMA newer CASCADE');
    expect((await failure(store)).kind).toBe('unprepared');
    await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $$hustings$$');
    await expect(
      atLast(() =>
        store.read(['x']).then(
          () => 'made',
          ({ kind, message }) => {
            if (kind === 'unreachable') throw new StoreError(kind, message);
            return kind;
          },
        ),
      ),
    ).resolves.toBe('unprepared');
  });

  it('on a read-only server fails as busy, and acquires nothing', async () => {
    await sql(
      `CREATE ROLE reader LOGIN SUPERUSER PASSWORD 'reader'; ALTER ROLE reader SET default_transaction_read_only = on`,
    );
    await (await open(server.url)).init();
    const store = await open(urlOf({ user: 'reader', password: 'reader' }));
    const error = await failure(store);
    expect([error.kind, error.message]).toEqual(['busy', expect.stringMatching(/read-only.*primary/)]);
    expect((await store.probe()).problems).toEqual([expect.stringMatching(/read-only for reader/)]);
    await sql('ALTER ROLE reader RESET default_transaction_read_only');
    expect(await atLast(() => store.acquire([claimOf('was read-only', 'a')]))).toMatchObject([
      { type: 'ok' },
    ]);
  });

  it('works on after an administrator ended its connections, with notifications', async () => {
    const store = await open(server.url);
    const token = await win(store, claimOf('cut', 'a'));
    let notifications = 0;
    store.watch('cut', () => notifications++);
    await expect.poll(() => notifications, { timeout: 20_000 }).toBeGreaterThan(0);
    const before = notifications;
    await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $$hustings$$');
    const renewal = { name: 'cut', nonce: 'a', token, ttlMs: 3_600_000 };
    expect(await atLast(() => store.renew([renewal]))).toMatchObject([{ type: 'ok' }]);
    // A notification of its own after the gap, then those of the lease again.
    await expect.poll(() => notifications, { timeout: 20_000 }).toBeGreaterThan(before);
    const settled = notifications;
    await store.evict('cut');
    await expect.poll(() => notifications, { timeout: 20_000 }).toBeGreaterThan(settled);
  });

  it.each(['politely', 'kill9'] as const)(
    'keeps leases, tokens and terms over a restart of its server: %s',
    async (how) => {
      const store = await open(server.url);
      const name = `restarted ${how}`;
      const first = await win(store, claimOf(name, 'a'));
      await store.release([
        { name, nonce: 'a', token: first, reason: 'released', successor: null, reserveMs: 0 },
      ]);
      const token = await win(store, claimOf(name, 'b'));
      const before = await store.history(name);
      await server.restart(how);
      expect(await atLast(() => store.renew([{ name, nonce: 'b', token, ttlMs: 3_600_000 }]))).toMatchObject([
        { type: 'ok' },
      ]);
      const after = await store.history(name);
      expect(after).toMatchObject(before.map(({ claimedUntilMs, ...term }) => term));
      expect(await store.acquire([claimOf(name, 'c')])).toMatchObject([{ type: 'held', record: { token } }]);
    },
  );

  it('lets a waiting candidate lead one TTL later, if the clock was set back when the leader had died', async () => {
    const store = await open(server.url);
    const before = await win(store, claim('set back', 'dead', { ttlMs: 1_000 }));
    const minutes = 600_000;
    // The same as a clock that is ten minutes behind: the rows are ten minutes ahead.
    await sql(`UPDATE hustings_lease SET until_ms = until_ms + ${minutes} WHERE name = 'set back'`);
    const elector = createElector({ store, name: 'set back', ttlMs: 1_000, processProof: '' });
    const lead = await elector.acquire({ timeoutMs: minutes / 20 });
    expect(lead.token > before).toBe(true);
    await lead.release();
  });

  it('rejects in time without an answer, and works again when the network is back', async () => {
    const proxy = await startTcpProxy(server.port);
    try {
      const store = await open(proxy.url(server.url), { timeoutMs: 1_000 });
      const token = await atLast(() => win(store, claimOf('half-open', 'a')));
      proxy.set('blackhole');
      const renewal = { name: 'half-open', nonce: 'a', token, ttlMs: 3_600_000 };
      const calls = Array.from({ length: 5 }, () => store.renew([renewal]).catch((error) => error));
      const startMs = performance.now();
      for (const error of await Promise.all(calls)) {
        expect(error).toBeInstanceOf(StoreError);
        expect(['unreachable', 'busy']).toContain(error.kind);
      }
      expect(performance.now() - startMs).toBeLessThan(15_000);
      proxy.set('pass');
      expect(await atLast(() => store.renew([renewal]))).toMatchObject([{ type: 'ok' }]);
      proxy.set('cut');
      expect((await failure(store, 'half-open')).kind).toBe('unreachable');
      proxy.set('pass');
      expect(await atLast(() => store.renew([renewal]))).toMatchObject([{ type: 'ok' }]);
    } finally {
      await proxy.close();
    }
  });

  it('fails as busy if the server has no connection left', async () => {
    await sql(
      `CREATE ROLE crowded LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0; GRANT CREATE ON SCHEMA public TO crowded`,
    );
    const error = await failure(await open(urlOf({ user: 'crowded', password: 'crowded' })));
    expect([error.kind, error.message]).toEqual(['busy', expect.stringMatching(/max_connections|pooler/)]);
  });

  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('has every write on disk before it answers: synchronous_commit %s becomes %s', async (set, used) => {
    const request = claimOf(`commit ${set}`, 'a');
    await (await open(server.url)).init();
    await sql(`ALTER ROLE postgres SET synchronous_commit = ${set};
      CREATE TABLE commits (how text);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO commits VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE TRIGGER noted AFTER INSERT OR UPDATE ON hustings_lease FOR EACH ROW EXECUTE FUNCTION note()`);
    try {
      const store = await open(server.url);
      const token = await win(store, request);
      const { name, nonce, ttlMs } = request;
      const held = { name, nonce, ttlMs, token };
      await store.renew([held]);
      await store.renew([held, { ...held, name: 'another' }]);
      await store.release([{ ...held, reason: 'released', successor: null, reserveMs: 0 }]);
      await store.acquire([{ ...request, nonce: 'b' }]);
      const { rows } = await sql('SELECT how, count(*)::int FROM commits GROUP BY how');
      expect(rows).toEqual([{ how: used, count: 5 }]);
      expect((await store.probe()).problems).toEqual([]);
    } finally {
      await sql(
        'DROP TABLE commits; DROP FUNCTION note CASCADE; ALTER ROLE postgres RESET synchronous_commit',
      );
    }
  });

  const DIST = new URL('../../../../dist/lease/stores/postgres/postgres-lease-store.js', import.meta.url)
    .href;
  const child = (script: string, ...args: string[]) =>
    runProcess(process.execPath, [...args, '--input-type=module', '-e', script], {
      limitMs: 50_000,
      env: { ...process.env, STORE: server.url },
    });

  it('trusts over TLS only the given CA, and only the right host name', async () => {
    const data = join(server.folder, 'pg', 'data');
    const { uid, gid } = statSync(data);
    for (const [file, text] of [
      ['server.crt', CERTIFICATE],
      ['server.key', KEY],
    ] as const) {
      writeFileSync(join(data, file), text, { mode: 0o600 });
      chownSync(join(data, file), uid, gid);
    }
    const ca = join(server.folder, 'ca.pem');
    writeFileSync(ca, CERTIFICATE);
    await sql('ALTER SYSTEM SET ssl = on');
    await sql('SELECT pg_reload_conf()');
    const encrypted = async (query: string, url = server.url): Promise<boolean> => {
      const store = await open(`${url}?${query}`);
      await store.read(['x']);
      const pid = '(SELECT max(pid) FROM pg_stat_activity WHERE application_name = $$hustings$$)';
      const { rows } = await sql(`SELECT ssl FROM pg_stat_ssl WHERE pid = ${pid}`);
      await store.close();
      return rows[0].ssl;
    };
    await expect
      .poll(() => encrypted('sslmode=no-verify').catch(() => false), { timeout: 20_000 })
      .toBe(true);
    expect(await encrypted('sslmode=disable')).toBe(false);
    const other = server.url.replace('127.0.0.1', 'localhost');
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      const stranger = await failure(await open(`${server.url}?sslmode=${mode}`));
      expect([stranger.kind, stranger.message]).toEqual([
        'unreachable',
        expect.stringMatching(/sslrootcert/),
      ]);
      expect(await encrypted(`sslmode=${mode}&sslrootcert=${ca}`)).toBe(true);
      expect((await failure(await open(`${other}?sslmode=${mode}&sslrootcert=${ca}`))).message).toMatch(
        /altnames/,
      );
    }
    // A statement that timed out is canceled over TLS too.
    const admin = new pg.Client(server.url);
    await admin.connect();
    await admin.query('BEGIN; LOCK hustings_lease IN ACCESS EXCLUSIVE MODE');
    await failure(await open(`${server.url}?sslmode=verify-full&sslrootcert=${ca}`, { timeoutMs: 1_000 }));
    const waiting = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => (await sql(waiting)).rows, { timeout: 20_000 }).toEqual([{ n: 0 }]);
    await admin.end();
  });

  it('does not keep the process alive, neither by connections nor by a watch', () => {
    const { status, stdout, stderr } = child(`
      const { PostgresLeaseStore } = await import('${DIST}');
      const store = await PostgresLeaseStore.open(process.env.STORE);
      store.watch('idle', () => undefined);
      console.log((await store.read(['idle']))[0].token);`);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '0n\n', stderr: '' });
  });

  it('without its client library gives the command that installs it', () => {
    const hook = `export async function resolve(name, context, next) {
      if (name === 'pg') throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    }`;
    const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
    const { stdout } = child(
      `const { PostgresLeaseStore } = await import('${DIST}');
      await PostgresLeaseStore.open(process.env.STORE).catch((error) => console.log(error.code, error.message));`,
      '--import',
      `data:text/javascript,${encodeURIComponent(register)}`,
    );
    expect(stdout).toMatch(/^HUSTINGS_STORE_UNUSABLE .*: npm install pg\n$/);
  });
});
