/** Exact fractions in lowest terms, with a positive denominator. */

export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };
export const ONE: Fraction = { numerator: 1n, denominator: 1n };

export function fraction(numerator: bigint | number, denominator: bigint | number = 1n): Fraction {
  const [a, b] = [BigInt(numerator), BigInt(denominator)];
  if (b === 0n) throw new RangeError('the denominator must not be 0');
  const shared = greatestCommonDivisor(a < 0n ? -a : a, b < 0n ? -b : b);
  const sign = b < 0n ? -1n : 1n;
  return { numerator: (sign * a) / shared, denominator: (sign * b) / shared };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  if (a.numerator === 0n) return b;
  if (b.numerator === 0n) return a;
  return a.denominator === b.denominator
    ? fraction(a.numerator + b.numerator, a.denominator)
    : fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { numerator: -b.numerator, denominator: b.denominator });
}

export function times(a: Fraction, b: Fraction): Fraction {
  if (a.numerator === 0n || b.numerator === 0n) return ZERO;
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function quotient(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function isZero({ numerator }: Fraction): boolean {
  return numerator === 0n;
}

/** '27/16', '2'. */
export function formatFraction({ numerator, denominator }: Fraction): string {
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;
}

/** The nearest number, to about sixteen digits. */
export function toNumber({ numerator, denominator }: Fraction): number {
  const isBelow = numerator < 0n;
  const size = isBelow ? -numerator : numerator;
  // Scales so that the integer quotient has more bits than a double.
  const shift = BigInt(Math.max(0, 64 - (bits(size) - bits(denominator))));
  const scaled = Number((size << shift) / denominator);
  const value = scaled / 2 ** Number(shift);
  return isBelow ? -value : value;
}

function bits(value: bigint): number {
  return value.toString(2).length;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger === 0n ? 1n : larger;
}
