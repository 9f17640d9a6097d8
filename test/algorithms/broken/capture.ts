import { registry, type Twin } from '../../../src/algorithms/index.ts';
import { type CheckResult, check, type Replay } from '../../../src/checker/index.ts';
import { type Counterexample, counterexampleOf } from '../../../src/cli/report/counterexample-file.ts';
import { replayCounterexample } from '../../../src/cli/report/counterexample-replay.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { readSources, type SourceFile } from '../../source/source-file.ts';

export interface Capture {
  readonly twin: Twin;
  readonly result: CheckResult;
  readonly counterexample: Counterexample;
  readonly replayed: Replay;
}

/** Searches as the twin says, and plays what is found again. */
export function capture(twin: Twin): Capture {
  const { algorithm, name, where } = twin;
  const result = check(algorithm, where);
  const counterexample = counterexampleOf(algorithm, result, where);
  if (counterexample === null) throw new Error(`${name} is not caught`);
  return { twin, result, counterexample, replayed: replayCounterexample(algorithm, counterexample) };
}

export function rightOf({ of }: Twin): AnyAlgorithm {
  const right = registry.find(({ name }) => name === of);
  if (right === undefined) throw new Error(`no algorithm is named ${of}`);
  return right;
}

export interface LineChange {
  /** From 0. */
  readonly line: number;
  readonly right: string;
  readonly wrong: string;
}

const sources = readSources().filter(({ path }) => path.startsWith('src/algorithms/'));

export function rightSource({ of }: Twin): SourceFile {
  return sourceOf((path) => path.endsWith(`/${of}.ts`) && !path.includes('/broken/'), of);
}

function wrongSource({ name }: Twin): SourceFile {
  return sourceOf((path) => path === `src/algorithms/broken/${name}.ts`, name);
}

function sourceOf(isMeant: (path: string) => boolean, name: string): SourceFile {
  const file = sources.find(({ path }) => isMeant(path));
  if (file === undefined) throw new Error(`no file of ${name}`);
  return file;
}

/** Line by line: a line that is inserted or dropped moves all that follow, and so is many changes. */
export function changesOf(twin: Twin): LineChange[] {
  const [right, wrong] = [rightSource(twin), wrongSource(twin)].map(({ text }) => text.split('\n'));
  return Array.from({ length: Math.max(right.length, wrong.length) }, (_, line) => ({
    line,
    right: right[line] ?? '',
    wrong: wrong[line] ?? '',
  })).filter((change) => change.right !== change.wrong);
}
