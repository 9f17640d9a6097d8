import { rightFile } from '../../../../../scripts/twins.mjs';
import { ROOT } from '../../../../../test/source/source-file.ts';
import { registry, type Twin } from '../../../src/algorithms/index.ts';
import {
  type CheckResult,
  type Counterexample,
  check,
  counterexampleOf,
  type Replay,
  replayCounterexample,
} from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

export interface Capture {
  readonly twin: Twin;
  readonly result: CheckResult;
  readonly counterexample: Counterexample;
  readonly replayed: Replay;
}

/** Runs the search of a twin and replays its counterexample. */
export function capture(twin: Twin): Capture {
  const { algorithm, name, search } = twin;
  const result = check(algorithm, search);
  const counterexample = counterexampleOf(algorithm, result, search);
  if (counterexample === null) throw new Error(`${name} is not caught`);
  return { twin, result, counterexample, replayed: replayCounterexample(algorithm, counterexample) };
}

export function rightOf({ of }: Twin): AnyAlgorithm {
  const right = registry.find(({ name }) => name === of);
  if (right === undefined) throw new Error(`no algorithm is named ${of}`);
  return right;
}

export interface MutatedLine {
  /** The path of the right file, from the root of the repository. */
  readonly path: string;
  readonly lines: readonly string[];
  /** Counted from 0. */
  readonly at: number;
  readonly right: string;
  readonly wrong: string;
}

/** The line of the right file that the twin changes, and the changed line. */
export function mutatedLine(twin: Twin): MutatedLine {
  const { path, text } = rightFile(ROOT, twin);
  const [before, after] = twin.line;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes(before));
  return { path, lines, at, right: lines[at], wrong: lines[at].replace(before, () => after) };
}
