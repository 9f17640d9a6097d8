/** Members as real processes that join, leave, are killed and suspended at random, on a real store. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { RunningProcess } from '../../../../base/src/node/running-process.ts';
import { nextRandom } from '../../../src/lease/core/prng.ts';
import { loadSqlite } from '../../../src/lease/stores/sqlite-library.ts';
import { createShardGroup, type ShardGroupState } from '../../../src/shards/index.ts';

const MEMBER = fileURLToPath(new URL('./member.mjs', import.meta.url));

export interface SoakOptions {
  readonly store: string;
  readonly folder: string;
  readonly shards: number;
  readonly ttlMs: number;
  readonly durationMs: number;
  readonly seed: number;
}

export interface SoakResult {
  readonly joins: number;
  readonly leaves: number;
  readonly kills: number;
  readonly suspensions: number;
  readonly writes: number;
  /** Terms that wrote something. */
  readonly terms: number;
  readonly lateWritesRefused: number;
  /** What must not happen, in words; empty if nothing did. */
  readonly violations: readonly string[];
  readonly end: ShardGroupState;
}

const MIN_MEMBERS = 2;
const MAX_MEMBERS = 5;

export async function soak({
  store,
  folder,
  shards,
  ttlMs,
  durationMs,
  seed,
}: SoakOptions): Promise<SoakResult> {
  let state = seed >>> 0 || 1;
  const draw = (below: number): number => {
    state = nextRandom(state);
    return state % below;
  };
  const log = join(folder, 'log.db');
  const members = new Map<string, RunningProcess>();
  const counts = { joins: 0, leaves: 0, kills: 0, suspensions: 0 };
  const join1 = (): void => {
    const id = `member-${++counts.joins}`;
    const config = JSON.stringify({ store, log, shards, id, ttlMs, planEveryMs: Math.ceil(ttlMs / 8) });
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
    members.set(
      id,
      new RunningProcess(startProcess(process.execPath, [MEMBER, config], { stdio, detached: true })),
    );
  };
  const group = createShardGroup({ store, name: 'soak', shards, id: 'observer', ttlMs });
  try {
    for (let member = 0; member < 3; member++) join1();
    const endMs = performance.now() + durationMs;
    while (performance.now() < endMs) {
      await sleep(ttlMs / 2 + draw(ttlMs * 2));
      const [id, member] = [...members][draw(members.size)];
      const action = draw(4);
      if (members.size >= MAX_MEMBERS || (action > 0 && members.size > MIN_MEMBERS)) {
        if (action <= 1) {
          counts.leaves++;
          member.signal('SIGTERM');
          members.delete(id);
        } else if (action === 2) {
          counts.kills++;
          void member.kill();
          members.delete(id);
        } else {
          counts.suspensions++;
          await member.pause();
          await sleep(ttlMs / 2 + draw(ttlMs));
          member.resume();
        }
      } else join1();
    }
    const end = await balancedState(group, members.size);
    for (const member of members.values()) member.signal('SIGTERM');
    await Promise.all([...members.values()].map(({ end }) => end));
    return { ...counts, ...(await judgeLog(log, shards)), end };
  } finally {
    for (const member of members.values()) void member.kill();
    await group.close();
  }
}

/** Waits until every shard has an owner and the numbers differ by at most one; the test's timeout is the limit. */
async function balancedState(
  group: ReturnType<typeof createShardGroup>,
  members: number,
): Promise<ShardGroupState> {
  for (;;) {
    const state = await group.shards();
    const owned = state.members.map(({ shards }) => shards.length);
    const isOwned = state.shards.every(({ owner }) => owner !== null);
    if (isOwned && owned.length === members && Math.max(...owned) - Math.min(...owned) <= 1) return state;
    await sleep(100);
  }
}

async function judgeLog(log: string, shards: number) {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(log, { timeout: 20_000 });
  const all = (sql: string) => database.prepare(sql).all();
  try {
    const violations = all(
      "select * from findings where kind in ('two owners', 'checkpoint ahead of the log', 'late write first')",
    ).map((row) => JSON.stringify(row));
    // Numbers are unique by the primary key: none is missing if the largest one is their number.
    const rows = all('select shard, count(*) as count, max(number) as most from log group by shard');
    for (const { shard, count, most } of rows)
      if (count !== most) violations.push(`shard ${shard} has a gap in its numbers`);
    if (rows.length !== shards) violations.push(`only ${rows.length} of ${shards} shards had work`);
    const back = all(
      'select a.shard from log a join log b on b.shard = a.shard and b.number = a.number + 1 where b.token < a.token',
    );
    for (const { shard } of back) violations.push(`shard ${shard} went back to an older token`);
    const number = (sql: string): number => Number(Object.values(all(sql)[0])[0]);
    return {
      violations,
      writes: number('select count(*) from log'),
      terms: number('select count(*) from (select distinct shard, token from log)'),
      lateWritesRefused: number("select count(*) from findings where kind = 'late write refused'"),
    };
  } finally {
    database.close();
  }
}
