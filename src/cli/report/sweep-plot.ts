/** A sweep as a plot: means with confidence bands, and the applicable laws as curves. */
import { curvePlot, type PlotCurve, type PlotPoint } from '../../drawing/index.ts';
import { parseGrowth, type SweepLaw, type SweepResult } from '../../sweep/index.ts';
import { applicableLaws, commonText, measureText, seriesName } from './sweep-text.ts';

const KINDS = {
  exact: { dash: 'solid', text: 'exact' },
  mean: { dash: 'dashed', text: 'mean' },
  bound: { dash: 'dotted', text: 'at most' },
} as const;

/** With `perNode` all figures are divided by n, which makes growth like n log n visible. */
export function drawSweep(result: SweepResult, perNode = false): string {
  const what = measureText(result.measure);
  const titles = [...new Set(result.series.map(({ title }) => title))];
  const scaled = (y: number, n: number): number => (perNode ? y / n : y);
  return curvePlot({
    title: `${titles.length > 1 ? `${titles.length} algorithms` : titles[0]}: ${what}`,
    subtitle: commonText(result),
    xTitle: 'nodes n',
    yTitle: `${what}${perNode ? ', divided by n' : ''}: mean of the runs`,
    series: result.series.map((series) => ({
      name: seriesName(series, result),
      points: series.points.flatMap(({ n, mean, interval, quantiles }): PlotPoint[] => {
        if (mean === null) return [];
        const range = (ends: readonly [number, number]) => drawable(scaled(ends[0], n), scaled(ends[1], n));
        return [
          {
            x: n,
            y: scaled(mean, n),
            band: interval === null ? undefined : range(interval),
            spread: quantiles === null ? undefined : range([quantiles.p05, quantiles.p95]),
          },
        ];
      }),
    })),
    curves: curvesOf(result).map((curve) => ({
      ...curve,
      points: curve.points.map(({ x, y }) => ({ x, y: scaled(y, x) })),
    })),
    notes: ['band: 95% confidence interval of the mean', 'thin line: 5% to 95% of the runs'],
  });
}

/** A logarithmic axis cannot show an interval that reaches 0. */
function drawable(low: number, high: number): readonly [number, number] | undefined {
  return low <= 0 ? undefined : [low, high];
}

/** A law with the same values for several series is one curve. */
function curvesOf({ series }: SweepResult): PlotCurve[] {
  const curves = new Map<string, PlotCurve>();
  series.forEach(({ fits, points }, index) => {
    const applicable = points.map((point) => ({ x: point.n, laws: applicableLaws(point) }));
    for (const law of distinct(applicable.flatMap(({ laws }) => laws))) {
      const at = applicable.flatMap(({ x, laws }) =>
        laws.filter((each) => isSame(each, law)).map(({ value }) => ({ x, y: value })),
      );
      const { dash, text } = KINDS[law.kind];
      const key = JSON.stringify([law.kind, law.formula, at]);
      const isShared = curves.has(key);
      curves.set(key, { name: `${text} ${law.formula}`, dash, series: isShared ? null : index, points: at });
    }
    for (const { formula, constant } of fits ?? []) {
      const { value } = parseGrowth(formula);
      const name = `fitted ${Number(constant.toPrecision(4))}·${formula}`;
      curves.set(`${index} ${formula}`, {
        name,
        dash: 'dashed',
        series: index,
        points: points.map(({ n }) => ({ x: n, y: constant * value(n) })),
      });
    }
  });
  return [...curves.values()];
}

const isSame = (one: SweepLaw, other: SweepLaw): boolean =>
  one.kind === other.kind && one.formula === other.formula && one.when === other.when;

function distinct(laws: readonly SweepLaw[]): SweepLaw[] {
  return laws.filter((law, index) => laws.findIndex((other) => isSame(law, other)) === index);
}
