/**
 * `npm run bench:import`: what it costs a process to import hustings, beside redlock: time and memory of fresh processes, in turns.
 *
 *   npm run bench:import              15 rounds
 *   npm run bench:import -- --json F  file of the results (default: bench/results/import.json)
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './median.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const ROUNDS = 15;
const IMPORTS = ['hustings', 'redlock', 'ioredis'] as const;
const { json } = parseArgs({
  options: { json: { type: 'string', default: join(ROOT, 'bench/results/import.json') } },
}).values;

interface Sample {
  readonly ms: number;
  readonly rssKb: number;
}

/** What the import adds to a process that has started. */
function sample(name: string): Sample {
  const script = `
    const before = process.memoryUsage.rss();
    const start = performance.now();
    await import('${name}');
    console.log(JSON.stringify({ ms: performance.now() - start, rssKb: (process.memoryUsage.rss() - before) / 1024 }));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const samples = new Map<string, Sample[]>(IMPORTS.map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const name of IMPORTS) samples.get(name)!.push(sample(name));
}
const results = [...samples].map(([name, all]) => ({
  name,
  ms: median(all.map(({ ms }) => ms)),
  rssMb: median(all.map(({ rssKb }) => rssKb)) / 1024,
}));
const [, redlock] = results;
for (const { name, ms, rssMb } of results) {
  const ratio = (ms / redlock.ms).toFixed(2);
  console.log(
    `${name.padEnd(9)} ${ms.toFixed(1).padStart(6)} ms  ${rssMb.toFixed(1).padStart(5)} MB  ${ratio} of redlock`,
  );
}
mkdirSync(dirname(json), { recursive: true });
writeFileSync(json, `${JSON.stringify({ node: process.version, rounds: ROUNDS, results }, null, 2)}\n`);
