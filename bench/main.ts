/**
 * `npm run bench`: the speed of the simulator, compared with loops that are written by hand for one algorithm.
 *
 *   npm run bench              up to a million nodes, a few minutes
 *   npm run bench -- --quick   small networks, a few seconds: not for published figures
 *   npm run bench -- --only A  only the comparisons whose name contains A, with nothing else
 *   npm run bench -- --docs    also writes the table of docs/benchmarks.md
 *   npm run bench -- --json F  file of the results (default: bench/results/simulator.json)
 *
 * Absolute rates depend on the machine and its load; the ratios matter. A loop that disagrees with the engine on a count, the
 * leader or the time is an error. The comparison of Chang–Roberts is void if its loop runs below 40 million messages per second.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { algorithmCases, nodesFor } from './cases.ts';
import type { Job, Result } from './child.ts';
import { writeTable } from './docs-table.ts';
import { type HandCase, handCases } from './hand-cases.ts';
import type { OwnFileResult } from './own-file.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const MIN_BY_HAND = 40;
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    docs: { type: 'boolean', default: false },
    json: { type: 'string', default: join(ROOT, 'bench', 'results', 'simulator.json') },
  },
});
const { docs, json, only, quick } = values;

function run(job: Job): Result {
  const child = spawnSync(process.execPath, [join(HERE, 'child.js'), JSON.stringify(job)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`the measurement of ${JSON.stringify(job)} failed`);
  return JSON.parse(child.stdout) as Result;
}

function row(...cells: readonly (string | number)[]): void {
  const [first, ...rest] = cells;
  const shown = rest.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(12));
  console.log(String(first).padEnd(26) + shown.join(''));
}

function compareWithHand({ name, most }: HandCase): Result & { name: string; most: number } {
  const result = run({ kind: 'by hand', name, quick, runs: quick ? 5 : 9 });
  row(name, result.byHand ?? 0, result.engine, `${result.ratio?.toFixed(2)} x`, `${result.peakMb} MB`);
  return { name, most, ...result };
}

/** Measures the whole command. */
function command(nodes: number): { nodes: number; seconds: number; peakMb: number } {
  const main = join(ROOT, 'packages/hustings/dist/cli/main.js');
  const args = ['simulate', 'chang-roberts', '--nodes', String(nodes), '--json'];
  const begin = performance.now();
  const child = spawnSync(process.execPath, ['--import', join(HERE, 'peak.js'), main, ...args], {
    encoding: 'utf8',
  });
  const seconds = (performance.now() - begin) / 1000;
  const peak = /peak (\d+) MB/.exec(child.stderr);
  if (child.status !== 0 || peak === null)
    throw new Error(`hustings ${args.join(' ')} failed: ${child.stderr}`);
  row(`simulate --nodes ${nodes}`, '', '', `${seconds.toFixed(1)} s`, `${peak[1]} MB`);
  return { nodes, seconds, peakMb: Number(peak[1]) };
}

row('compared with a loop', 'by hand', 'engine', 'ratio', 'peak');
row('', 'M msgs/s', 'M msgs/s', 'engine/hand', 'memory');
const comparisons = handCases.filter(({ name }) => name.includes(only ?? '')).map(compareWithHand);
const commands = only !== undefined ? [] : (quick ? [nodesFor(true)] : [1_000_000, 10_000_000]).map(command);

/** Sweeps of a user's file beside those of the same built-in algorithm. */
function compareOwnFile(): OwnFileResult[] {
  const child = spawnSync(process.execPath, [join(HERE, 'own-file.js'), quick ? '2' : '9'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error('the measurement of an own file failed');
  console.log();
  row('sweep, 1000 runs', 'built-in', 'own file', 'ratio');
  const results = JSON.parse(child.stdout) as OwnFileResult[];
  for (const { n, builtInMs, ownFileMs, ratio } of results) {
    row(
      `chang-roberts, n = ${n}`,
      `${builtInMs.toFixed(1)} ms`,
      `${ownFileMs.toFixed(1)} ms`,
      `${ratio.toFixed(2)} x`,
    );
  }
  return results;
}

const ownFile = only === undefined ? compareOwnFile() : [];

if (only === undefined) {
  console.log();
  row('algorithm, lockstep', 'nodes', 'messages', 'M msgs/s', 'memory');
}
const cases = (only === undefined ? algorithmCases(quick) : []).map((one) => {
  const result = run({
    kind: 'algorithm',
    algorithm: one.algorithm,
    options: one.options,
    runs: quick ? 2 : 4,
  });
  const { messages, engine, peakMb } = result;
  row(one.algorithm, String(one.options.nodes), String(messages), engine, `${peakMb} MB`);
  return { ...one, ...result };
});
const fastest = Math.max(...cases.map(({ engine }) => engine));
for (const { algorithm, engine, reason } of cases) {
  if (engine >= fastest / 5) continue;
  console.log(
    `${algorithm} is more than five times slower than the fastest: ${reason ?? 'the reason is unknown'}`,
  );
}

mkdirSync(dirname(json), { recursive: true });
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
writeFileSync(
  json,
  `${JSON.stringify({ version: 1, quick, machine, comparisons, commands, ownFile, cases }, null, 2)}\n`,
);
console.log(`\nwritten to ${json}`);

if (docs) writeTable(join(ROOT, 'docs', 'benchmarks.md'), comparisons);

for (const { name, byHand, ratio, most } of comparisons) {
  if (quick) break;
  if (name === 'chang-roberts' && (byHand ?? 0) < MIN_BY_HAND) {
    console.error(`void: the loop of ${name} made ${byHand?.toFixed(1)} M messages/s, below ${MIN_BY_HAND}`);
  } else if ((ratio ?? 0) > most) {
    console.error(`${name}: ${ratio?.toFixed(2)} x exceeds the target of ${most} x`);
  }
}
