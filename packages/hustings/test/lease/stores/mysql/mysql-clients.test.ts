/** Stores on the server of a client that the program already has. */
import mysql from 'mysql2';
import promises from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith, startMariadb, type TestServer } from '../../../../../../test-kit/servers/index.ts';
import { InputError } from '../../../../../base/src/hustings-error.ts';
import { MysqlLeaseStore } from '../../../../src/lease/stores/mysql/mysql-lease-store.ts';
import { claimOf, win } from '../postgres/requests.ts';

describe('what is no client of MySQL', () => {
  it.each([[{}], [null], [42], [new URL('mysql://h/d')]])('is refused: %j', async (source) => {
    await expect(MysqlLeaseStore.open(source as never)).rejects.toThrow(
      new InputError('a MySQL store needs a URL, or a pool or connection of mysql2'),
    );
  });

  it('is a pool without a database', async () => {
    const pool = mysql.createPool({ host: '127.0.0.1', user: 'root' });
    await expect(MysqlLeaseStore.open(pool)).rejects.toThrow('must name a database');
    pool.end();
  });
});

await describeWith('mariadbd', 'an existing client of mysql2', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startMariadb();
  }, 90_000);
  afterAll(() => server?.stop());

  it('gives the store its server and login, and is neither used nor closed', async () => {
    const uri = server.url.replace(/^mariadb:/, 'mysql:');
    const pool = mysql.createPool({ uri, connectionLimit: 1 });
    const connection = await promises.createConnection({ uri, rowsAsArray: true });
    const promisePool = promises.createPool({ uri, connectionLimit: 1, dateStrings: true });
    const callbacks = mysql.createConnection(uri);
    // The only connection of the program is inside a transaction, which would delay a renewal.
    const busy = await promisePool.getConnection();
    await busy.beginTransaction();
    for (const [index, source] of [pool, promisePool, connection, callbacks].entries()) {
      const store = await MysqlLeaseStore.open(source);
      expect(store.label).toMatch(/^mysql:\/\/[\w.]+:\d+\/\w+$/);
      const name = `existing ${index}`;
      const token = await win(store, claimOf(name, 'a'));
      expect(await store.renew([{ name, nonce: 'a', token, ttlMs: 60_000 }])).toMatchObject([{ type: 'ok' }]);
      await store.close();
      const other = await MysqlLeaseStore.open(server.url);
      expect(await other.read([name])).toMatchObject([{ token, holder: { id: 'a' } }]);
      await other.close();
    }
    await busy.rollback();
    busy.release();
    await promisePool.query('SELECT 1');
    await connection.query('SELECT 1');
    await Promise.all([promisePool.end(), connection.end(), pool.promise().end(), callbacks.promise().end()]);
  }, 60_000);

  it('has secrets that no error shows', async () => {
    const pool = mysql.createPool({ uri: server.url.replace(/\/\/[^@]*@/, '//us3r:wr0ng@') });
    const store = await MysqlLeaseStore.open(pool);
    const error = await store.read(['job']).catch((reason) => reason);
    expect(error).toMatchObject({ kind: 'denied' });
    expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/us3r|wr0ng/);
    await store.close();
    await pool.promise().end();
  });
});
