/** A plot of sample means over the number of nodes, with their confidence intervals and the claimed curves. */
import type { Plot, PlotCurve } from '@hustings/study/drawing';
import type { Moments } from '@hustings/study/sweep';
import { intervalOf } from './sample.ts';

export interface SizePlot extends Pick<Plot, 'title' | 'subtitle' | 'yTitle'> {
  readonly samples: readonly (readonly [n: number, moments: Moments])[];
  /** What is drawn of a figure; the figure itself if absent. */
  readonly scale?: (figure: number, n: number) => number;
  readonly curves: readonly (Omit<PlotCurve, 'points'> & { readonly at: (n: number) => number })[];
}

export function sizePlot({ samples, scale = (figure) => figure, curves, ...titles }: SizePlot): Plot {
  const { title, subtitle, yTitle } = titles;
  const points = samples.map(([n, moments]) => {
    const [low, high] = intervalOf(moments);
    return { x: n, y: scale(moments.mean, n), interval: [scale(low, n), scale(high, n)] as const };
  });
  return {
    title,
    subtitle,
    xTitle: 'nodes n',
    yTitle,
    series: [{ name: 'measured', points }],
    curves: curves.map(({ at, ...curve }) => ({
      ...curve,
      points: samples.map(([n]) => ({ x: n, y: scale(at(n), n) })),
    })),
    notes: ['bars: 95 % confidence interval'],
  };
}
