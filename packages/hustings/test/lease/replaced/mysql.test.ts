import { join } from 'node:path';
import { runProgram } from '../../../../../test-kit/servers/data-template.ts';
import {
  adminOf,
  describeWith,
  startMariadb,
  type TestServer,
} from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

const TABLES = ['lease', 'term', 'candidate', 'tick', 'layout'].map((table) => `hustings_${table}`);

async function sql({ server }: Scene, text: string): Promise<void> {
  const admin = await adminOf(server);
  try {
    await admin.query(text);
  } finally {
    await admin.end();
  }
}

await describeWith('mariadbd', 'a MariaDB store that was replaced', () => {
  const run = (program: string, { server }: Scene, args: readonly string[]): Promise<void> => {
    const login = [
      '--no-defaults',
      '--protocol=tcp',
      '--host=127.0.0.1',
      `--port=${server.port}`,
      '--user=root',
    ];
    return runProgram(program, [...login, ...args, 'app']);
  };
  const dump = ({ folder }: Scene): string => join(folder, 'dump.sql');
  replacedStore('MySQL, MariaDB', {
    start: () => startMariadb(),
    stop: (server: TestServer) => server.stop(),
    open: ({ server }) => openStore(server.url),
    replacements: {
      'the tables are dropped': { replace: (scene) => sql(scene, `DROP TABLE ${TABLES.join(', ')}`) },
      'an older dump is restored': {
        backUp: (scene) => run('mariadb-dump', scene, [`--result-file=${dump(scene)}`]),
        replace: (scene) => run('mariadb', scene, [`--execute=source ${dump(scene)}`]),
      },
      'rows are deleted': {
        replace: (scene) => sql(scene, 'DELETE FROM hustings_lease; DELETE FROM hustings_term'),
      },
    },
  });
});
