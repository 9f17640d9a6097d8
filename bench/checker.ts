/**
 * `npm run bench:check`: the speed of the model checker, compared with Spin on the same model: the full state space of
 * Dolev–Klawe–Rodeh on a ring where each start is a step; see dolev-klawe-rodeh.pml.
 *
 *   npm run bench:check              12 nodes and 14 nodes, on 1 and 2 threads: about five minutes
 *   npm run bench:check -- --quick   10 nodes, once: for the counts, not for published figures
 *   npm run bench:check -- --docs    also writes the table of docs/benchmarks.md
 *   npm run bench:check -- --json F  file of the results (default: bench/results/checker.json)
 *
 * Searches alternate, each in its own process. Bytes per state are the whole state store for hustings; for Spin they are
 * its reported state size with overhead, without its hash table of 128 MB. Memory is the peak of the process; Spin reports
 * its own. Without Spin only hustings is measured. The benchmark is void if the counts differ from each other or from the
 * known ones.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Count, Measured } from './checker-child.ts';
import { writeSearches } from './docs-table.ts';
import { median } from './median.ts';
import { Spin } from './spin.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const KNOWN = {
  10: { states: 63_986, transitions: 352_424 },
  12: { states: 575_747, transitions: 3_811_179 },
  14: { states: 5_181_572, transitions: 40_057_440 },
} as const;
const MIN_STATES_PER_SECOND = 200_000;
const MAX_BYTES = 64;
const MAX_SHARE_OF_MEMORY = 1 / 3;
/** The targets are no more time than Spin without compression, and a third of its memory. */
const PEER = 'Spin, uncompressed';
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  [PEER]: [],
  'Spin, COLLAPSE': ['-DCOLLAPSE'],
};
/** With compression Spin takes minutes for more nodes. */
const MAX_COMPRESSED = 12;
const TWO_THREADS = 'hustings, 2 threads';
const MIN_SPEEDUP = 1.6;

interface Searcher {
  readonly name: string;
  readonly search: () => Count;
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    json: { type: 'string', default: join(ROOT, 'bench', 'results', 'checker.json') },
  },
});
const { docs, quick, json } = values;
type Nodes = keyof typeof KNOWN;
const SIZES: readonly (readonly [nodes: Nodes, runs: number])[] = quick
  ? [[10, 1]]
  : [
      [12, 7],
      [14, 3],
    ];

function searchHustings(nodes: Nodes, threads: number): Count {
  const args = [join(HERE, 'checker-child.js'), String(nodes), String(threads)];
  const child = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`the search with ${nodes} nodes failed`);
  return JSON.parse(child.stdout) as Count;
}

function measure(searchers: readonly Searcher[], nodes: Nodes, runs: number): Measured[] {
  const rounds = Array.from({ length: runs }, () => searchers.map(({ search }) => search()));
  return searchers.map(({ name }, k) => {
    const counts = rounds.map((round) => round[k]);
    const { states, transitions, bytes } = counts[0];
    const known = KNOWN[nodes];
    const seconds = counts.map((count) => count.seconds);
    const best = Math.min(...seconds);
    return {
      name,
      states,
      transitions,
      agrees: counts.every(
        (count) => count.sound && count.states === known.states && count.transitions === known.transitions,
      ),
      seconds,
      best,
      median: median(seconds),
      statesPerSecond: states / best,
      bytesPerState: bytes / states,
      peakBytes: Math.max(...counts.map((count) => count.peakBytes)),
      ratio: median(rounds.map((round) => round[0].seconds / round[k].seconds)),
    };
  });
}

function measureAll(nodes: Nodes, runs: number): Measured[] {
  const hustings = [
    { name: 'hustings, 1 thread', search: () => searchHustings(nodes, 1) },
    { name: TWO_THREADS, search: () => searchHustings(nodes, 2) },
  ];
  if (version === null) return measure(hustings, nodes, runs);
  const spin = new Spin(join(ROOT, 'bench', 'dolev-klawe-rodeh.pml'), nodes);
  try {
    const peers = Object.entries(VARIANTS)
      .slice(0, quick || nodes > MAX_COMPRESSED ? 1 : undefined)
      .map(([name, flags], k) => {
        spin.compile(`pan-${k}`, flags);
        return { name, search: () => spin.search(`pan-${k}`) };
      });
    return measure([...hustings, ...peers], nodes, runs);
  } finally {
    spin.remove();
  }
}

function row(first: string, ...rest: readonly string[]): void {
  console.log(first.padEnd(22) + rest.map((cell) => cell.padStart(12)).join(''));
}

function target(met: boolean, text: string): void {
  console.log(`${met ? '✓' : '✗'} ${text}`);
}

const version = Spin.installed();
if (version === null) {
  console.log('Spin is not installed, so only hustings is measured. To install it on Debian or Ubuntu:');
  console.log('  apt-get install --no-install-recommends spin gcc\n');
}
const load = loadavg()[0];

function report(nodes: Nodes, runs: number, measured: readonly Measured[]): void {
  const [hustings] = measured;
  const peer = measured.find(({ name }) => name === PEER);
  console.log(
    `Dolev–Klawe–Rodeh, ${nodes} nodes, each start a step; best and median of ${runs === 1 ? '1 run' : `${runs} runs`}\n`,
  );
  row('', 'states', 'transitions', 'best', 'median', 'states/s', 'bytes/state', 'memory', '1 thread/it');
  for (const one of measured) {
    row(
      one.name,
      one.states.toLocaleString('en'),
      one.transitions.toLocaleString('en'),
      `${one.best.toFixed(2)} s`,
      `${one.median.toFixed(2)} s`,
      `${Math.round(one.statesPerSecond / 1000)} k`,
      one.bytesPerState.toFixed(1),
      `${Math.round(one.peakBytes / 1e6)} MB`,
      `${one.ratio.toFixed(2)} x`,
    );
  }
  console.log();
  const isKnown = measured.every((one) => one.agrees);
  target(isKnown, `known counts${version === null ? '' : ', also by Spin without its initial step'}`);
  console.log();
  if (quick) return;
  const { statesPerSecond, bytesPerState } = hustings;
  if (peer !== undefined) {
    const most = MAX_SHARE_OF_MEMORY * peer.bytesPerState;
    target(peer.ratio <= 1, `no slower than Spin ${version} without compression`);
    target(bytesPerState <= most, 'at most a third of its bytes per state');
  }
  const speedup = measured.find(({ name }) => name === TWO_THREADS)?.ratio ?? 0;
  if (nodes >= 14) target(speedup >= MIN_SPEEDUP, `${MIN_SPEEDUP} times as fast on 2 threads`);
  target(statesPerSecond >= MIN_STATES_PER_SECOND, 'at least 200,000 states a second');
  target(bytesPerState <= MAX_BYTES, `at most ${MAX_BYTES} bytes per state\n`);
}

const sizes = SIZES.map(([nodes, runs]) => {
  const measured = measureAll(nodes, runs);
  report(nodes, runs, measured);
  return { nodes, measured };
});
const agrees = sizes.every(({ measured }) => measured.every((one) => one.agrees));

mkdirSync(dirname(json), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
writeFileSync(
  json,
  `${JSON.stringify({ version: 3, quick, machine, spin: version, void: !agrees, sizes }, null, 2)}\n`,
);
console.log(`\nwritten to ${json}`);
if (docs && agrees && !quick) writeSearches(join(ROOT, 'docs', 'benchmarks.md'), sizes);
if (!agrees) {
  console.error('void: the counts differ');
  process.exitCode = 1;
}
