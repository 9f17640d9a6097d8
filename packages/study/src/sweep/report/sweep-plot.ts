/** A sweep as a plot: means with confidence intervals, and the applicable laws as curves. */
import {
  curvePlot,
  type PictureStyle,
  type Plot,
  type PlotCurve,
  type PlotPoint,
} from '../../drawing/index.ts';
import { perNode } from '../../kernel/law-text.ts';
import { parseGrowth, type SweepLaw, type SweepResult } from '../index.ts';
import { applicableLaws, commonText, measureText, seriesName } from './sweep-text.ts';

const KINDS = {
  exact: { dash: 'solid', sign: '=', note: 'solid: exact law' },
  mean: { dash: 'dashed', sign: 'mean', note: 'dashed: mean by a law' },
  bound: { dash: 'dotted', sign: '≤', note: 'dotted: upper bound' },
  fit: { dash: 'dash-dotted', sign: 'fitted', note: 'dash-dotted: fitted growth' },
} as const;

/** The bands of more series would hide each other. */
const MAX_BANDS = 4;
/** More algorithms than this are counted in the title and not named. */
const MAX_NAMED = 3;

/** With `isPerNode` all figures are divided by n, which makes growth like n log n visible. */
export function curveDocument(result: SweepResult, isPerNode = false, style?: PictureStyle): string {
  return curvePlot(plotOf(result, isPerNode), style);
}

/** The content of the plot. */
export function plotOf(result: SweepResult, isPerNode = false, hasLinearAxes = false): Plot {
  const what = `${measureText(result.measure)}${isPerNode ? ', divided by n' : ''}`;
  const scaled = (y: number, n: number): number => (isPerNode ? y / n : y);
  const isRate = result.measure === 'errorRate';
  // A single run fails or does not, so its spread says nothing.
  const hasBands = result.series.length <= MAX_BANDS && !isRate;
  const curves = curvesOf(result, isPerNode);
  // A logarithmic axis cannot show an interval that reaches 0.
  const isLinear =
    hasLinearAxes ||
    result.series.some(({ points }) => points.some(({ mean }) => mean !== null && mean <= 0)) ||
    curves.some(({ points }) => points.some(({ y }) => y <= 0));
  return {
    title: `${algorithmsText(result)}: ${what}`,
    subtitle: [...networkText(result), commonText(result)].join(', '),
    xTitle: 'nodes n',
    yTitle: isRate ? what : `mean ${what}`,
    ...(hasLinearAxes && { isLinear: true }),
    series: result.series.map((series) => ({
      name: seriesName(series, result),
      points: series.points.flatMap(({ n, mean, interval, quantiles }): PlotPoint[] => {
        if (mean === null) return [];
        const range = ([low, high]: readonly [number, number]) =>
          low > 0 || isLinear ? ([scaled(low, n), scaled(high, n)] as const) : undefined;
        return [
          {
            x: n,
            y: scaled(mean, n),
            interval: interval === null ? undefined : range(interval),
            spread: quantiles === null || !hasBands ? undefined : range([quantiles.p05, quantiles.p95]),
          },
        ];
      }),
    })),
    curves: curves.map((curve) => ({
      ...curve,
      points: curve.points.map(({ x, y }) => ({ x, y: scaled(y, x) })),
    })),
    notes: [
      'bars: 95 % confidence interval of the mean',
      ...(hasBands ? ['band: 5 % to 95 % of the runs'] : []),
      ...Object.values(KINDS)
        .filter(({ dash }) => curves.some((curve) => curve.dash === dash))
        .map(({ note }) => note),
    ],
  };
}

function algorithmsText({ series }: SweepResult): string {
  const titles = [...new Set(series.map(({ title }) => title))];
  if (titles.length > MAX_NAMED) return `${titles.length} algorithms`;
  return titles.join(' · ');
}

const NETWORKS: Readonly<Record<string, string>> = {
  tree: 'random tree',
  connected: 'random graph',
  complete: 'complete network',
};

/** Empty if the network is a setting, which the common text names. */
function networkText({ series, setting }: SweepResult): string[] {
  if (setting.topology !== undefined) return [];
  const networks = [...new Set(series.map(({ network }) => NETWORKS[network] ?? network))];
  return [new Intl.ListFormat('en', { type: 'disjunction' }).format(networks)];
}

/** A law with the same values for several series is one curve. */
function curvesOf({ series }: SweepResult, isPerNode: boolean): PlotCurve[] {
  const divided = (formula: string) => (isPerNode ? perNode(formula) : formula);
  const curves = new Map<string, PlotCurve>();
  series.forEach(({ fits, points }, index) => {
    const applicable = points.map((point) => ({ x: point.n, laws: applicableLaws(point) }));
    for (const law of distinct(applicable.flatMap(({ laws }) => laws))) {
      const at = applicable.flatMap(({ x, laws }) =>
        laws.filter((each) => isSame(each, law)).map(({ value }) => ({ x, y: value })),
      );
      const { dash, sign } = KINDS[law.kind];
      const key = JSON.stringify([law.kind, law.formula, at]);
      const others = curves.get(key)?.series ?? [];
      curves.set(key, {
        name: `${sign} ${divided(law.formula)}`,
        dash,
        series: [...others, index],
        points: at,
      });
    }
    for (const { formula, constant } of fits ?? []) {
      const { value } = parseGrowth(formula);
      const { dash, sign } = KINDS.fit;
      curves.set(`${index} ${formula}`, {
        name: `${sign} ${divided(`${Number(constant.toPrecision(4))}·${formula}`)}`,
        dash,
        series: [index],
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
