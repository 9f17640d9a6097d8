/**
 * Random runs without faults, over all parameters of an algorithm: a valid election, and every law that applies holds.
 */
import fc from 'fast-check';
import { type AnyAlgorithm, InputError } from '../../src/kernel/index.ts';
import type { Param, ParamLimit, Setting } from '../../src/kernel/params.ts';
import { Random } from '../../src/kernel/random.ts';
import type { SimulateOptions } from '../../src/simulator/index.ts';
import { run } from '../algorithms/laws.ts';
import { casesOf } from '../algorithms/read-cases.ts';
import { draws, faultlessOptions } from '../scenarios/scenario.ts';

/** The values of an integer that are drawn: from its minimum on. */
const VALUES = 12;

/** Runs this number of elections. Settings that do not fit together are refused, and drawn again. */
export function runLaws(algorithm: AnyAlgorithm, runs: number, seed: number): { refused: number } {
  const random = new Random(seed, algorithm.name);
  let refused = 0;
  let done = 0;
  for (const draw of fc.sample(draws, { numRuns: 10 * runs, seed })) {
    if (done === runs) break;
    // Most laws hold only if all initiators start at the same time.
    const starts: { position: number; wakes: number }[] | null = draw.initiators;
    const initiators = starts?.map((start) => (draw.param % 4 > 0 ? { ...start, wakes: 0 } : start)) ?? null;
    const options = faultlessOptions(algorithm, { ...draw, initiators });
    const set = { ...options.set, ...drawSettings(algorithm, sizeOf(options), random) };
    if (casesOf(algorithm).scenario?.claims?.({ ...options, set }) === false) continue;
    try {
      run(algorithm, { ...options, set });
      done++;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused++;
    }
  }
  if (done < runs)
    throw new Error(`only ${done} of ${runs} runs of ${algorithm.name}: ${refused} were refused`);
  return { refused };
}

function sizeOf({ ids, nodes }: SimulateOptions): number {
  return Array.isArray(ids) ? ids.length : (nodes as number);
}

/** Each parameter is drawn in half of the runs, and has its default in the others. */
function drawSettings({ params }: AnyAlgorithm, n: number, random: Random): Record<string, Setting> {
  const settings: Record<string, Setting> = {};
  for (const [name, param] of Object.entries(params as Record<string, Param<Setting>>)) {
    if (random.below(2) === 0) continue;
    const [least, most] = [limitAt(param.min, n), limitAt(param.max, n)];
    const value = least + random.below(Math.max(1, Math.min(VALUES, most - least + 1)));
    settings[name] =
      param.kind === 'flag' ? value === 1 : param.kind === 'choice' ? param.names[value] : value;
  }
  return settings;
}

function limitAt(limit: ParamLimit, n: number): number {
  return typeof limit === 'function' ? limit(n) : limit;
}
