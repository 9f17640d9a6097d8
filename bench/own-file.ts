/**
 * One measurement in its own process: a sweep of a user's file, relative to the same sweep of the same built-in algorithm.
 * Both alternate, as `hustings sweep` runs them in one thread. Prints a JSON list.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveAlgorithm } from '@hustings/study/internal/cli/flags/algorithm-name';
import { chunkRunner } from '@hustings/study/internal/cli/workers/chunk-runner';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { chunksOf, planSweep } from '@hustings/study/sweep';
import { median } from './median.ts';

export interface OwnFileResult {
  readonly n: number;
  /** Milliseconds of processor time for a thousand runs, the best of all pairs. */
  readonly builtInMs: number;
  readonly ownFileMs: number;
  /** The median over pairs of consecutive sweeps. */
  readonly ratio: number;
}

const NAME = 'chang-roberts';
const SOURCES = ['chang-roberts.ts', 'announcement.ts'];
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const NODES_A_SWEEP = 1 << 15;

/** The source of the built-in algorithm as a user would have it. */
function writeOwnFile(folder: string): string {
  for (const source of SOURCES) {
    const text = readFileSync(join(ROOT, 'packages/study/src/algorithms/ring', source), 'utf8');
    writeFileSync(
      join(folder, source),
      text.replace(/from '\.\.\/\.\.\/kernel\/[^']*'/g, "from '@hustings/study/kernel'"),
    );
  }
  return join(folder, SOURCES[0]);
}

function timed(algorithm: AnyAlgorithm, calledAs: string, n: number, runs: number): number {
  const plan = planSweep([algorithm], { nodes: [n], runs, calledAs: [calledAs] });
  const runChunk = chunkRunner(plan);
  const begin = process.cpuUsage();
  for (const chunk of chunksOf(plan)) runChunk(chunk);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / runs;
}

const pairs = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'hustings-bench-'));
try {
  const path = writeOwnFile(folder);
  const [builtIn, own] = await Promise.all([resolveAlgorithm(NAME), resolveAlgorithm(path)]);
  const results = [16, 256, 4096].map((n): OwnFileResult => {
    const runs = NODES_A_SWEEP / n;
    const times = Array.from({ length: pairs + 1 }, () => [
      timed(builtIn, NAME, n, runs),
      timed(own, path, n, runs),
    ]).slice(1);
    return {
      n,
      builtInMs: Math.min(...times.map(([one]) => one)),
      ownFileMs: Math.min(...times.map(([, other]) => other)),
      ratio: median(times.map(([one, other]) => other / one)),
    };
  });
  console.log(JSON.stringify(results));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
