/**
 * The next of a row of 32-bit numbers (xorshift32 of Marsaglia): enough to keep candidates from doing things at the
 * same moment. Never 0, from which it would not come back.
 */
export function nextRandom(lot: number): number {
  let x = lot;
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return x >>> 0;
}
