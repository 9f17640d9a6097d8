/** What happens to a MariaDB server. */
import { adminOf } from '../../../../../test-kit/servers/index.ts';
import type { Fault } from './fault.ts';
import { type OnServer, sqlFaults } from './sql-faults.ts';

async function sql({ server }: OnServer, text: string): Promise<void> {
  const admin = await adminOf(server!);
  try {
    await admin.query(text);
  } finally {
    await admin.end();
  }
}

export const MYSQL_FAULTS: readonly Fault[] = [
  ...sqlFaults({
    sql,
    inOrderOf: (column, byMs) => ` ORDER BY ${column} ${byMs > 0 ? 'DESC' : 'ASC'}`,
  }),
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
