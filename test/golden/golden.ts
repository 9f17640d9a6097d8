/**
 * Files that are generated and kept, for readers and against accidents: one short run of every algorithm, printed in
 * full; the run that catches each wrong twin; the pages and pictures of docs/. A test makes each again and compares:
 * pictures and pages by structure, all others byte by byte. `npm run generate` rewrites them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { AnyAlgorithm } from '../../src/kernel/algorithm.ts';
import { formatEvent } from '../../src/kernel/trace.ts';
import type { SimulateOptions } from '../../src/simulator/plan/options.ts';
import { Run } from '../../src/simulator/simulate.ts';
import { structureOf } from './structure.ts';

/** The command, and under it every event of the run. */
function traceOf(algorithm: AnyAlgorithm, options: SimulateOptions): string {
  const lines: string[] = [];
  const run = new Run(algorithm, { ...options, observe: (event) => lines.push(formatEvent(event)) });
  while (!run.advance());
  run.outcome();
  return [`# ${run.plan.replay}`, ...lines, ''].join('\n');
}

export function expectGolden(file: URL, algorithm: AnyAlgorithm, options: SimulateOptions): void {
  expectKept(file, traceOf(algorithm, options));
}

export function expectKept(file: URL, text: string): void {
  if (process.env.HUSTINGS_GOLDEN === 'rewrite') writeFileSync(file, text);
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { pathname } = file;
  expect(structureOf(pathname, text), 'run npm run generate').toBe(structureOf(pathname, kept));
}
