/**
 * 1,000 shards on 10 members, each a process, on one SQLite file: memory and processor time of a member in a settled group, and
 * the time until every shard has an owner again after kill −9 of one member. Prints JSON.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createShardGroup, type ShardGroup, type ShardGroupState } from 'hustings/shards';
import { median } from './median.ts';

const SHARDS = 1_000;
const MEMBERS = 10;
const TTL_MS = 15_000;
const SETTLED_MS = 30_000;

interface Usage {
  readonly rssMb: number;
  readonly cpuMs: number;
}

const open = (store: string, id: string): ShardGroup =>
  createShardGroup({ store, name: 'bench', shards: SHARDS, id, ttlMs: TTL_MS });

async function runMember(store: string, id: string): Promise<void> {
  const group = open(store, id);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send!({ rssMb: process.memoryUsage().rss / 2 ** 20, cpuMs: (user + system) / 1_000 });
  });
  process.on('disconnect', () => process.exit());
  await group.run(
    ({ draining }) => new Promise<void>((resolve) => draining.addEventListener('abort', () => resolve())),
  );
}

const usageOf = (child: ChildProcess): Promise<Usage> =>
  new Promise((resolve) => {
    child.once('message', (usage) => resolve(usage as Usage));
    child.send('usage');
  });

async function until(group: ShardGroup, isSo: (state: ShardGroupState) => boolean): Promise<number> {
  const startMs = performance.now();
  while (!isSo(await group.shards())) await sleep(100);
  return Math.round(performance.now() - startMs);
}

const isOwned = ({ shards }: ShardGroupState): boolean => shards.every(({ owner }) => owner !== null);

function isBalanced(state: ShardGroupState, members: number): boolean {
  const owned = state.members.map(({ shards }) => shards.length);
  return isOwned(state) && owned.length === members && Math.max(...owned) - Math.min(...owned) <= 1;
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-bench-shards-'));
  const store = `sqlite:${join(folder, 'leases.db')}`;
  const start = (id: number): ChildProcess =>
    fork(fileURLToPath(import.meta.url), ['member', store, `member-${id}`]);
  const members = Array.from({ length: MEMBERS }, (_, id) => start(id));
  const observer = open(store, 'observer');
  try {
    const startupMs = await until(observer, (state) => isBalanced(state, MEMBERS));
    await sleep(TTL_MS);
    const before = await Promise.all(members.map(usageOf));
    await sleep(SETTLED_MS);
    const after = await Promise.all(members.map(usageOf));
    const victim = members.pop()!;
    victim.kill('SIGKILL');
    const ownedMs = await until(
      observer,
      (state) => isOwned(state) && state.members.every(({ id }) => id !== 'member-9'),
    );
    const balancedMs = ownedMs + (await until(observer, (state) => isBalanced(state, MEMBERS - 1)));
    members.push(start(MEMBERS));
    const joinMs = await until(observer, (state) => isBalanced(state, MEMBERS));
    const cores = after.map(({ cpuMs }, at) => (cpuMs - before[at].cpuMs) / SETTLED_MS);
    const figures = {
      ...{
        shards: SHARDS,
        members: MEMBERS,
        ttlMs: TTL_MS,
        store: 'SQLite',
        node: process.version,
        cpu: cpus()[0].model,
      },
      member: {
        rssMb: Math.round(median(after.map(({ rssMb }) => rssMb))),
        cpuPercentOfACore: Number((100 * median(cores)).toFixed(2)),
      },
      startupMs,
      afterKill: { everyShardOwnedMs: ownedMs, balancedMs },
      afterJoin: { balancedMs: joinMs },
    };
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    for (const child of members) child.kill('SIGKILL');
    await observer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [role, store, id] = process.argv.slice(2);
await (role === 'member' ? runMember(store, id) : measure());
