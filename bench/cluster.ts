/**
 * `npm run bench:cluster`: measures clusters of real processes on this machine, beside etcd if it is installed.
 *
 *   npm run bench:cluster              takes 20 minutes
 *   npm run bench:cluster -- --quick   takes 20 s: a smoke test, not for figures
 *   npm run bench:cluster -- --json F  writes the results to F (default: bench/results/cluster.json)
 *   npm run bench:cluster -- --docs    writes the tables of docs/benchmarks.md
 *   npm run bench:cluster -- --rounds N, --members N, --algorithms A,B, --only failover|scale   for development
 *
 * Failover: from kill -9 or SIGSTOP of the leader until the living members agree. Raft and etcd alternate, with the same
 * heartbeat, election timeout and pre-vote; both keep their state on the same disk. Proxies between the members hold
 * connections open when a process dies. Scale: the first election of 50 members, and what each costs while nothing happens.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { checkMember } from '@hustings/cluster/internal/runtime/member-options';
import { registry } from '@hustings/study/algorithms';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { missing } from '../test-kit/programs/programs.ts';
import { type FailoverFigures, FailoverRun, type Loss } from './cluster-failover.ts';
import { measureScale, type Programs, type ScaleFigures } from './cluster-scale.ts';
import {
  type ClusterUnderTest,
  RAFT_AS_ETCD,
  RAFT_SHORT_ADDITION,
  startEtcdUnderTest,
  startHustings,
} from './cluster-under-test.ts';
import { writeClusterFailovers, writeClusterScales } from './docs-table.ts';
import type { Spread } from './spread.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    json: { type: 'string', default: join(ROOT, 'bench', 'results', 'cluster.json') },
    rounds: { type: 'string' },
    members: { type: 'string' },
    algorithms: { type: 'string' },
    only: { type: 'string' },
  },
});
const { docs, json, only, quick } = values;
const isReduced = [values.rounds, values.members, values.algorithms].some((value) => value !== undefined);
if (docs && (quick || isReduced)) throw new Error('--docs needs a whole run: give it alone, or with --only');

const hustings = join(ROOT, 'packages/hustings/dist/cli/main.js');
/** The rounds of each cluster beside etcd, with kill -9; a third of them with SIGSTOP. */
const ROUNDS = Number(values.rounds ?? (quick ? 1 : 100));
const BESIDE_ETCD_MS = 18 * 60_000;
/** The rounds of each other algorithm. */
const OTHER_ROUNDS = { SIGKILL: quick ? 1 : Math.min(ROUNDS, 6), SIGSTOP: quick ? 0 : Math.min(ROUNDS, 3) };
const OTHER_MS = 120_000;
/** Clusters of the other algorithms that run at the same time: they wait most of the time. */
const AT_ONCE = 3;
const MEMBERS = Number(values.members ?? (quick ? 5 : 50));
const SCALED = ['raft', 'bully', 'chang-roberts'];
const MAX_SECONDS_TO_ELECT = 5;

/** An algorithm that may err has runs without a leader, or with two. */
const isMeasured = (algorithm: AnyAlgorithm): boolean => {
  if (algorithm.name === 'raft' || algorithm.assumes.mayErr) return false;
  try {
    checkMember({ algorithm, members: [1, 2, 3], self: 1, unitMs: 1 });
    return true;
  } catch {
    return false;
  }
};

function others(): AnyAlgorithm[] {
  const names = values.algorithms?.split(',') ?? (quick ? ['bully', 'chang-roberts'] : null);
  return registry.filter((algorithm) => (names?.includes(algorithm.name) ?? true) && isMeasured(algorithm));
}

/** Alternating: the machine is the same for all of them. Ends early when its time is over. */
async function alternate(
  clusters: readonly ClusterUnderTest[],
  rounds: Readonly<Record<Loss, number>>,
  limitMs: number,
): Promise<FailoverFigures[]> {
  const runs = clusters.map((cluster) => new FailoverRun(cluster));
  const giveUpAt = performance.now() + limitMs;
  for (let round = 0; round < Math.max(rounds.SIGKILL, rounds.SIGSTOP); round++) {
    for (const loss of ['SIGKILL', 'SIGSTOP'] satisfies Loss[]) {
      if (round >= rounds[loss] || performance.now() > giveUpAt) continue;
      if (quick) await Promise.all(runs.map((run) => run.lose(loss)));
      else for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run.lose(loss);
    }
    if ((round + 1) % 10 === 0) process.stderr.write(`  ${round + 1} of ${rounds.SIGKILL} rounds\n`);
  }
  return runs.map((run) => run.figures());
}

