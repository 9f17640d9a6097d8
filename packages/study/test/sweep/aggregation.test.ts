import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfWidthOf, studentQuantile } from '../../src/sweep/confidence.ts';
import { addFigure, type Moments, mergeMoments, noMoments, varianceOf } from '../../src/sweep/moments.ts';
import {
  countFigure,
  mergeSketches,
  type QuantileSketch,
  quantilesOf,
} from '../../src/sweep/quantile-sketch.ts';

function momentsOf(figures: readonly number[]): Moments {
  const moments = noMoments();
  for (const figure of figures) addFigure(moments, figure);
  return moments;
}

function sketchOf(figures: readonly number[]): QuantileSketch {
  const sketch: QuantileSketch = new Map();
  for (const figure of figures) countFigure(sketch, figure);
  return sketch;
}

const plainMean = (figures: readonly number[]) =>
  figures.reduce((sum, each) => sum + each, 0) / figures.length;
const plainVariance = (figures: readonly number[]) =>
  figures.reduce((sum, each) => sum + (each - plainMean(figures)) ** 2, 0) / (figures.length - 1);

const figures = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 2, maxLength: 200 });

describe('streaming mean and variance', () => {
  it('equal those of the plain formulas', () => {
    fc.assert(
      fc.property(figures, (all) => {
        const moments = momentsOf(all);
        expect(moments.mean).toBeCloseTo(plainMean(all), 4);
        const variance = plainVariance(all);
        expect(Math.abs((varianceOf(moments) ?? Number.NaN) - variance)).toBeLessThanOrEqual(
          1e-9 * variance + 1e-6,
        );
        expect([moments.least, moments.most]).toEqual([Math.min(...all), Math.max(...all)]);
      }),
    );
  });

  it('of merged parts equal those of the whole, wherever it is divided', () => {
    fc.assert(
      fc.property(figures, fc.nat(), fc.nat(), (all, one, other) => {
        const [from, to] = [one % all.length, other % all.length].sort((a, b) => a - b);
        const merged = noMoments();
        for (const part of [all.slice(0, from), all.slice(from, to), all.slice(to)]) {
          mergeMoments(merged, momentsOf(part));
        }
        const whole = momentsOf(all);
        expect(merged).toMatchObject({ count: whole.count, least: whole.least, most: whole.most });
        expect(merged.mean).toBeCloseTo(whole.mean, 4);
        expect(Math.abs(merged.squares - whole.squares)).toBeLessThanOrEqual(1e-9 * whole.squares + 1e-6);
      }),
    );
  });

  it('stay accurate for large values that are close together', () => {
    const moments = momentsOf([1e15, 1e15 + 2, 1e15 + 4]);
    expect([moments.mean, varianceOf(moments)]).toEqual([1e15 + 2, 4]);
  });

  it('of one value have no variance and no interval', () => {
    expect([varianceOf(momentsOf([5])), halfWidthOf(momentsOf([5]))]).toEqual([null, null]);
  });
});

describe('the confidence interval', () => {
  // Two-sided, 95 %: the printed tables of Student's t-distribution.
  it.each([
    [1, 12.706],
    [2, 4.303],
    [4, 2.776],
    [5, 2.571],
    [9, 2.262],
    [30, 2.042],
    [199, 1.972],
    [1e9, 1.96],
  ])('uses the quantile of the tables for %s degrees of freedom', (degrees, quantile) => {
    expect(Math.abs(studentQuantile(degrees) - quantile)).toBeLessThan(0.0015);
  });

  it('equals that of the textbook', () => {
    // 10 values with mean 5 and standard deviation 2.
    const moments: Moments = { count: 10, mean: 5, squares: 36, least: 0, most: 9 };
    expect(halfWidthOf(moments)).toBeCloseTo((2.262 * 2) / Math.sqrt(10), 2);
  });
});

describe('streaming quantiles', () => {
  it('are within 1 % of the value of that rank', () => {
    fc.assert(
      fc.property(figures, (all) => {
        const sorted = [...all].sort((a, b) => a - b);
        const shares = [0, 0.05, 0.5, 0.95, 1];
        quantilesOf(sketchOf(all), shares).forEach((quantile, index) => {
          const rank = Math.floor(shares[index] * (all.length - 1));
          expect(Math.abs(quantile - sorted[rank])).toBeLessThanOrEqual(0.0100001 * sorted[rank]);
        });
      }),
    );
  });

  it('are the same for merged parts, in any order', () => {
    fc.assert(
      fc.property(figures, figures, (one, other) => {
        const merged = sketchOf(other);
        mergeSketches(merged, sketchOf(one));
        const shares = [0.05, 0.5, 0.95];
        expect(quantilesOf(merged, shares)).toEqual(quantilesOf(sketchOf([...one, ...other]), shares));
      }),
    );
  });

  it('use constant memory', () => {
    const sketch: QuantileSketch = new Map();
    for (let k = 0; k < 100_000; k++) countFigure(sketch, 1.0004 ** k % 1e15);
    expect(sketch.size).toBeLessThan(2000);
  });
});
