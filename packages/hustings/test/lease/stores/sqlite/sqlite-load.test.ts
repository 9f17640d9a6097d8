import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../../../test-kit/command.ts';
import { eventually } from '../../../../../../test-kit/eventually.ts';
import { SqliteLeaseStore } from '../../../../src/lease/stores/sqlite/sqlite-lease-store.ts';
import { loadSqlite, type SqliteDatabase } from '../../../../src/lease/stores/sqlite-library.ts';
import { claimOf, releaseOf } from '../../contract/single-call.ts';

const folder = temporaryFolder();
let files = 0;
const newPath = (): string => join(folder.path, `file-${++files}.db`);
const open = (path: string) => SqliteLeaseStore.open(`sqlite:${path}`);

/** The statements that were executed, of all stores. */
let executed = 0;

vi.mock(import('../../../../src/lease/stores/sqlite-library.ts'), async (importOriginal) => {
  const original = await importOriginal();
  const library = await original.loadSqlite();
  class Counting extends library.DatabaseSync {
    override prepare(sql: string): ReturnType<SqliteDatabase['prepare']> {
      const statement = super.prepare(sql);
      const count = <Result>(result: Result): Result => {
        executed++;
        return result;
      };
      return {
        run: (...values) => count(statement.run(...values)),
        all: (...values) => count(statement.all(...values)),
        get: (...values) => count(statement.get(...values)),
        setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
      };
    }
  }
  return { ...original, loadSqlite: async () => ({ ...library, DatabaseSync: Counting }) };
});

describe('a release in a file of many elections', () => {
  it('costs a process that watches them all one read', async () => {
    const path = newPath();
    const [holder, watcher] = [await open(path), await open(path)];
    const names = Array.from({ length: 300 }, (_, index) => `e${index}`);
    const answers = await holder.acquire(names.map((name) => claimOf(name, 'h')));
    const heard: string[] = [];
    for (const name of names) watcher.watch(name, () => heard.push(name));
    await eventually('notifications arrive', () => watcher.isPushing());
    executed = 0;
    const { token } = answers[7] as { token: bigint };
    await holder.release([releaseOf('e7', 'h', token)]);
    await eventually('the release is known', () => heard.length > 0);
    expect(heard).toEqual(['e7']);
    expect(executed).toBeLessThan(50);
    await holder.close();
    await watcher.close();
  });
});

describe('a notification', () => {
  it('comes also after the election that changed last was pruned', async () => {
    const path = newPath();
    const [holder, watcher] = [await open(path), await open(path)];
    const heard: string[] = [];
    for (const name of ['a', 'b']) watcher.watch(name, () => heard.push(name));
    await eventually('notifications arrive', () => watcher.isPushing());
    const [a, b] = (await holder.acquire([claimOf('a', 'h'), claimOf('b', 'h')])) as readonly {
      token: bigint;
    }[];
    await holder.release([releaseOf('a', 'h', a.token)]);
    await eventually('the first is known', () => heard.includes('a'));
    expect(await holder.prune(0)).toEqual(['a']);
    await holder.release([releaseOf('b', 'h', b.token)]);
    await eventually('the second is known', () => heard.includes('b'));
    await holder.close();
    await watcher.close();
  });
});

describe('while another process is stopped within a write', () => {
  it('a candidate that is registered is refused as before: its request only reads', async () => {
    const path = newPath();
    const store = await open(path);
    await store.acquire([claimOf('x', 'a')]);
    const waiting = claimOf('x', 'b', { registerMs: 60_000 });
    expect((await store.acquire([waiting]))[0].type).toBe('held');
    const { DatabaseSync } = await loadSqlite();
    const stopped = new DatabaseSync(path);
    stopped.exec('BEGIN IMMEDIATE');
    expect((await store.acquire([waiting]))[0]).toMatchObject({
      type: 'held',
      record: { holder: { id: 'a' } },
    });
    await expect(store.renew([{ ...claimOf('x', 'a'), token: 1n }])).rejects.toMatchObject({ kind: 'busy' });
    stopped.exec('ROLLBACK');
    stopped.close();
    await store.close();
  });
});