async function measureBesideEtcd(): Promise<FailoverFigures[]> {
  const clusters: ClusterUnderTest[] = [];
  try {
    for (const [title, args] of [
      ['raft, 0.9 to 1.9 s as etcd', RAFT_AS_ETCD],
      ['raft, 1.0 to 1.3 s', RAFT_SHORT_ADDITION],
    ] as const) {
      clusters.push(await startHustings(hustings, title, 'raft', false, args));
    }
    const reason = await missing('etcd');
    if (reason === undefined) clusters.push(await startEtcdUnderTest(`etcd ${etcdVersion()}`));
    else console.log(`etcd is skipped: ${reason}`);
    return await alternate(clusters, { SIGKILL: ROUNDS, SIGSTOP: Math.ceil(ROUNDS / 3) }, BESIDE_ETCD_MS);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
}

function etcdVersion(): string {
  const { stdout } = spawnSync('etcd', ['--version'], { encoding: 'utf8' });
  return /etcd Version: (\S+)/.exec(stdout)?.[1] ?? 'of an unknown version';
}

async function measureOther(algorithm: AnyAlgorithm, args: readonly string[] = []): Promise<FailoverFigures> {
  process.stderr.write(`measuring ${algorithm.name} …\n`);
  const isAnonymous = algorithm.assumes.ids === 'anonymous';
  const cluster = await startHustings(hustings, algorithm.name, algorithm.name, isAnonymous, args);
  try {
    return (await alternate([cluster], OTHER_ROUNDS, OTHER_MS))[0];
  } finally {
    await cluster.stop();
  }
}

async function measureOthers(): Promise<FailoverFigures[]> {
  const waiting = others();
  const measured = new Map<string, FailoverFigures>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      measured.set(next.name, await measureOther(next));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return registry.flatMap(({ name }) => measured.get(name) ?? []);
}

async function measureScales(): Promise<ScaleFigures[]> {
  const { LocalCluster: localCluster } = (await import(
    pathToFileURL(join(ROOT, 'packages/cluster/dist/cli/local-cluster.js')).href
  )) as { LocalCluster: Programs['localCluster'] };
  const measured: ScaleFigures[] = [];
  for (const algorithm of quick ? SCALED.slice(0, 1) : SCALED) {
    process.stderr.write(`measuring ${MEMBERS} members, ${algorithm} …\n`);
    measured.push(await measureScale({ hustings, localCluster }, algorithm, MEMBERS, quick ? 1_000 : 10_000));
  }
  return measured;
}

function printFailovers(measured: readonly FailoverFigures[]): void {
  const text = ({ most, p50, p99, runs }: Spread): string =>
    runs === 0 ? '-' : `${[p50, p99, most].map((seconds) => seconds.toFixed(2)).join('/')} of ${runs}`;
  console.log(
    'seconds until all living members agree: p50/p99/maximum'.padEnd(28).concat('\n', ' '.repeat(28)) +
      ['kill -9', 'SIGSTOP', 'failed', 'false suspicions', 'unprovoked']
        .map((cell) => cell.padStart(24))
        .join(''),
  );
  for (const { failed, falseSuspicions, killed, stopped, title, unprovoked } of measured) {
    const cells = [text(killed), text(stopped), `${failed}`, `${falseSuspicions ?? '-'}`, `${unprovoked}`];
    console.log(title.padEnd(28) + cells.map((cell) => cell.padStart(24)).join(''));
  }
}

function printScales(measured: readonly ScaleFigures[]): void {
  for (const { algorithm, bytesPerMember, electedAfter, idle, members, suspicions, upAfter } of measured) {
    console.log(
      `${members} members, ${algorithm}: up after ${upAfter.toFixed(1)} s, elected ${electedAfter?.toFixed(2) ?? 'never'} s later; ` +
        `idle, per member: ${idle.frames.toFixed(0)} frames/s, ${idle.bytes.toFixed(0)} bytes/s, ` +
        `${(100 * idle.cpu).toFixed(2)} % of a core, ${(bytesPerMember / 1e6).toFixed(0)} MB; ${suspicions} suspicions`,
    );
  }
}

function target(met: boolean, text: string): void {
  console.log(`${met ? '✓' : '✗'} ${text}`);
}

const load = loadavg()[0];
const parts = {
  scales: async () => (only === 'failover' ? [] : measureScales()),
  besideEtcd: async () => (only === 'scale' ? [] : measureBesideEtcd()),
  others: async () => (only === 'scale' ? [] : measureOthers()),
};
// At the same time only where the figures do not matter.
const [scales, besideEtcd, otherFailovers] = quick
  ? await Promise.all([parts.scales(), parts.besideEtcd(), parts.others()])
  : [await parts.scales(), await parts.besideEtcd(), await parts.others()];
const failovers = [...besideEtcd, ...otherFailovers];
console.log();
printFailovers(failovers);
console.log();
printScales(scales);
console.log();
const etcd = besideEtcd.find(({ title }) => title.startsWith('etcd'));
for (const raft of etcd === undefined || quick ? [] : besideEtcd) {
  if (etcd === undefined || raft === etcd) continue;
  for (const loss of ['killed', 'stopped'] as const) {
    for (const part of ['p50', 'p99'] as const) {
      const ratio = raft[loss][part] / etcd[loss][part];
      target(ratio <= 1, `${raft.title} / ${etcd.title}, ${loss}, ${part}: ${ratio.toFixed(2)}, at most 1`);
    }
  }
}
if (!quick) {
  for (const { algorithm, electedAfter, members } of scales) {
    const met = electedAfter !== null && electedAfter <= MAX_SECONDS_TO_ELECT;
    target(met, `${members} members elect within ${MAX_SECONDS_TO_ELECT} s: ${algorithm}`);
  }
}
mkdirSync(dirname(json), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
writeFileSync(json, `${JSON.stringify({ version: 1, quick, machine, failovers, scales }, null, 2)}\n`);
console.log(`\nwritten to ${json}`);
const page = join(ROOT, 'docs', 'benchmarks.md');
if (docs && failovers.length > 0) writeClusterFailovers(page, failovers);
if (docs && scales.length > 0) writeClusterScales(page, scales);
// Kept-alive connections of the members that were asked.
process.exit(0);
