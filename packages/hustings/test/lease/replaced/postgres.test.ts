import { join } from 'node:path';
import pg from 'pg';
import { programPath } from '../../../../../test-kit/programs/programs.ts';
import { runProgram } from '../../../../../test-kit/servers/data-template.ts';
import { describeWith, startPostgres, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { openStore } from '../../../src/lease/open-store.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

const TABLES = ['lease', 'term', 'candidate', 'tick', 'layout'].map((table) => `hustings_${table}`);

async function sql({ server }: Scene, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

await describeWith('postgres', 'a PostgreSQL store that was replaced', () => {
  const run = (program: string, { server }: Scene, args: readonly string[]): Promise<void> =>
    runProgram(programPath(program) ?? program, ['--no-password', `--dbname=${server.url}`, ...args]);
  const dump = ({ folder }: Scene): string => join(folder, 'dump.sql');
  replacedStore('PostgreSQL', {
    start: () => startPostgres(),
    stop: (server: TestServer) => server.stop(),
    open: ({ server }) => openStore(server.url),
    replacements: {
      'the tables are dropped': { replace: (scene) => sql(scene, `DROP TABLE ${TABLES.join(', ')}`) },
      'an older dump is restored': {
        backUp: (scene) => run('pg_dump', scene, ['--clean', `--file=${dump(scene)}`]),
        replace: (scene) => run('psql', scene, ['--quiet', '--single-transaction', `--file=${dump(scene)}`]),
      },
      'rows are deleted': {
        replace: (scene) => sql(scene, 'DELETE FROM hustings_lease; DELETE FROM hustings_term'),
      },
    },
  });
});
