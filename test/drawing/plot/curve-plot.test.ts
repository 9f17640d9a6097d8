import { describe, expect, it } from 'vitest';
import {
  changRoberts,
  leLann,
  peterson,
  petersonBidirectional,
  registry,
} from '../../../src/algorithms/index.ts';
import { drawSweep } from '../../../src/cli/report/sweep-plot.ts';
import { drawCurvePlot } from '../../../src/drawing/plot/curve-plot.ts';
import type { Plot } from '../../../src/drawing/plot/plot.ts';
import { axisFor } from '../../../src/drawing/plot/plot-axis.ts';
import { overlap } from '../../../src/drawing/text-box.ts';
import { sweep } from '../../../src/sweep/index.ts';

const EMPTY: Plot = {
  title: 't',
  subtitle: 's',
  xTitle: 'x',
  yTitle: 'y',
  series: [],
  curves: [],
  notes: [],
};

function expectNoOverlap({ sheet }: ReturnType<typeof drawCurvePlot>): void {
  const { texts } = sheet;
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      expect(overlap(one.box, other.box), `'${one.text}' lies on '${other.text}'`).toBe(false);
    }
  });
}

/** Every pair of coordinates of a path or a circle. */
function placesIn(svg: string): { x: number; y: number }[] {
  return [...svg.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)|cx="([\d.]+)" cy="([\d.]+)"/g)].map(
    ([, a, b, c, d]) => ({
      x: Number(a ?? c),
      y: Number(b ?? d),
    }),
  );
}

describe('an axis', () => {
  it('has equal ratios at equal distances', () => {
    const { at } = axisFor([3, 700, 16_000], 0, 600);
    expect(at(64) - at(16)).toBeCloseTo(at(4096) - at(1024), 9);
  });

  it('contains all its values', () => {
    for (const values of [[7], [0, 5], [0.05, 0.06], [1, 1e12], [-3, 4], [0]]) {
      const { at, ticks } = axisFor(values, 100, 700);
      for (const value of [...values, ...ticks.map((tick) => tick.value)]) {
        expect(at(value)).toBeGreaterThanOrEqual(100);
        expect(at(value)).toBeLessThanOrEqual(700);
      }
      expect(ticks.filter(({ label }) => label !== '').length).toBeGreaterThan(0);
    }
  });

  it('is linear if a value is not above 0', () => {
    const { at } = axisFor([0, 10], 0, 600);
    expect(at(10) - at(5)).toBeCloseTo(at(5) - at(0), 9);
  });
});

describe('a plot', () => {
  const points = [8, 16, 32].map((x) => ({ x, y: x * x, band: [x * x - 5, x * x + 5] as const }));

  it('has every point and curve within its frame', () => {
    const curves = [{ name: 'law', dash: 'solid' as const, series: 0, points }];
    const { svg } = drawCurvePlot({ ...EMPTY, series: [{ name: 'a', points }], curves });
    const frame = /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="none"/.exec(svg);
    const [left, top, width, height] = (frame ?? []).slice(1).map(Number);
    const marks = placesIn(svg).filter(({ x }) => x <= left + width);
    expect(marks.length).toBeGreaterThan(6);
    for (const { x, y } of marks) {
      expect(x).toBeGreaterThanOrEqual(left);
      expect(y).toBeGreaterThanOrEqual(top);
      expect(y).toBeLessThanOrEqual(top + height);
    }
  });

  it('draws an exact law through the centres of the marks', () => {
    const result = sweep([leLann], { nodes: [4, 8, 16], runs: 3 });
    const svg = drawSweep(result);
    const middles = [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)]
      .slice(0, 3)
      .map(([, x, y]) => `${x} ${y}`);
    expect(svg).toContain(`d="M${middles.join('L')}"`);
  });

  it('distinguishes ten series and three kinds of curves without colour', () => {
    const series = Array.from({ length: 10 }, (_, k) => ({ name: `s${k}`, points: [{ x: k + 1, y: 5 }] }));
    const { svg } = drawCurvePlot({ ...EMPTY, series });
    const marks = [
      ...svg.matchAll(/<(circle|path)[^>]*fill="(#\w+)" stroke="(#\w+)" stroke-width="1.4"\/>/g),
    ];
    const shapes = marks.slice(0, 10).map(([text, name, fill]) => {
      const corners = text.match(/[ML][-\d.]+ [-\d.]+/g) ?? [];
      const [first, second] = corners.map((corner) => Number(corner.split(' ')[1]));
      return [name, corners.length, Math.sign((second ?? 0) - (first ?? 0)), fill === '#ffffff'].join();
    });
    expect(new Set(shapes).size).toBe(10);
    const [exact, mean, bound] = ['solid', 'dashed', 'dotted'].map((dash) => {
      const curves = [{ name: 'law', dash: dash as 'solid', series: 0, points }];
      return /<path d="M[^"]*" fill="none" stroke="#\w+" stroke-width="1.3"( stroke-dasharray="[^"]*")?\/>/.exec(
        drawCurvePlot({ ...EMPTY, series: [{ name: 'a', points }], curves }).svg,
      )?.[1];
    });
    expect(new Set([exact, mean, bound]).size).toBe(3);
  });

  it.each([
    ['nothing', EMPTY],
    ['one point', { ...EMPTY, series: [{ name: 'a', points: [{ x: 8, y: 3 }] }] }],
    ['zeros', { ...EMPTY, series: [{ name: 'a', points: [8, 16].map((x) => ({ x, y: 0 })) }] }],
    [
      'many sizes',
      {
        ...EMPTY,
        series: [{ name: 'a', points: Array.from({ length: 300 }, (_, k) => ({ x: k + 1, y: k + 1 })) }],
      },
    ],
  ])('of %s contains only numbers, and no overlapping texts', (_, plot) => {
    const drawn = drawCurvePlot(plot);
    expect(drawn.svg).not.toMatch(/NaN|Infinity|undefined/);
    expectNoOverlap(drawn);
  });

  it('of every algorithm is complete, and its names are escaped', () => {
    const svg = drawSweep(sweep(registry, { nodes: [8, 16], runs: 2 }));
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
  });

  it('clips a bound that leaves the frame, and labels it there', () => {
    const bound = { name: 'at most n³', dash: 'dotted' as const, series: null };
    const curve = { ...bound, points: [8, 16, 32].map((x) => ({ x, y: x ** 3 })) };
    const drawn = drawCurvePlot({ ...EMPTY, series: [{ name: 'a', points }], curves: [curve] });
    expect(drawn.svg).toMatch(/<path d="M[^"]*" fill="none" clip-path="url\(#frame\)"/);
    expect(drawn.sheet.texts.filter(({ text }) => text === 'at most n³')).toHaveLength(2);
    expectNoOverlap(drawn);
  });

  it('has one curve for a law that is the same for several series', () => {
    const result = sweep([peterson, petersonBidirectional, changRoberts], {
      nodes: [16, 32],
      runs: 30,
      measure: 'announcement',
    });
    expect(drawSweep(result).match(/exact n</g)?.length).toBe(1);
  });
});
