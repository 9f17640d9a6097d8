/** What happens to a PostgreSQL server. It does not notice that it has forgotten a lease; tokens increase all the same. */
import pg from 'pg';
import {
  anotherTerm,
  clockSteps,
  type Fault,
  restart,
  type Scene,
  whileCutOff,
  withoutNotifications,
} from './fault.ts';

type OnServer = Pick<Scene, 'server'>;

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

const TABLES = ['lease', 'term', 'candidate', 'tick', 'layout'];

/** The same as a clock that is set back: all times of the store are ahead. */
const setBack = (scene: Scene, byMs: number): Promise<void> =>
  sql(
    scene,
    `BEGIN;
UPDATE hustings_lease SET until_ms = until_ms + ${byMs}, not_before_ms = not_before_ms + ${byMs},
  start_ms = start_ms + ${byMs}, challenger_since_ms = challenger_since_ms + ${byMs},
  challenger_until_ms = challenger_until_ms + ${byMs};
UPDATE hustings_term SET start_ms = start_ms + ${byMs}, end_ms = end_ms + ${byMs},
  claimed_until_ms = claimed_until_ms + ${byMs};
UPDATE hustings_candidate SET at_ms = at_ms + ${byMs}, until_ms = until_ms + ${byMs};
COMMIT`,
  );

export const POSTGRES_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'tables truncated',
    losesTerms: true,
    allowsTwoLeaders: true,
    inflict: whileCutOff((scene) => sql(scene, 'TRUNCATE hustings_lease, hustings_term, hustings_candidate')),
  },
  {
    kind: 'an older copy restored',
    losesTerms: true,
    allowsTwoLeaders: true,
    async prepare(scene) {
      const copies = TABLES.map(
        (table) =>
          `DROP TABLE IF EXISTS copy_${table}; CREATE TABLE copy_${table} AS TABLE hustings_${table};`,
      );
      await sql(scene, `BEGIN; ${copies.join('\n')} COMMIT`);
      await anotherTerm(scene);
    },
    inflict: whileCutOff((scene) => {
      const rows = TABLES.map((table) => `INSERT INTO hustings_${table} TABLE copy_${table};`);
      const emptied = TABLES.map((table) => `hustings_${table}`).join(', ');
      return sql(scene, `BEGIN; TRUNCATE ${emptied}; ${rows.join('\n')} COMMIT`);
    }),
  },
  ...clockSteps(setBack),
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
