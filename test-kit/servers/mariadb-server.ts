/**
 * A real MariaDB with the database `app` and the user `app`, who may do everything in it, and `root`. Ready in three to five
 * seconds: one for each test file. MySQL itself has no Debian package: the store keeps to what both servers have.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { programPath } from '../programs/programs.ts';
import { copyOfTemplate, runProgram } from './data-template.ts';
import { startServer, type TestServer } from './server-process.ts';

export interface MariadbServerOptions {
  /** The password of the user app. */
  readonly password?: string;
  /** Arguments of the program, such as '--sysdate-is-now'. */
  readonly args?: readonly string[];
}

export function startMariadb({ password = '', args = [] }: MariadbServerOptions = {}): Promise<TestServer> {
  const url = (port: number): string =>
    `mysql://app${password === '' ? '' : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/app`;
  // As root it must be told that it may.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  return startServer({
    program: programPath('mariadbd') ?? 'mariadbd',
    politeSignal: 'SIGTERM',
    async prepare(folder) {
      const install = programPath('mariadb-install-db') ?? 'mariadb-install-db';
      await copyOfTemplate('mariadb', join(folder, 'data'), (path) =>
        runProgram(install, [
          ...['--no-defaults', `--datadir=${path}`, '--auth-root-authentication-method=normal'],
          ...['--skip-test-db', '--skip-name-resolve', ...user],
        ]),
      );
      const quoted = `'${password.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
      writeFileSync(
        join(folder, 'init.sql'),
        [
          'CREATE DATABASE IF NOT EXISTS app;',
          `CREATE USER IF NOT EXISTS 'app'@'%' IDENTIFIED BY ${quoted};`,
          "GRANT ALL ON app.* TO 'app'@'%';",
          "CREATE USER IF NOT EXISTS 'root'@'127.0.0.1' IDENTIFIED BY '';",
          "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
          '',
        ].join('\n'),
      );
    },
    args: (folder, port) => [
      ...['--no-defaults', ...user, `--datadir=${join(folder, 'data')}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', `--socket=${join(folder, 's.sock')}`, '--skip-name-resolve'],
      ...[`--pid-file=${join(folder, 'mariadb.pid')}`, `--init-file=${join(folder, 'init.sql')}`],
      ...['--innodb-buffer-pool-size=16M', '--innodb-log-file-size=8M', '--performance-schema=OFF'],
      ...args,
    ],
    answers: async (port) => {
      const connection = await mysql.createConnection(url(port));
      connection.on('error', () => undefined);
      await connection.end();
      return true;
    },
    url,
  });
}

/** A connection as root, for what the store may not do itself. */
export async function adminOf({ port }: TestServer): Promise<mysql.Connection> {
  const connection = await mysql.createConnection({
    ...{ host: '127.0.0.1', port, user: 'root', database: 'app', multipleStatements: true },
  });
  connection.on('error', () => undefined);
  return connection;
}
