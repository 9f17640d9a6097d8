/** A real PgBouncer in transaction mode before a server that trusts local connections. */
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../programs/programs.ts';
import { answersQuery, unprivilegedUser } from './postgres-server.ts';
import { startServer, type TestServer } from './server-process.ts';

export function startPgbouncer(server: TestServer): Promise<TestServer> {
  const url = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const user = unprivilegedUser();
  return startServer({
    program: programPath('pgbouncer') ?? 'pgbouncer',
    politeSignal: 'SIGINT',
    user,
    async prepare(folder) {
      // It writes nothing into its folder, but reads two files there.
      const files = {
        'users.txt': '"postgres" ""\n',
        'databases.ini': `[databases]\npostgres = host=127.0.0.1 port=${server.port} user=postgres\n`,
      };
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
        if (user !== undefined) chownSync(join(folder, name), user.uid, user.gid);
      }
    },
    args(folder, port) {
      const settings = {
        listen_addr: '127.0.0.1',
        listen_port: port,
        unix_socket_dir: '',
        auth_type: 'trust',
        auth_file: join(folder, 'users.txt'),
        pool_mode: 'transaction',
        default_pool_size: 4,
        ignore_startup_parameters: 'extra_float_digits',
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
      const path = join(folder, 'pgbouncer.ini');
      writeFileSync(path, `%include ${join(folder, 'databases.ini')}\n[pgbouncer]\n${lines.join('\n')}\n`);
      if (user !== undefined) chownSync(path, user.uid, user.gid);
      return [path];
    },
    answers: (port) => answersQuery(url(port)),
    url,
  });
}
