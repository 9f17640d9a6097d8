/** Fractions, exact and in lowest terms; the denominator is above 0. */

export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export const ZERO: Fraction = { over: 0n, under: 1n };
export const ONE: Fraction = { over: 1n, under: 1n };

export function fraction(over: bigint | number, under: bigint | number = 1n): Fraction {
  const [a, b] = [BigInt(over), BigInt(under)];
  if (b === 0n) throw new RangeError('a fraction over 0');
  const shared = divisor(a < 0n ? -a : a, b < 0n ? -b : b);
  const sign = b < 0n ? -1n : 1n;
  return { over: (sign * a) / shared, under: (sign * b) / shared };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  if (a.over === 0n) return b;
  if (b.over === 0n) return a;
  return a.under === b.under
    ? fraction(a.over + b.over, a.under)
    : fraction(a.over * b.under + b.over * a.under, a.under * b.under);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { over: -b.over, under: b.under });
}

export function times(a: Fraction, b: Fraction): Fraction {
  if (a.over === 0n || b.over === 0n) return ZERO;
  return fraction(a.over * b.over, a.under * b.under);
}

export function quotient(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under, a.under * b.over);
}

export function isZero({ over }: Fraction): boolean {
  return over === 0n;
}

/** '27/16', '2'. */
export function formatFraction({ over, under }: Fraction): string {
  return under === 1n ? `${over}` : `${over}/${under}`;
}

/** The nearest number, to about sixteen digits. */
export function toNumber({ over, under }: Fraction): number {
  const isBelow = over < 0n;
  const size = isBelow ? -over : over;
  // As many binary digits before the division as a number has, and some more.
  const shift = BigInt(Math.max(0, 64 - (bits(size) - bits(under))));
  const scaled = Number((size << shift) / under);
  const value = scaled / 2 ** Number(shift);
  return isBelow ? -value : value;
}

function bits(value: bigint): number {
  return value.toString(2).length;
}

function divisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger === 0n ? 1n : larger;
}
