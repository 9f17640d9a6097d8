/**
 * Traces that are kept: one short run an algorithm, printed in full, for readers and against accidents. A run must
 * give its file again byte for byte. `HUSTINGS_GOLDEN=rewrite npx vitest run test/algorithms` writes them anew; the
 * difference is then for the reviewer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { AnyAlgorithm } from '../../src/kernel/algorithm.ts';
import { formatEvent } from '../../src/kernel/trace.ts';
import type { SimulateOptions } from '../../src/simulator/options.ts';
import { Run } from '../../src/simulator/simulate.ts';

/** The command, and under it every event of the run. */
function traceOf(algorithm: AnyAlgorithm, options: SimulateOptions): string {
  const lines: string[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => lines.push(formatEvent(event)) });
  while (!run.advance());
  run.outcome();
  return [`# ${run.plan.replay}`, ...lines, ''].join('\n');
}

export function expectGolden(name: string, algorithm: AnyAlgorithm, options: SimulateOptions): void {
  const file = new URL(`./${name}.trace`, import.meta.url);
  const trace = traceOf(algorithm, options);
  if (process.env.HUSTINGS_GOLDEN === 'rewrite') writeFileSync(file, trace);
  expect(trace).toBe(readFileSync(file, 'utf8'));
}
