/**
 * The laws that an algorithm declares, each a claim, measured on the same elections.
 *
 * Every election to which an exact law applies must have exactly this cost, and no election may exceed a bound. A mean is
 * compared with the mean over random orders: four standard errors of deviation are allowed, plus the tolerance of a law
 * that is an approximation.
 */

import { formatFigure } from '@hustings/base';
import { formulaOf, nameOf, perNode } from '@hustings/study/internal/kernel/law-text';
import { addFigure, noMoments } from '@hustings/study/internal/sweep/moments';
import { type AnyAlgorithm, type Law, lawValue, obeys } from '@hustings/study/kernel';
import { measured, type Run } from '@hustings/study/simulator';
import type { Moments } from '@hustings/study/sweep';
import { type Claim, type Finding, type Method, type Study, verdictOf } from './claim.ts';
import type { Experiment } from './experiment.ts';
import { type Origin, ours } from './origin.ts';
import type { ParameterGrid } from './parameter-grid.ts';
import { mayBe, showInterval, showMean } from './sample.ts';
import { sizePlot } from './size-plot.ts';

export interface LawStudyOptions {
  /** The laws that a source states, or that follow from a statement, by their text without the condition. */
  readonly origins?: Readonly<Record<string, Origin>>;
  readonly grid: ParameterGrid;
  /** Random orders, for means. */
  readonly means?: ParameterGrid;
  /** How far the true mean may lie from a law that is an approximation, and the sentence that says so. */
  readonly tolerance?: { readonly text: string; within(n: number, value: number): number };
}

const METHODS: Readonly<Record<Law['kind'], Method>> = {
  exact: 'exact count',
  bound: 'upper bound',
  mean: 'mean of runs',
};

/** The costs of elections of one size, and the values of the law. */
interface Cell {
  readonly figures: Moments;
  readonly values: Moments;
}

interface Tally {
  runs: number;
  least: number;
  most: number;
  /** For a bound: the largest ratio of cost to bound. */
  nearest: number;
  broken: { readonly figure: number; readonly value: number; readonly replay: string } | null;
  /** A run to which the law applies, small enough to read; for a bound, the one nearest to it. */
  example: { readonly ratio: number; readonly n: number; readonly replay: string } | null;
  readonly cells: Map<number, Cell>;
}

export function lawStudy(algorithm: AnyAlgorithm, options: LawStudyOptions): Study {
  const laws: readonly Law[] = algorithm.laws;
  const { origins = {} } = options;
  const unknown = Object.keys(origins).find((text) => !laws.some((law) => lawText(law) === text));
  if (unknown !== undefined) throw new RangeError(`${algorithm.name} has no law ‘${unknown}’`);
  return {
    claims: laws.map((law, index) => claimOf(algorithm, law, index, origins[lawText(law)])),
    measure(experiment) {
      const tallies = laws.map(emptyTally);
      const take = (run: Run, kinds: readonly Law['kind'][]): void => {
        const facts = run.facts();
        const outcome = run.outcome();
        laws.forEach((law, index) => {
          if (!kinds.includes(law.kind)) return;
          const value = lawValue(law, facts);
          const figure = measured(outcome, law.measure);
          if (value !== undefined && figure !== null) add(tallies[index], law, run, figure, value);
        });
      };
      for (const each of options.grid(experiment)) take(experiment.run(algorithm, each), ['exact', 'bound']);
      for (const each of options.means?.(experiment) ?? []) {
        take(experiment.run(algorithm, each), ['exact', 'bound', 'mean']);
      }
      return laws.map((law, index) =>
        findingOf(algorithm, law, tallies[index], experiment, options.tolerance),
      );
    },
  };
}

function lawText(law: Law): string {
  return `${nameOf(law.measure)} ${formulaOf(law)}`;
}

function claimOf({ name, source }: AnyAlgorithm, law: Law, index: number, origin = ours(source)): Claim {
  const when = law.when === undefined ? '' : ` (${law.when})`;
  return {
    id: `${name}/law-${index + 1}`,
    origin,
    says: `${lawText(law)}${when}`,
    method: METHODS[law.kind],
  };
}

function emptyTally(): Tally {
  return {
    runs: 0,
    least: Number.POSITIVE_INFINITY,
    most: 0,
    nearest: 0,
    broken: null,
    example: null,
    cells: new Map(),
  };
}

function add(tally: Tally, law: Law, run: Run, figure: number, value: number): void {
  const { nodes: n, replay } = run.plan;
  tally.runs++;
  tally.least = Math.min(tally.least, n);
  tally.most = Math.max(tally.most, n);
  if (value > 0) tally.nearest = Math.max(tally.nearest, figure / value);
  if (obeys(law, value, figure) === false) tally.broken ??= { figure, value, replay };
  const example = { ratio: law.kind === 'bound' && value > 0 ? figure / value : 0, n, replay };
  if (isReadable(replay) && isBetter(example, tally.example)) tally.example = example;
  if (law.kind !== 'mean') return;
  const cell = tally.cells.get(n) ?? { figures: noMoments(), values: noMoments() };
  tally.cells.set(n, cell);
  addFigure(cell.figures, figure);
  addFigure(cell.values, value);
}

