/**
 * The laws that an algorithm declares, each a claim, measured on the same elections.
 *
 * Every election to which an exact law applies must have exactly this cost, and no election may exceed a bound. A mean is
 * compared with the mean over random orders: four standard errors of deviation are allowed, plus the tolerance of a law
 * that is an approximation.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { type Law, obeys } from '../kernel/law.ts';
import { formatFigure, formulaOf, nameOf } from '../kernel/law-text.ts';
import type { Run } from '../simulator/simulate.ts';
import { measured } from '../simulator/simulate.ts';
import { addFigure, type Moments, noMoments } from '../sweep/moments.ts';
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
          const value = law.value(facts);
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
  return { runs: 0, least: Number.POSITIVE_INFINITY, most: 0, nearest: 0, broken: null, cells: new Map() };
}

function add(tally: Tally, law: Law, run: Run, figure: number, value: number): void {
  const { nodes: n, replay } = run.plan;
  tally.runs++;
  tally.least = Math.min(tally.least, n);
  tally.most = Math.max(tally.most, n);
  if (value > 0) tally.nearest = Math.max(tally.nearest, figure / value);
  if (obeys(law, value, figure) === false) tally.broken ??= { figure, value, replay };
  if (law.kind !== 'mean') return;
  const cell = tally.cells.get(n) ?? { figures: noMoments(), values: noMoments() };
  tally.cells.set(n, cell);
  addFigure(cell.figures, figure);
  addFigure(cell.values, value);
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
  if (law.kind === 'exact') return { verdict: 'confirmed', measured: `holds in all ${ran}` };
  return {
    verdict: 'confirmed',
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
        title: algorithm.title,
        subtitle: `${formulaOf(law)}${law.when === undefined ? '' : `: ${law.when}`}`,
        yTitle: `${nameOf(law.measure)}, divided by n`,
        samples: sizes.map(([n, { figures }]) => [n, figures]),
        scale: (figure, n) => figure / n,
        curves: [
          {
            name: law.formula,
            dash: 'solid',
            series: [0],
            at: (n) => cells.get(n)?.values.mean ?? Number.NaN,
          },
        ],
      }),
    }),
  };
}

function sizesOf({ least, most }: Tally): string {
  return least === most ? formatFigure(least) : `${formatFigure(least)} … ${formatFigure(most)}`;
}

export function percent(share: number): string {
  const figure = 100 * share;
  return `${figure >= 10 ? figure.toFixed(0) : figure.toFixed(1)} %`;
}
