// A process that writes to a fenced resource under tokens from 1 to `terms`, each several times, now and then from a term that is over.
// It tells each outcome on a line of its own. `node racing-writer.mjs file|sqlite PATH TERMS CHECK`; without CHECK 'fenced' it is the wrong twin.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FenceError, fencedAppend, fencedTransaction } from '../../../dist/lease/fence/index.js';
import { loadSqlite } from '../../../dist/lease/stores/sqlite-library.js';

const [kind, path, terms, check] = process.argv.slice(2);
const isFenced = check === 'fenced';
const name = 'racing';

/** @type {(token: bigint) => Promise<void>} */
let write = (token) => fencedAppend(path, `${token}\n`, { name, token });
if (kind === 'file' && !isFenced) write = async (token) => appendFileSync(path, `${token}\n`);
if (kind === 'sqlite') {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA busy_timeout = 20000; PRAGMA synchronous = OFF');
  const insert = (/** @type {bigint} */ token) =>
    void database.prepare('INSERT INTO log (token) VALUES (?)').all(`${token}`);
  write = async (token) =>
    isFenced ? fencedTransaction(database, { name, token }, () => insert(token)) : insert(token);
}

for (let term = 1; term <= Number(terms); term++) {
  for (const token of [term, term, Math.ceil(Math.random() * term)]) {
    try {
      await write(BigInt(token));
      process.stdout.write('written\n');
    } catch (error) {
      if (!(error instanceof FenceError) || error.refusal !== 'stale') throw error;
      process.stdout.write('stale\n');
    }
    // Lets the others in, also where the write itself blocks.
    await sleep(Math.random() * 3);
  }
}
