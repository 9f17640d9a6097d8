// @ts-nocheck: a program of its own, without types
// A member of a shard group as a process. Its work writes numbers to a log behind a fence: shard, number, token. Also without a
// lease, once after each term: such a write is late, and the fence must refuse it.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSqlite } from '../../../dist/lease/stores/sqlite-library.js';
import { createShardGroup } from '../../../dist/shards/index.js';

const { store, log, ...options } = JSON.parse(process.argv[2]);
const { DatabaseSync } = await loadSqlite();
const database = new DatabaseSync(log, { timeout: 20_000 });
database.exec('pragma journal_mode = wal; pragma synchronous = normal');
database.exec(
  `create table if not exists fence (shard text primary key, token text not null);
   create table if not exists log (shard text, number integer, token text, member text, primary key (shard, number));
   create table if not exists findings (kind text, shard text, token text, member text)`,
);
const padded = (token) => `${token}`.padStart(20, '0');
const raise = database.prepare(
  `insert into fence values (?, ?) on conflict (shard) do update set token = excluded.token
   where fence.token <= excluded.token`,
);
const last = database.prepare('select coalesce(max(number), 0) as number from log where shard = ?');
const append = database.prepare('insert into log values (?, ?, ?, ?)');
const find = database.prepare('insert into findings values (?, ?, ?, ?)');
const note = (kind, { shard, token }) => find.run(kind, shard, padded(token), options.id);

/** Appends the next number, if no newer token was seen. The number is the work: none may be missing or written twice. */
function write(lead) {
  database.exec('begin immediate');
  try {
    if (Number(raise.run(lead.shard, padded(lead.token)).changes) === 0) return null;
    const number = Number(last.get(lead.shard).number) + 1;
    append.run(lead.shard, number, padded(lead.token), options.id);
    return number;
  } finally {
    database.exec('commit');
  }
}

/** @type {(signal: AbortSignal, ms: number) => Promise<unknown>} */
const pause = (signal, ms) => sleep(ms, undefined, { signal }).catch(() => undefined);

async function work(lead) {
  // A checkpoint is never ahead of the log, and after a planned move it is the last number.
  if (Number(lead.checkpoint ?? 0) > Number(last.get(lead.shard).number))
    note('checkpoint ahead of the log', lead);
  let number = Number(lead.checkpoint ?? 0);
  while (!lead.draining.aborted) {
    if (!lead.isValid()) break;
    const written = write(lead);
    if (written === null) {
      // Refused although the lease is valid: somebody else owns the shard.
      if (lead.isValid()) note('two owners', lead);
      break;
    }
    number = written;
    await pause(lead.draining, 500 + Math.random() * 500);
  }
  if (!lead.signal.aborted) return `${number}`;
  const { shard, token } = lead;
  setTimeout(
    () =>
      note(write({ shard, token }) === null ? 'late write refused' : 'late write first', { shard, token }),
    5_000,
  ).unref();
}

const group = createShardGroup({ store, name: 'soak', ...options });
process.on('SIGTERM', () => void group.close().then(() => process.exit(0)));
process.on('message', () => process.send?.({ ...group.metrics, owned: group.metrics.owned }));
process.on('disconnect', () => process.exit(1));
await group.run(work);