/** Longer commands list the ids of a large network; those with a placeholder do not run. */
const isReadable = (replay: string): boolean => replay.length <= 160 && !replay.includes('<');

/** From four nodes on, a run shows more than its size. */
function isBetter(one: NonNullable<Tally['example']>, other: Tally['example']): boolean {
  if (other === null) return true;
  const [hasNodes, had] = [one.n >= 4, other.n >= 4];
  return hasNodes === had ? one.ratio > other.ratio : hasNodes;
}

function findingOf(
  algorithm: AnyAlgorithm,
  law: Law,
  tally: Tally,
  experiment: Experiment,
  tolerance: LawStudyOptions['tolerance'],
): Finding {
  if (tally.runs === 0) {
    const why = experiment.quick
      ? 'the law applies to no election of a quick run'
      : 'the law applies to no election that was run';
    return { verdict: 'undecided', measured: '–', why };
  }
  if (law.kind === 'mean') return meanFinding(algorithm, law, tally, tolerance);
  const ran = `${formatFigure(tally.runs)} elections, n = ${sizesOf(tally)}`;
  if (tally.broken !== null) {
    const { figure, value, replay } = tally.broken;
    return {
      verdict: 'refuted',
      measured: `${formatFigure(figure)}; the law gives ${formatFigure(value)}`,
      replay,
    };
  }
  const shown = tally.example === null ? {} : { replay: tally.example.replay };
  if (law.kind === 'exact') return { verdict: 'confirmed', measured: `holds in all ${ran}`, ...shown };
  return {
    verdict: 'confirmed',
    ...shown,
    measured: `not exceeded in ${ran}; the maximum is ${percent(tally.nearest)} of the bound`,
  };
}

function meanFinding(
  algorithm: AnyAlgorithm,
  law: Law,
  { cells }: Tally,
  tolerance: LawStudyOptions['tolerance'],
): Finding {
  const sizes = [...cells].sort(([one], [other]) => one - other);
  const holds = sizes.every(([n, { figures, values }]) =>
    mayBe(figures, values.mean, tolerance?.within(n, values.mean)),
  );
  const [largest, last] = sizes[sizes.length - 1];
  return {
    verdict: verdictOf(holds),
    ...sweepLine(algorithm, law, sizes),
    measured: `${showMean(last.figures, 1)} at n = ${formatFigure(largest)}; the law gives ${formatFigure(last.values.mean)}`,
    ...(tolerance !== undefined && { why: tolerance.text }),
    table: {
      columns: ['n', 'elections', 'law', 'mean', '95 % confidence interval'],
      rows: sizes.map(([n, { figures, values }]) => [
        formatFigure(n),
        formatFigure(figures.count),
        formatFigure(values.mean),
        formatFigure(figures.mean),
        showInterval(figures, formatFigure),
      ]),
    },
    ...(sizes.length > 1 && {
      plot: sizePlot({
        title: `${algorithm.title}: ${nameOf(law.measure)}, divided by n`,
        subtitle: [
          algorithm.assumes.network,
          ...(law.when === undefined ? [] : [law.when]),
          `${formatFigure(last.figures.count)} runs at n = ${formatFigure(largest)}`,
        ].join(', '),
        yTitle: `mean ${nameOf(law.measure)}, divided by n`,
        samples: sizes.map(([n, { figures }]) => [n, figures]),
        scale: (figure, n) => figure / n,
        curves: [
          {
            name: `mean ${perNode(law.formula)}`,
            dash: 'dashed',
            series: [0],
            at: (n) => cells.get(n)?.values.mean ?? Number.NaN,
          },
        ],
      }),
    }),
  };
}

/** The sweep that shows a mean; none of a single type of message. */
function sweepLine(
  { name }: AnyAlgorithm,
  { measure }: Law,
  sizes: readonly (readonly [n: number, cell: Cell])[],
): Pick<Finding, 'replay'> {
  if (typeof measure !== 'string') return {};
  const runs = Math.max(...sizes.map(([, { figures }]) => figures.count));
  const nodes = sizes.map(([n]) => n).join(',');
  return { replay: `hustings sweep ${name} --nodes ${nodes} --runs ${runs} --measure ${measure}` };
}

function sizesOf({ least, most }: Tally): string {
  return least === most ? formatFigure(least) : `${formatFigure(least)} … ${formatFigure(most)}`;
}

export function percent(share: number): string {
  const figure = 100 * share;
  return `${figure >= 10 ? figure.toFixed(0) : figure.toFixed(1)} %`;
}
