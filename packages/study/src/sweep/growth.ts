/**
 * The constant c of a growth c·f(n), estimated from the means of a sweep, with a 95 % confidence interval.
 *
 * Each size gives an estimate c_i = mean/f(n). They are averaged with weights by their precision. If they differ by more than
 * chance explains, as they do where lower-order terms matter, the variance between sizes is estimated too (DerSimonian and
 * Laird, 1986), and the interval is wider.
 *
 * Does not say that the growth is right: `deviation` shows how far the sizes are from it.
 */

import { InputError } from '../kernel/errors.ts';
import { harmonic } from '../kernel/law.ts';
import { studentQuantile } from './confidence.ts';

/** A function of n: a product of factors. */
export interface Growth {
  readonly formula: string;
  /** The value of the formula at this size. */
  value(n: number): number;
}

/** A fitted constant. */
export interface GrowthFit {
  readonly formula: string;
  readonly constant: number;
  /** The 95 % confidence interval; null if nothing shows how certain the constant is. */
  readonly interval: readonly [low: number, high: number] | null;
  /** The largest relative distance of a size from the fit. */
  readonly deviation: number;
}

/** What the fit needs of a size: its mean, and the variance of that mean. */
export interface FittedPoint {
  readonly n: number;
  readonly mean: number;
  readonly variance: number;
}

const FACTORS: readonly (readonly [
  pattern: RegExp,
  formula: (match: string) => string,
  of: (match: string) => (n: number) => number,
])[] = [
  [/^log2? n/, () => 'log2 n', () => Math.log2],
  [/^ln n/, () => 'ln n', () => Math.log],
  [/^(sqrt n|√n)/, () => '√n', () => Math.sqrt],
  [/^H_n/, () => 'H_n', () => harmonic],
  [/^n\^\d+(\.\d+)?/, (match) => match, (match) => (n) => n ** Number(match.slice(2))],
  [/^n/, () => 'n', () => (n) => n],
  [/^1/, () => '1', () => () => 1],
];

/** The forms that `parseGrowth` reads. */
export const GROWTH_FORMS = '1, n, n^2, sqrt n, log n (base 2), ln n, H_n, and products such as n log n';

/** Reads a growth such as 'n log n'. */
export function parseGrowth(text: string): Growth {
  const factors: { readonly formula: string; readonly of: (n: number) => number }[] = [];
  let rest = text.replace(/[\s*·]+/g, ' ').trim();
  while (rest !== '') {
    const found = FACTORS.map(([pattern, formula, of]) => ({
      match: pattern.exec(rest)?.[0],
      formula,
      of,
    })).find(({ match }) => match !== undefined);
    if (found?.match === undefined)
      throw new InputError(`a growth must be one of ${GROWTH_FORMS}, not '${text}'`);
    const { match, formula, of } = found;
    factors.push({ formula: formula(match), of: of(match) });
    rest = rest.slice(match.length).trimStart();
  }
  if (factors.length === 0) throw new InputError(`a growth must be one of ${GROWTH_FORMS}, not '${text}'`);
  return {
    formula: factors.map(({ formula }) => formula).join('·'),
    value: (n) => factors.reduce((product, { of }) => product * of(n), 1),
  };
}

/** The constant of a growth; null if no size determines it. */
export function fitGrowth({ formula, value }: Growth, points: readonly FittedPoint[]): GrowthFit | null {
  const estimates = points
    .map(({ n, mean, variance }) => ({ c: mean / value(n), variance: variance / value(n) ** 2 }))
    .filter(({ c }) => Number.isFinite(c));
  if (estimates.length === 0) return null;
  const { constant, half } = combine(estimates);
  const deviation = Math.max(...estimates.map(({ c }) => Math.abs(c / constant - 1)));
  return {
    formula,
    constant,
    interval: half === null ? null : [constant - half, constant + half],
    deviation,
  };
}

interface Estimate {
  readonly c: number;
  readonly variance: number;
}

function combine(estimates: readonly Estimate[]): {
  readonly constant: number;
  readonly half: number | null;
} {
  const degrees = estimates.length - 1;
  // A size without any spread would outweigh all others: then only the sizes themselves show the spread.
  if (estimates.some(({ variance }) => variance === 0)) {
    const constant = estimates.reduce((sum, { c }) => sum + c, 0) / estimates.length;
    if (degrees === 0) return { constant, half: null };
    const squares = estimates.reduce((sum, { c }) => sum + (c - constant) ** 2, 0);
    return { constant, half: studentQuantile(degrees) * Math.sqrt(squares / degrees / estimates.length) };
  }
  const fixed = weighted(estimates, 0);
  const excess =
    estimates.reduce((sum, { c, variance }) => sum + (c - fixed.constant) ** 2 / variance, 0) - degrees;
  if (excess <= 0) return { constant: fixed.constant, half: Z / Math.sqrt(fixed.weight) };
  const squares = estimates.reduce((sum, { variance }) => sum + variance ** -2, 0);
  const between = excess / (fixed.weight - squares / fixed.weight);
  const random = weighted(estimates, between);
  return { constant: random.constant, half: studentQuantile(degrees) / Math.sqrt(random.weight) };
}

/** The quantile for many degrees of freedom. */
const Z = studentQuantile(1e9);

function weighted(estimates: readonly Estimate[], between: number): { constant: number; weight: number } {
  let [weight, sum] = [0, 0];
  for (const { c, variance } of estimates) {
    weight += 1 / (variance + between);
    sum += c / (variance + between);
  }
  return { constant: sum / weight, weight };
}
