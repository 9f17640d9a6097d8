/** What happens to every SQL server. It does not notice that it has forgotten a lease; tokens increase all the same. */
import { anotherTerm, clockSteps, type Fault, restart, type Scene, whileCutOff } from './fault.ts';

export type OnServer = Pick<Scene, 'server'>;

export interface SqlServerHooks {
  /** Runs statements over a connection of its own, with every permission. */
  sql(scene: OnServer, text: string): Promise<void>;
  /** The end of an UPDATE that shifts a unique time, where the server checks uniqueness row by row. */
  inOrderOf?(column: string, byMs: number): string;
}

const TABLES = ['lease', 'term', 'candidate', 'tick', 'layout'];

export function sqlFaults({ sql, inOrderOf = () => '' }: SqlServerHooks): readonly Fault[] {
  /** The same as a clock that is set back: all times of the store are ahead. */
  const setBack = (scene: Scene, byMs: number): Promise<void> => {
    const later = (...columns: readonly string[]): string =>
      columns.map((column) => `${column} = ${column} + ${byMs}`).join(', ');
    return sql(
      scene,
      `BEGIN;
UPDATE hustings_lease SET ${later('until_ms', 'not_before_ms', 'start_ms', 'challenger_since_ms', 'challenger_until_ms')};
UPDATE hustings_term SET ${later('start_ms', 'end_ms', 'claimed_until_ms')}${inOrderOf('start_ms', byMs)};
UPDATE hustings_candidate SET ${later('at_ms', 'until_ms')};
COMMIT`,
    );
  };
  const losesLeases = { losesTerms: true, allowsTwoLeaders: true } as const;
  const statements = (of: (table: string) => string): string => TABLES.map(of).join('\n');
  return [
    { kind: 'store restarted', inflict: (scene) => restart(scene) },
    {
      ...{ kind: 'tables emptied', ...losesLeases },
      inflict: whileCutOff((scene) =>
        sql(scene, 'DELETE FROM hustings_lease; DELETE FROM hustings_term; DELETE FROM hustings_candidate'),
      ),
    },
    {
      ...{ kind: 'an older copy restored', ...losesLeases },
      async prepare(scene) {
        const copies = statements(
          (table) =>
            `DROP TABLE IF EXISTS copy_${table}; CREATE TABLE copy_${table} AS SELECT * FROM hustings_${table};`,
        );
        await sql(scene, copies);
        await anotherTerm(scene);
      },
      inflict: whileCutOff((scene) => {
        const rows = statements(
          (table) =>
            `DELETE FROM hustings_${table}; INSERT INTO hustings_${table} SELECT * FROM copy_${table};`,
        );
        return sql(scene, `BEGIN; ${rows} COMMIT`);
      }),
    },
    ...clockSteps(setBack),
  ];
}
