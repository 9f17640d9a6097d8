/** Stops a process that uses a SQLite file, but not within a transaction: that stops every election of the file (P5 exempts it). */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSqlite } from '../../src/lease/stores/sqlite-library.ts';

/** Returns the time of the stop. */
export async function stopOutsideTransaction(pid: number, file: string): Promise<number> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file, { timeout: 100 });
  try {
    for (;;) {
      const atMs = Date.now();
      process.kill(pid, 'SIGSTOP');
      try {
        database.exec('BEGIN IMMEDIATE; ROLLBACK');
        return atMs;
      } catch (error) {
        if (!/locked/.test(String(error))) throw error;
        process.kill(pid, 'SIGCONT');
        await sleep(20);
      }
    }
  } finally {
    database.close();
  }
}
