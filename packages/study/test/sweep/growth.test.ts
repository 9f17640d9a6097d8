import { describe, expect, it } from 'vitest';
import { changRoberts } from '../../src/algorithms/index.ts';
import { harmonic, Random } from '../../src/kernel/index.ts';
import { fitGrowth, parseGrowth, sweep } from '../../src/sweep/index.ts';

describe('a growth', () => {
  it.each([
    ['n log n', 'n·log2 n', 24],
    ['n*log2 n', 'n·log2 n', 24],
    ['n·ln n', 'n·ln n', 8 * Math.log(8)],
    ['n^1.5', 'n^1.5', 8 ** 1.5],
    ['n H_n', 'n·H_n', 8 * harmonic(8)],
    ['n sqrt n', 'n·√n', 8 * Math.sqrt(8)],
    ['1', '1', 1],
  ])("'%s' is %s", (text, formula, value) => {
    const growth = parseGrowth(text);
    expect(growth.formula).toBe(formula);
    expect(growth.value(8)).toBeCloseTo(value, 10);
    expect(parseGrowth(growth.formula).formula).toBe(formula);
  });

  it.each(['', 'x', 'n log', 'exp n'])("'%s' is refused", (text) => {
    expect(() => parseGrowth(text)).toThrow(/a growth must be one of 1, n, n\^2/);
  });
});

describe('the fit of a constant', () => {
  const sizes = [16, 32, 64, 128, 256];
  const growth = parseGrowth('n log n');

  it('is exact for exact figures', () => {
    const points = sizes.map((n) => ({ n, mean: 3 * n * Math.log2(n), variance: 0 }));
    const fit = fitGrowth(growth, points);
    expect(fit?.constant).toBeCloseTo(3, 12);
    expect(fit?.deviation).toBeCloseTo(0, 12);
    expect((fit?.interval?.[1] ?? 1) - (fit?.interval?.[0] ?? 0)).toBeCloseTo(0, 12);
  });

  it('has an interval that holds the constant in 95 of 100 sweeps', () => {
    const random = new Random(7, 'fits');
    const uniform = (): number => random.below(1_000_001) / 1_000_000 - 0.5;
    // The sum of twelve uniform numbers is close to normal with variance 1.
    const normal = (): number => Array.from({ length: 12 }, uniform).reduce((sum, each) => sum + each, 0);
    let held = 0;
    for (let k = 0; k < 1000; k++) {
      const points = sizes.map((n) => {
        const scale = 0.02 * n * Math.log2(n);
        return { n, mean: 3 * n * Math.log2(n) + scale * normal(), variance: scale ** 2 };
      });
      const [low, high] = fitGrowth(growth, points)?.interval ?? [0, 0];
      if (low <= 3 && 3 <= high) held++;
    }
    expect(held).toBeGreaterThan(930);
    expect(held).toBeLessThan(990);
  });

  it('is wider where the growth does not fit, and says how far the sizes are from it', () => {
    const points = sizes.map((n) => ({ n, mean: n * n, variance: 1 }));
    const fit = fitGrowth(growth, points);
    expect(fit?.deviation).toBeGreaterThan(0.5);
    const [low, high] = fit?.interval ?? [0, 0];
    expect((high - low) / (fit?.constant ?? 1)).toBeGreaterThan(0.5);
  });

  it('of Chang–Roberts holds 1 for n·H_n, as published', () => {
    const { series } = sweep([changRoberts], {
      nodes: [16, 32, 64],
      runs: 300,
      measure: 'election',
      fit: ['n H_n'],
    });
    const [fit] = series[0].fits ?? [];
    expect(fit.interval?.[0]).toBeLessThan(1);
    expect(fit.interval?.[1]).toBeGreaterThan(1);
    expect(fit.deviation).toBeLessThan(0.05);
  });

  it('needs two sizes, or runs that differ, for its interval', () => {
    expect(fitGrowth(growth, [{ n: 16, mean: 64, variance: 0 }])?.interval).toBe(null);
    expect(fitGrowth(growth, [{ n: 1, mean: 1, variance: 0 }])).toBe(null);
  });
});
