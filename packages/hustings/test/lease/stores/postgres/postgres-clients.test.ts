/** Stores on the server of a client that the program already has. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith, startPostgres, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { withLogin } from '../../../../src/lease/stores/postgres/postgres-client.ts';
import { PostgresLeaseStore } from '../../../../src/lease/stores/postgres/postgres-lease-store.ts';
import { claimOf, win } from './requests.ts';

describe('what is no client of PostgreSQL', () => {
  it.each([[{}], [null], [42], [new URL('postgres://h/d')]])('is refused: %j', async (source) => {
    await expect(PostgresLeaseStore.open(source as never)).rejects.toThrow(InputError);
  });
});

describe('a connection string with a fresh login', () => {
  it.each([
    ['postgres://h/d', { username: 'a', password: 'b' }, 'postgres://a:b@h/d'],
    ['postgres://x:y@h:1/d?a=1', { password: 'p@/ss' }, 'postgres://x:p%40%2Fss@h:1/d?a=1'],
    ['postgres://x@/d?host=/run', { password: 'p' }, 'postgres://x:p@/d?host=%2Frun'],
    ['postgres://h/d?user=x&password=y', { password: 'p' }, 'postgres://x:p@h/d'],
  ])('%s keeps all else', (text, login, expected) => expect(withLogin(text, login)).toBe(expected));
});

await describeWith('postgres', 'an existing client of PostgreSQL', () => {
  const password = 's3cr3t/p@ss';
  let server: TestServer;
  const toEnd: (() => Promise<unknown>)[] = [];
  const open = async (...args: Parameters<typeof PostgresLeaseStore.open>): Promise<PostgresLeaseStore> => {
    const store = await PostgresLeaseStore.open(...args);
    toEnd.push(() => store.close());
    return store;
  };
  const renewOf = (name: string, token: bigint) => ({ name, nonce: 'a', token, ttlMs: 60_000 });

  beforeAll(async () => {
    server = await startPostgres({ password });
  }, 90_000);
  afterAll(async () => {
    for (const end of toEnd.reverse()) await end();
    await server?.stop();
  });

  it('of pg gives the store its server and login, and is neither used nor closed', async () => {
    const config = { host: '127.0.0.1', port: server.port, user: 'postgres', password, database: 'postgres' };
    const pools = [
      new pg.Pool({ connectionString: server.url, max: 1 }),
      new pg.Pool({ ...config, max: 1, password: async () => password }),
    ];
    // `end` of a Pool settles before its connections are closed: the server may still tell them that it stops.
    for (const pool of pools) pool.on('error', () => undefined);
    const clients = [new pg.Client(server.url), new pg.Client(config)];
    for (const [index, source] of [...pools, ...clients].entries()) {
      toEnd.push(() => source.end());
      // The only connection of the program is inside a transaction, which would delay a renewal.
      const busy = source instanceof pg.Pool ? await source.connect() : source;
      if (busy instanceof pg.Client && !(source instanceof pg.Pool)) await busy.connect();
      await busy.query('BEGIN');
      const store = await open(source);
      expect(store.label).toBe(`postgres://127.0.0.1:${server.port}/postgres`);
      const name = `existing ${index}`;
      const token = await win(store, claimOf(name, 'a'));
      let notifications = 0;
      store.watch(name, () => notifications++);
      await expect.poll(() => store.isPushing(), { timeout: 20_000 }).toBe(true);
      expect(await store.renew([renewOf(name, token)])).toMatchObject([{ type: 'ok' }]);
      await store.close();
      await busy.query('ROLLBACK');
      if (source instanceof pg.Pool) (busy as pg.PoolClient).release();
      const other = await open(server.url);
      expect(await other.read([name])).toMatchObject([{ token, holder: { id: 'a' } }]);
    }
  }, 60_000);

  it('has secrets that no error shows', async () => {
    const pool = new pg.Pool({
      host: '127.0.0.1',
      port: server.port,
      user: 'us3r',
      password: 'wr0ng',
      database: 'd',
    });
    toEnd.push(() => pool.end());
    const error = await (await open(pool)).read(['job']).catch((reason) => reason);
    expect(error).toMatchObject({ kind: 'denied' });
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/us3r|wr0ng/);
  });

  it('may have credentials that change: they are asked for with each new connection', async () => {
    const admin = new pg.Client(server.url);
    await admin.connect();
    toEnd.push(() => admin.end());
    await admin.query(`CREATE ROLE app LOGIN SUPERUSER PASSWORD 'first'`);
    let secret = 'first';
    let asked = 0;
    const store = await open(server.url, {
      credentials: async () => {
        asked += 1;
        return { username: 'app', password: secret };
      },
    });
    const token = await win(store, claimOf('rotated', 'a'));
    expect(asked).toBe(1);
    await admin.query(`ALTER ROLE app PASSWORD 'second'`);
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`);
    const answer = () =>
      store.renew([renewOf('rotated', token)]).then(
        ([{ type }]) => type as string,
        (error) => error.kind as string,
      );
    await expect.poll(answer, { timeout: 20_000 }).toBe('denied');
    secret = 'second';
    await expect.poll(answer, { timeout: 20_000 }).toBe('ok');
  });

  it('whose credentials are refused names the function that gave them', async () => {
    const store = await open(server.url, {
      credentials: () => ({ username: 'postgres', password: 'wr0ng' }),
    });
    const error = await store.read(['job']).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'denied' });
    expect(String(error)).toContain('check what the function credentials returns');
    expect(String(error)).not.toMatch(/in the URL|wr0ng/);
  });

  it('whose credentials cannot be had fails the call, which ends in time if the function hangs', async () => {
    const failing = await open(server.url, {
      credentials: () => Promise.reject(new Error('vault is sealed')),
    });
    await expect(failing.read(['job'])).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('vault is sealed'),
    });
    const hanging = await open(server.url, { timeoutMs: 200, credentials: () => new Promise(() => {}) });
    for (const _ of [1, 2])
      await expect(hanging.read(['job'])).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
