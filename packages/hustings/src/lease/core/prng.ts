/**
 * The next state of a pseudo-random number generator (xorshift32 of Marsaglia). It only spreads the actions of candidates
 * in time. The state is never 0, which is the fixed point.
 */
export function nextRandom(state: number): number {
  let x = state;
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return x >>> 0;
}
