/**
 * The result of a sweep as text: a table for each series, with the most precise applicable law beside each size, and below it the
 * other bounds.
 */

import { type Column, formatFigure, formatTable, markStyle } from '@hustings/base';
import type { Screen } from '@hustings/base/command/terminal';
import { formulaOf, statementOf } from '../../kernel/law-text.ts';
import type { GrowthFit, SweepLaw, SweepPoint, SweepResult } from '../../sweep/index.ts';
import { applicableLaws, commonText, measureText, seriesName } from '../../sweep/report/sweep-text.ts';

const FIGURES = ['n', 'runs', 'mean', '±', 'min', 'median', 'max'];
const COLUMNS: readonly Column[] = [...FIGURES.map((title) => [title] as const), 'law', ''];

export function reportSweep(result: SweepResult, { paint, width }: Screen): string[] {
  const head = `${measureText(result.measure)}: ${commonText(result)}`;
  const isRate = result.measure === 'errorRate';
  const tables = result.series.flatMap((series) => {
    const rows = series.points.filter(({ runs }) => runs > 0).map((point) => rowOf(point, isRate));
    if (rows.length === 0) return [];
    const failed = series.points.reduce((sum, point) => sum + point.failed, 0);
    const lines = formatTable(COLUMNS, rows, width, markStyle(paint));
    const note = failed === 0 ? [] : [paint('bad', `${failed} runs without a valid election`)];
    return [
      '',
      paint('strong', seriesName(series, result)),
      ...lines,
      ...note,
      ...boundTexts(series.points, isRate).map((text) => markStyle(paint)(text, 0, 0)),
      ...(series.fits ?? []).map(fitText),
    ];
  });
  return [
    paint('strong', head),
    ...tables,
    '',
    '± is the 95% confidence interval; ✓: the mean of the law lies in it, or all runs satisfy the law. Medians are accurate to 1%.',
  ];
}

/** A line for each bound that some size has beside a more precise law: its values, and whether it holds at all these sizes. */
function boundTexts(points: readonly SweepPoint[], isRate: boolean): string[] {
  const bounds = points.flatMap((point) =>
    applicableLaws(point)
      .slice(1)
      .filter(({ kind }) => kind === 'bound')
      .map((law) => ({ law, point, verdict: verdictOf(law, point, isRate) })),
  );
  const formulas = [...new Set(bounds.map(({ law }) => law.formula))];
  return formulas.map((formula) => {
    const of = bounds.filter(({ law }) => law.formula === formula);
    const [first, last] = [of[0], of[of.length - 1]];
    const valueAt = ({ law, point }: typeof first): string =>
      `${formatFigure(rounded(law.value))} at n = ${formatFigure(point.n)}`;
    const values = first === last ? valueAt(first) : `${valueAt(first)} … ${valueAt(last)}`;
    const broken = of.filter(({ verdict }) => verdict !== '✓');
    const verdict =
      broken.length === 0
        ? '✓'
        : broken.map((each) => `${each.verdict} at n = ${formatFigure(each.point.n)}`).join(', ');
    return `bound: ${formulaOf(first.law)}: ${values}  ${verdict}`;
  });
}

function fitText({ formula, constant, interval, deviation }: GrowthFit): string {
  const half = interval === null ? 0 : (interval[1] - interval[0]) / 2;
  // The constant has as many decimals as its uncertainty, which has two digits.
  const decimals = half > 0 ? Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(half)))) : 4;
  const c = constant.toFixed(decimals) + (half > 0 ? ` ± ${half.toFixed(decimals)}` : '');
  return `fit: c·${formula} with c = ${c}; the sizes deviate from it by at most ${Number((100 * deviation).toPrecision(2))} %`;
}

function rowOf(point: SweepPoint, isRate: boolean): string[] {
  const { n, runs, mean, interval, min, max, quantiles } = point;
  const [law] = applicableLaws(point);
  const half = interval === null ? null : (interval[1] - interval[0]) / 2;
  return [
    ...[n, runs].map(formatFigure),
    ...[mean, half, min, quantiles?.median ?? null, max].map(figure),
    law === undefined ? '' : statementOf(law, rounded(law.value)),
    law === undefined ? '' : verdictOf(law, point, isRate),
  ];
}

const figure = (value: number | null): string => (value === null ? '–' : formatFigure(rounded(value)));

/** To four digits, or to units for larger numbers. */
function rounded(value: number): number {
  const unit = 10 ** Math.min(0, Math.floor(Math.log10(Math.abs(value) || 1)) - 3);
  return Math.round(value / unit) * unit;
}

/** Whether all runs obey the law; for a mean, the deviation. */
function verdictOf(law: SweepLaw, { mean, interval }: SweepPoint, isRate: boolean): string {
  if (isRate && law.kind === 'bound') return interval !== null && interval[0] <= law.value ? '✓' : '✗';
  if (law.kind !== 'mean') return law.broken === 0 ? '✓' : `✗ in ${law.broken} runs`;
  if (mean === null || law.value === 0) return '';
  const off = mean / law.value - 1;
  const isWithin = interval !== null && interval[0] <= law.value && law.value <= interval[1];
  const percent = Math.abs(100 * off).toFixed(2);
  const sign = percent === '0.00' ? '' : off < 0 ? '−' : '+';
  return `${sign}${percent} %${isWithin ? ' ✓' : ''}`;
}
