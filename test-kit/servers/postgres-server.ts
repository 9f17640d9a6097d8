/**
 * A real PostgreSQL with the database `postgres` and its owner of the same name. Ready in one to four seconds: one for
 * each test file, whose tests keep apart by names, tables or databases.
 */
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { programPath } from '../programs/programs.ts';
import { copyOfTemplate, runProgram } from './data-template.ts';
import { startServer, type TestServer } from './server-process.ts';

export interface PostgresServerOptions {
  /** The password of the user postgres. Without it every local connection is trusted. */
  readonly password?: string;
  /** Such as { synchronous_commit: 'off' }. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A server that trusts local connections: the new one is its streaming standby. */
  readonly standbyOf?: TestServer;
}

export function startPostgres(options: PostgresServerOptions = {}): Promise<TestServer> {
  const { password, settings = {}, standbyOf } = options;
  const user = unprivilegedUser();
  const bin = (name: string): string => programPath(name) ?? name;
  const url = (port: number): string =>
    `postgres://postgres${password === undefined ? '' : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/postgres`;
  return startServer({
    program: bin('postgres'),
    politeSignal: 'SIGINT',
    user,
    async prepare(folder) {
      const home = join(folder, 'pg');
      mkdirSync(home);
      writeFileSync(join(home, 'password'), `${password ?? ''}\n`);
      if (user !== undefined)
        for (const path of [home, join(home, 'password')]) chownSync(path, user.uid, user.gid);
      const options = { cwd: home, env: { ...process.env, HOME: home }, ...user };
      if (standbyOf !== undefined) {
        const copy = [
          '-D',
          join(home, 'data'),
          '-d',
          standbyOf.url,
          '-R',
          '-X',
          'stream',
          '-c',
          'fast',
          '-N',
        ];
        await runProgram(bin('pg_basebackup'), copy, options);
        return;
      }
      const initdb = (data: string, auth: readonly string[]): Promise<void> => {
        const args = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync', '-A', ...auth];
        return runProgram(bin('initdb'), args, options);
      };
      const data = join(home, 'data');
      if (password !== undefined) {
        await initdb(data, ['scram-sha-256', '--pwfile', join(home, 'password')]);
      } else await copyOfTemplate('postgres', data, (path) => initdb(path, ['trust']), user);
    },
    args: (folder, port) => [
      ...['-D', join(folder, 'pg', 'data'), '-p', `${port}`],
      ...Object.entries({
        listen_addresses: '127.0.0.1',
        unix_socket_directories: join(folder, 'pg'),
        ...settings,
      }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    answers: (port) => answersQuery(url(port)),
    url,
  });
}

/** Rejects until the server answers a query. */
export async function answersQuery(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** PostgreSQL refuses root: then it runs as the user that its package has made. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'));
  if (line === undefined)
    throw new Error('expected a user postgres to run the server as, because root may not');
  const [uid, gid] = line.split(':').slice(2, 4).map(Number);
  return { uid, gid };
}
