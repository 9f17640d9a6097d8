/** What happens to a MariaDB server. It does not notice that it has forgotten a lease; tokens increase all the same. */
import { adminOf } from '../servers/index.ts';
import { anotherTerm, clockSteps, type Fault, restart, type Scene, whileCutOff } from './fault.ts';

async function sql({ server }: Pick<Scene, 'server'>, text: string): Promise<void> {
  const admin = await adminOf(server!);
  try {
    await admin.query(text);
  } finally {
    await admin.end();
  }
}

const TABLES = ['lease', 'term', 'candidate', 'tick', 'layout'];

/** The same as a clock that is set back: all times of the store are ahead. */
const setBack = (scene: Scene, byMs: number): Promise<void> =>
  sql(
    scene,
    `START TRANSACTION;
UPDATE hustings_lease SET until_ms = until_ms + ${byMs}, not_before_ms = not_before_ms + ${byMs},
  start_ms = start_ms + ${byMs}, challenger_since_ms = challenger_since_ms + ${byMs},
  challenger_until_ms = challenger_until_ms + ${byMs};
UPDATE hustings_term SET start_ms = start_ms + ${byMs}, end_ms = end_ms + ${byMs},
  claimed_until_ms = claimed_until_ms + ${byMs} ORDER BY start_ms ${byMs > 0 ? 'DESC' : 'ASC'};
UPDATE hustings_candidate SET at_ms = at_ms + ${byMs}, until_ms = until_ms + ${byMs};
COMMIT`,
  );

export const MYSQL_FAULTS: readonly Fault[] = [
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'tables emptied',
    losesTerms: true,
    allowsTwoLeaders: true,
    inflict: whileCutOff((scene) =>
      sql(scene, 'DELETE FROM hustings_lease; DELETE FROM hustings_term; DELETE FROM hustings_candidate'),
    ),
  },
  {
    kind: 'an older copy restored',
    losesTerms: true,
    allowsTwoLeaders: true,
    async prepare(scene) {
      const copies = TABLES.map(
        (table) =>
          `DROP TABLE IF EXISTS copy_${table}; CREATE TABLE copy_${table} AS SELECT * FROM hustings_${table};`,
      );
      await sql(scene, copies.join('\n'));
      await anotherTerm(scene);
    },
    inflict: whileCutOff((scene) => {
      const rows = TABLES.map(
        (table) =>
          `DELETE FROM hustings_${table}; INSERT INTO hustings_${table} SELECT * FROM copy_${table};`,
      );
      return sql(scene, `START TRANSACTION; ${rows.join('\n')} COMMIT`);
    }),
  },
  ...clockSteps(setBack),
  {
    kind: 'row locked',
    async inflict(scene) {
      const admin = await adminOf(scene.server!);
      await admin.query('START TRANSACTION');
      await admin.query('SELECT * FROM hustings_lease WHERE name = ? FOR UPDATE', [Buffer.from(scene.name)]);
      return () => admin.end();
    },
  },
  {
    kind: 'connections killed',
    inflict: (scene) => sql(scene, "KILL USER 'app'"),
  },
];
