/**
 * The results of a few thousand random runs, recorded: a faster loop must reproduce them to the last digit. A change of an
 * algorithm or of the rules of a run changes them: HUSTINGS_GOLDEN=rewrite records them again.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { type AnyAlgorithm, HustingsError } from '../../../src/kernel/index.ts';
import { formatEvent, Run, type TraceEvent } from '../../../src/simulator/index.ts';
import { randomRun } from './random-run.ts';

const RUNS = 100;
const file = new URL('./recorded-runs.txt', import.meta.url);
/** One line per algorithm: its name, and the first digits of the hash of each run. */
const recorded = new Map(
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line): [string, readonly string[]] => {
      const [name, ...hashes] = line.split(' ');
      return [name, hashes];
    }),
);

/** All that can be observed of a run: its events, costs, times, laws and final states, or its error. */
function resultOf(algorithm: AnyAlgorithm, number: number): string {
  const { options, isTraced, part } = randomRun(algorithm, number);
  const lines: string[] = [];
  const observe = (event: TraceEvent) => lines.push(formatEvent(event));
  let run: Run | null = null;
  try {
    run = new Run(algorithm, { ...options, ...(isTraced && { observe }) });
    while (!run.advance(part ?? undefined));
    lines.push(JSON.stringify(run.outcome()));
    // A law may assume that some node started: in a random run all of them may have crashed before.
    const laws = run.facts().k > 0 ? run.laws() : [];
    lines.push(JSON.stringify(laws.map(({ law, value }) => [law.formula, value])));
  } catch (error) {
    if (!(error instanceof HustingsError)) throw error;
    lines.push(`${error.code} ${error.message}`);
  }
  if (run === null) return lines.join('\n');
  const { simulation } = run;
  const { machine } = simulation;
  lines.push(JSON.stringify([simulation.steps, simulation.now, simulation.breach]));
  for (let at = 0; at < machine.status.length; at++) {
    lines.push(JSON.stringify([machine.save(at), machine.decisions.times[at]]));
  }
  return lines.join('\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}

const isRewritten = process.env.HUSTINGS_GOLDEN === 'rewrite';

describe('random runs have the recorded results', () => {
  const lines: string[] = [];
  test.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (name, algorithm) => {
    const hashes = Array.from({ length: RUNS }, (_, number) => hashOf(resultOf(algorithm, number)));
    lines.push([name, ...hashes].join(' '));
    if (isRewritten) return;
    const known = recorded.get(name) ?? [];
    const other = hashes.findIndex((hash, number) => hash !== known[number]);
    const shown = other < 0 ? '' : `run ${other}: ${JSON.stringify(randomRun(algorithm, other))}`;
    expect(hashes, shown).toEqual(known);
  });

  test('no algorithm is missing in the record', () => {
    if (isRewritten) writeFileSync(file, `${lines.join('\n')}\n`);
    else expect([...recorded.keys()].filter(Boolean)).toEqual(registry.map(({ name }) => name));
  });
});
