/**
 * `npm run bench:world`: what it costs to move through a run of 100,000 events, forwards and backwards, against a bare
 * forward replay of the same steps in the same process.
 *
 *   npm run bench:world              100,000 events, about a minute
 *   npm run bench:world -- --quick   10,000 events, some seconds
 *   npm run bench:world -- --json F  where the results go (bench/results/world.json)
 *
 * The run: LeLann on a one-way ring, the oldest message always first. Parts of a round alternate, so that all see the same
 * load. The bench is void if a configuration that was reached backwards differs from the one that was reached forwards.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { registry } from '@hustings/study/algorithms';
import { History, resolveSetup, type Step, World } from '@hustings/study/driver';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { median } from './median.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** One step back may take this much of a frame at 60 Hz. */
const MAX_BACK_MS = 8;

interface Round {
  /** In milliseconds, for the whole run. */
  readonly bare: number;
  readonly recorded: number;
  readonly backwards: number;
  /** The times of single steps back, and of jumps to anywhere. */
  readonly backs: readonly number[];
  readonly seeks: readonly number[];
  readonly agrees: boolean;
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string', default: join(ROOT, 'bench', 'results', 'world.json') },
  },
});
const { quick, json } = values;
/** A ring of n nodes takes n starts and n² messages. */
const nodes = quick ? 100 : 316;
const runs = quick ? 3 : 5;
const jumps = quick ? 50 : 200;
const lelann = registry.find(({ name }) => name === 'lelann') as AnyAlgorithm;

function newWorld(): World {
  return new World(resolveSetup(lelann, { nodes, seed: 1 }), { starts: 'together' });
}

/** Milliseconds of processor time, which other work on the machine does not lengthen. */
function timed(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { system, user } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The next step of the run; null at its end. */
function nextStep(world: World): Step | null {
  const node = world.rules.opening(world.configuration);
  if (node !== null) return { type: 'start', node };
  const [oldest] = world.configuration.messages;
  if (oldest === undefined) return null;
  const { from, port, text, to } = oldest;
  return { type: 'deliver', from, to, port, message: text };
}

function measureRound(steps: readonly Step[]): Round {
  const world = newWorld();
  const bare = timed(() => {
    for (const step of steps) world.apply(step);
  });
  const history = new History(newWorld());
  const first = history.world.save();
  const recorded = timed(() => {
    for (const step of steps) history.take(step);
  });
  const backs = steps.map(() => timed(() => history.back()));
  const backwards = backs.reduce((sum, one) => sum + one, 0);
  const isFirst = JSON.stringify(history.world.save()) === JSON.stringify(first);
  const seeks = Array.from({ length: jumps }, (_, k) =>
    timed(() => history.seek((k * 7_919 * 104_729) % steps.length)),
  );
  history.seek(steps.length);
  const isLast = JSON.stringify(history.world.save()) === JSON.stringify(world.save());
  return { bare, recorded, backwards, backs, seeks, agrees: isFirst && isLast };
}

const load = loadavg()[0];
const world = newWorld();
const steps: Step[] = [];
for (let step = nextStep(world); step !== null; step = nextStep(world)) steps.push(world.apply(step).step);
const rounds = Array.from({ length: runs }, () => measureRound(steps));
const at = (all: readonly number[], part: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(part * all.length)];
const backs = rounds.flatMap((round) => round.backs);
const seeks = rounds.flatMap((round) => round.seeks);
const result = {
  version: 1,
  algorithm: 'lelann',
  nodes,
  events: steps.length,
  runs,
  bareMs: median(rounds.map(({ bare }) => bare)),
  recordedRatio: median(rounds.map(({ bare, recorded }) => recorded / bare)),
  backwardsRatio: median(rounds.map(({ backwards, bare }) => backwards / bare)),
  backMs: { median: at(backs, 0.5), p999: at(backs, 0.999) },
  seekMs: { median: at(seeks, 0.5), p95: at(seeks, 0.95) },
  agrees: rounds.every(({ agrees }) => agrees),
  node: process.version,
  cpu: cpus()[0]?.model ?? 'unknown',
  load,
};

console.log(`LeLann, ring of ${nodes}: ${steps.length} events; medians of ${runs} rounds\n`);
console.log(
  `bare forward replay     ${(result.bareMs / 1000).toFixed(2)} s, ${((1000 * result.bareMs) / steps.length).toFixed(1)} µs a step`,
);
console.log(`recording it            ${result.recordedRatio.toFixed(2)} × the bare replay`);
console.log(
  `back through all of it  ${result.backwardsRatio.toFixed(2)} × the bare replay, one step at a time`,
);
console.log(
  `one step back           ${(1000 * result.backMs.median).toFixed(0)} µs; 99.9 % within ${result.backMs.p999.toFixed(2)} ms`,
);
console.log(
  `jump to anywhere        ${result.seekMs.median.toFixed(2)} ms; 95 % within ${result.seekMs.p95.toFixed(2)} ms\n`,
);
console.log(
  `${result.backMs.p999 <= MAX_BACK_MS ? '✓' : '✗'} 99.9 % of the steps back take at most ${MAX_BACK_MS} ms`,
);
if (!result.agrees) console.log('✗ void: a configuration that was reached backwards differs');
mkdirSync(dirname(json), { recursive: true });
writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
console.log(`\nresults: ${json}`);
if (!result.agrees) process.exitCode = 1;
