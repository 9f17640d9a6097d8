import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { ROOT } from '../../../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../../../test-kit/command.ts';
import { runProcess } from '../../../../../../test-kit/limits/child-process.ts';
import { SqliteLeaseStore } from '../../../../src/lease/stores/sqlite/sqlite-lease-store.ts';
import type { SqliteDatabase } from '../../../../src/lease/stores/sqlite-library.ts';

const folder = temporaryFolder();
const MODULE = pathToFileURL(
  join(ROOT, 'packages/hustings/dist/lease/stores/sqlite/sqlite-lease-store.js'),
).href;

/** Called after each read of a database. */
let onRead = (): void => {};

vi.mock(import('../../../../src/lease/stores/sqlite-library.ts'), async (importOriginal) => {
  const original = await importOriginal();
  const library = await original.loadSqlite();
  class Interrupted extends library.DatabaseSync {
    override prepare(sql: string): ReturnType<SqliteDatabase['prepare']> {
      const statement = super.prepare(sql);
      return {
        run: (...values) => statement.run(...values),
        all: (...values) => statement.all(...values),
        setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
        get: (...values) => {
          const row = statement.get(...values);
          onRead();
          return row;
        },
      };
    }
  }
  return { ...original, loadSqlite: async () => ({ ...library, DatabaseSync: Interrupted }) };
});

/** Another process opens the file, and creates it if need be. */
function openElsewhere(url: string): void {
  const script = `
    const { SqliteLeaseStore } = await import(${JSON.stringify(MODULE)});
    await (await SqliteLeaseStore.open(${JSON.stringify(url)})).close();`;
  const { stderr, status } = runProcess(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', script],
    {},
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
}

describe('two processes that create the file of leases at once', () => {
  it.each([1, 2, 3])('do not refuse each other: the other one does it after read %i', async (count) => {
    const path = join(folder.path, `created-${count}.db`);
    const url = `sqlite:${path}`;
    let reads = 0;
    onRead = () => {
      reads++;
      if (reads === count) openElsewhere(url);
    };
    const store = await SqliteLeaseStore.open(url);
    onRead = () => {};
    expect(reads).toBeGreaterThanOrEqual(count);
    expect(await store.names()).toEqual([]);
    await store.close();
  });
});

describe('without SQLite', () => {
  it('a store in a file is refused in one line with the command that installs it', () => {
    const hooks = join(folder.path, 'no-sqlite.mjs');
    writeFileSync(
      hooks,
      `import { register } from 'node:module';
      const resolve = \`export async function resolve(name, context, next) {
        if (!['node:sqlite', '@photostructure/sqlite'].includes(name)) return next(name, context);
        throw Object.assign(new Error('Cannot find ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
      }\`;
      register('data:text/javascript,' + encodeURIComponent(resolve));`,
    );
    const main = join(ROOT, 'packages/hustings/dist/cli/main.js');
    const { status, stderr } = runProcess(
      process.execPath,
      [
        '--import',
        pathToFileURL(hooks).href,
        main,
        'store',
        'init',
        '--store',
        `sqlite:${folder.path}/none.db`,
      ],
      {},
    );
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/not installed: npm install @photostructure\/sqlite$/),
    ]);
    expect(status).toBeGreaterThan(1);
  });
});
