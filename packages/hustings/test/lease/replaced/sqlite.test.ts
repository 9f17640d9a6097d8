import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openStore } from '../../../src/lease/open-store.ts';
import { loadSqlite } from '../../../src/lease/stores/sqlite-library.ts';
import { replacedStore, type Scene } from './replaced-store.ts';

const FILE = 'leases.db';

async function sql({ folder }: Scene<null>, text: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(join(folder, FILE));
  try {
    database.exec(`PRAGMA busy_timeout = 5000; ${text}`);
  } finally {
    database.close();
  }
}

async function remove({ folder }: Scene<null>): Promise<void> {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, FILE + end), { force: true });
}

describe('a SQLite store that was replaced', () => {
  replacedStore('SQLite', {
    start: async () => null,
    stop: async () => undefined,
    isLeft: true,
    open: async ({ folder }) => openStore(`sqlite:${join(folder, FILE)}`),
    replacements: {
      'the file is removed': { replace: remove },
      'an older copy of the file is put in its place': {
        backUp: async (scene) => {
          await sql(scene, 'PRAGMA wal_checkpoint(TRUNCATE)');
          copyFileSync(join(scene.folder, FILE), join(scene.folder, 'backup'));
        },
        replace: async (scene) => {
          await remove(scene);
          renameSync(join(scene.folder, 'backup'), join(scene.folder, FILE));
        },
      },
      'rows are deleted': {
        replace: (scene) =>
          sql(
            scene,
            'BEGIN IMMEDIATE; DELETE FROM hustings_lease; DELETE FROM hustings_term; DELETE FROM hustings_candidate; COMMIT',
          ),
      },
    },
  });
});
