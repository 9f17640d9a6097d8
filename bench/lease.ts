/**
 * `npm run bench:lease`: measures leases on every store that processes can share; Kubernetes if it is built. It starts
 * the servers itself, on the loopback interface.
 *
 *   npm run bench:lease              takes a quarter of an hour
 *   npm run bench:lease -- --quick   takes 15 s, all stores at the same time: a smoke test, not for figures
 *   npm run bench:lease -- --json F  writes the results to F (default: bench/results/lease.json)
 *   npm run bench:lease -- --only etcd,NATS   measures these stores alone
 *   npm run bench:lease -- --docs    writes the tables of docs/benchmarks.md and docs/choosing-a-store.md, with --only
 *                                    the rows of these stores: the server of each runs only while it is measured
 *
 * Renewals per second are sequential, on one connection, alternating with the bare calls of lease-bare.ts. A thousand
 * leases of one process are renewed by the elector. Failover is measured from the signal (SIGKILL or SIGTERM) until the
 * waiting process leads, with a ttl of 3 s.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { missing } from '../test-kit/programs/programs.ts';
import { startEtcd } from '../test-kit/servers/etcd-server.ts';
import { kubernetesPrograms, startOneKubernetes } from '../test-kit/servers/kube-apiserver.ts';
import { startMariadb } from '../test-kit/servers/mariadb-server.ts';
import { startNats } from '../test-kit/servers/nats-server.ts';
import { startPostgres } from '../test-kit/servers/postgres-server.ts';
import { startRedis } from '../test-kit/servers/redis-server.ts';
import { startZookeeper } from '../test-kit/servers/zookeeper-server.ts';
import { writeFailovers, writeLeases } from './docs-table.ts';
import { type BareCalls, bareMysql, barePostgres, bareRedis, bareSqlite } from './lease-bare.ts';
import { bareEtcd, bareKubernetes, bareNats, bareZookeeper } from './lease-bare-documents.ts';
import { type Figures, measureStore, type StoreUnderTest } from './lease-figures.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string', default: join(ROOT, 'bench', 'results', 'lease.json') },
  },
});
const { quick, json, docs } = values;
const only = values.only?.split(',') ?? null;
if (docs && quick) throw new Error('--docs needs the figures of a whole run: give it without --quick');

const MIN_OF_BARE = 0.8;
const MIN_BATCH = 50;
const folder = mkdtempSync(join(tmpdir(), 'hustings-bench-'));

/** A store that runs only while it is measured: the others would take time from it. */
interface Candidate {
  readonly title: string;
  readonly missing: () => Promise<string | undefined>;
  readonly start: () => Promise<StoreUnderTest>;
}

function onServer(
  title: string,
  program: Parameters<typeof missing>[0],
  start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>,
  bare: (url: string) => Promise<BareCalls>,
): Candidate {
  return {
    title,
    missing: () => missing(program),
    async start() {
      const { url, stop } = await start();
      return { title, url, bare: () => bare(url), stop };
    },
  };
}

const candidates: readonly Candidate[] = [
  {
    title: 'SQLite',
    missing: async () => undefined,
    async start() {
      const url = `sqlite:${join(folder, 'leases.db')}`;
      return { title: 'SQLite', url, bare: () => bareSqlite(folder), stop: null };
    },
  },
  onServer('Redis', 'redis-server', startRedis, bareRedis),
  onServer('PostgreSQL', 'postgres', startPostgres, barePostgres),
  onServer('MariaDB', 'mariadbd', startMariadb, bareMysql),
  onServer('etcd', 'etcd', () => startEtcd(), bareEtcd),
  onServer('ZooKeeper', 'zkServer.sh', () => startZookeeper(), bareZookeeper),
  onServer(
    'NATS',
    'nats-server',
    async () => {
      const server = await startNats();
      // Its bucket is new, and the first lease of the benchmark must not wait for that.
      return { url: `${server.url}?waitAfterCreation=false`, stop: () => server.stop() };
    },
    (url) => bareNats(url.split('?')[0]),
  ),
  {
    title: 'Kubernetes',
    // Its server takes as long to start as all the rest.
    missing: async () => (quick ? '--quick' : (await kubernetesPrograms(false)).reason),
    async start() {
      const { folder: programs } = await kubernetesPrograms(false);
      const apiserver = await startOneKubernetes(programs!);
      const { stop, url } = apiserver;
      return { title: 'Kubernetes', url, leases: 100, bare: () => bareKubernetes(apiserver), stop };
    },
  },
];

