/** The cost table of an algorithm: counts of runs beside the laws of its source. */

import { formatFigure } from '../../../packages/base/src/text.ts';
import type { AnyAlgorithm, Law } from '../../../packages/study/src/kernel/index.ts';
import { formulaOf, nameOf } from '../../../packages/study/src/kernel/law-text.ts';
import {
  measured,
  type Outcome,
  Run,
  type SimulateOptions,
} from '../../../packages/study/src/simulator/index.ts';
import { tableOf } from '../../../test-kit/golden/regions.ts';

const MEAN_RUNS = 200;

/** The runs to which a law may apply, the simplest first. */
const RUNS: readonly SimulateOptions[] = [
  {},
  { order: 'ascending' },
  { order: 'descending' },
  { initiators: [0] },
  { order: 'ascending', initiators: [0] },
  { crash: 'none', initiators: [0] },
];

interface Measured {
  readonly outcome: Outcome;
  readonly laws: ReturnType<Run['laws']>;
}

/** The runs of one table by their options: a run serves all laws. */
type Runs = (options: SimulateOptions) => Measured;

function runsOf(algorithm: AnyAlgorithm): Runs {
  const known = new Map<string, Measured>();
  return (options) => {
    const key = JSON.stringify(options);
    let found = known.get(key);
    if (found === undefined) {
      const run = new Run(algorithm, { ...options, invariants: 'none' });
      while (!run.advance());
      found = { outcome: run.outcome(), laws: run.laws() };
      known.set(key, found);
    }
    return found;
  };
}

export function costTable(
  algorithm: AnyAlgorithm,
  sizes: readonly number[],
  settings: Readonly<Record<string, SimulateOptions>>,
): string[] {
  const runs = runsOf(algorithm);
  const rows = algorithm.laws.map((law: Law) => {
    const cells = sizes.map((n) => cellOf(algorithm, runs, law, n, settings[n] ?? {}));
    return [nameOf(law.measure), formulaOf(law), law.when ?? '', ...cells];
  });
  return [...new Set(tableOf(['measure', 'law', 'if', ...sizes.map((n) => `n = ${n}`)], rows))];
}

/** '28 of at most 36' for a bound, '12.9 in 200 runs, law 13.1' for a mean, '8' for an exact law that holds. */
function cellOf(algorithm: AnyAlgorithm, runs: Runs, law: Law, n: number, setting: SimulateOptions): string {
  for (const options of RUNS) {
    const compared = compare(algorithm, runs, law, { nodes: n, ...options, ...setting });
    if (compared === null) continue;
    const { figure, value } = compared;
    if (law.kind === 'mean') return meanCell(algorithm, runs, law, n, { ...options, ...setting }, value);
    if (law.kind === 'bound') return `${formatFigure(figure)} of at most ${formatFigure(value)}`;
    return figure === value ? formatFigure(figure) : `${formatFigure(figure)}, not ${formatFigure(value)}`;
  }
  return '';
}

function meanCell(
  algorithm: AnyAlgorithm,
  runs: Runs,
  law: Law,
  n: number,
  options: SimulateOptions,
  value: number,
): string {
  // Another law applies to an order that happens to be sorted.
  const figures = Array.from({ length: MEAN_RUNS }, (_, k) =>
    compare(algorithm, runs, law, { nodes: n, ...options, seed: k + 1 }),
  ).flatMap((compared) => (compared === null ? [] : [compared.figure]));
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  return `${rounded(mean)} in ${figures.length} runs, law ${rounded(value)}`;
}

function rounded(figure: number): string {
  return formatFigure(Math.round(10 * figure) / 10);
}

/** The measured value and that of the law; null if the law does not apply to this run. */
function compare(
  algorithm: AnyAlgorithm,
  runs: Runs,
  law: Law,
  options: SimulateOptions,
): { figure: number; value: number } | null {
  const isRounds = algorithm.assumes.timing === 'synchronous';
  if (isRounds && options.initiators !== undefined) return null;
  const { outcome, laws } = runs(options);
  const found = laws.find((each) => each.law === law);
  const figure = found && measured(outcome, law.measure);
  return figure === null || figure === undefined
    ? null
    : { figure, value: (found as { value: number }).value };
}
