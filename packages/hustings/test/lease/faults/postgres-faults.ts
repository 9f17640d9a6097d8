/** What happens to a PostgreSQL server. */
import pg from 'pg';
import { type Fault, withoutNotifications } from './fault.ts';
import { type OnServer, sqlFaults } from './sql-faults.ts';

async function connect({ server }: OnServer): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server!.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function sql(scene: OnServer, text: string): Promise<void> {
  const client = await connect(scene);
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

export const POSTGRES_FAULTS: readonly Fault[] = [
  ...sqlFaults({ sql }),
  {
    kind: 'row locked',
    async inflict(scene) {
      const client = await connect(scene);
      await client.query('BEGIN');
      await client.query('SELECT FROM hustings_lease WHERE name = $1 FOR UPDATE', [scene.name]);
      return () => client.end();
    },
  },
  {
    kind: 'notifications lost',
    inflict: (scene) =>
      withoutNotifications(scene, () =>
        sql(scene, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'`),
      ),
  },
];