async function measure(candidate: Candidate): Promise<void> {
  const reason = await candidate.missing();
  if (reason !== undefined) {
    console.log(`${candidate.title} is skipped: ${reason}`);
    return;
  }
  if (!quick) process.stderr.write(`measuring ${candidate.title} …\n`);
  try {
    const store = await candidate.start();
    try {
      measured.push(await measureStore(store, quick));
    } finally {
      await store.stop?.();
    }
  } catch (error) {
    // The figures of the other stores are not lost with it.
    console.log(`${candidate.title} FAILED: ${error instanceof Error ? error.stack : error}`);
    process.exitCode = 1;
  }
}

function table(measured: readonly Figures[]): void {
  const row = (first: string, cells: readonly string[]): void =>
    console.log(first.padEnd(46) + cells.map((cell) => cell.padStart(16)).join(''));
  const each = (text: (figures: Figures) => string): string[] => measured.map(text);
  const pair = ({ p50, p99, most }: { p50: number; p99: number; most: number }): string =>
    `${p50.toFixed(2)}/${p99.toFixed(2)}/${most.toFixed(2)}`;
  row(
    '',
    each(({ title }) => title),
  );
  row(
    'renewals per second',
    each(({ renewals }) => renewals.ours.toFixed(0)),
  );
  row(
    'bare calls per second',
    each(({ renewals }) => renewals.bare.toFixed(0)),
  );
  row(
    'renewals / bare calls',
    each(({ renewals }) => `${renewals.ratio.toFixed(2)} x`),
  );
  row(
    '1,000 leases: round trips / renewals',
    each(({ many }) => `1/${Math.round(1 / many.ratio)}`),
  );
  row(
    '1,000 leases: event loop, µs per lease and s',
    each(({ many }) => many.loopMicros.toFixed(1)),
  );
  row(
    'failover after kill -9, s: p50/p99/max',
    each(({ killed }) => pair(killed)),
  );
  row(
    'failover after kill -9, other host',
    each(({ lost }) => pair(lost)),
  );
  row(
    'failover after SIGTERM, s: p50/p99/max',
    each(({ released }) => pair(released)),
  );
  row(
    'store operations per ttl, holder',
    each(({ holderPerTtl }) => holderPerTtl.toFixed(1)),
  );
  row(
    'store operations per second, waiter',
    each(({ waiterPerSecond }) => waiterPerSecond.toFixed(2)),
  );
}

/** One line that names the stores that miss the target. */
function target(text: string, meets: (figures: Figures) => boolean): void {
  const missed = measured.filter((figures) => !meets(figures)).map(({ title }) => title);
  console.log(missed.length === 0 ? `✓ ${text}` : `✗ ${text}: not ${missed.join(', ')}`);
}

const load = loadavg()[0];
const measured: Figures[] = [];
const wanted = candidates.filter(({ title }) => only?.includes(title) ?? true);
if (wanted.length === 0) {
  throw new Error(
    `no store is named ${values.only}; they are ${candidates.map(({ title }) => title).join(', ')}`,
  );
}
try {
  if (quick) await Promise.all(wanted.map(measure));
  else for (const candidate of wanted) await measure(candidate);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log();
table(measured);
console.log();
if (!quick) {
  target('renewals: at least 0.8 of the bare calls', ({ renewals }) => renewals.ratio >= MIN_OF_BARE);
  target(
    '1,000 leases: at most one round trip per 50 renewals, or as many as one request of the store can hold',
    ({ many }) => many.ratio <= 1 / Math.min(MIN_BATCH, many.maxItems),
  );
  target('kill -9 on the same host: within 1 s', ({ killed }) => killed.most <= 1);
  target(
    'kill -9 on another host: within the bound of docs/guarantees.md, 3.3 s, without a clock in the store 4.5 s',
    ({ expiry, lost }) => lost.most <= (expiry === 'clock' ? 3.3 : 4.5),
  );
  target(
    'SIGTERM: p50 at most 0.03 s, maximum at most 0.06 s',
    ({ released }) => released.p50 <= 0.03 && released.most <= 0.06,
  );
  target(
    'SIGTERM: within 0.25 s where the store notifies',
    ({ notifies, released }) => !notifies || released.most <= 0.25,
  );
  target('holder: at most 5.5 operations per ttl', ({ holderPerTtl }) => holderPerTtl <= 5.5);
  target('waiter: at most 1 operation per second', ({ waiterPerSecond }) => waiterPerSecond <= 1);
}
mkdirSync(dirname(json), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
writeFileSync(json, `${JSON.stringify({ version: 1, quick, machine, measured }, null, 2)}\n`);
console.log(`\nwritten to ${json}`);
if (docs && process.exitCode === 1) console.log('the documents stay as they are: a store failed');
else if (docs) {
  writeLeases(join(ROOT, 'docs', 'benchmarks.md'), measured);
  writeFailovers(join(ROOT, 'docs', 'choosing-a-store.md'), measured);
}
