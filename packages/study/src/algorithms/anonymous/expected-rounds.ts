/**
 * The mean number of rounds of a randomized election: each of `active` nodes draws one of 1..c, and those that drew
 * the largest stay active until one is left. Accurate to about twelve digits; the tests compute exact
 * fractions.
 */

/** Smaller probabilities do not change the sum of doubles. */
const NEGLIGIBLE = 1e-17;
/** For larger numbers the sum would take longer than the election. */
const MOST = 4096;

/** Consecutive runs usually have the same size and need the same mean. */
let last = { active: 1, c: 1, mean: 1 };

/** Undefined if the computation would take too long. */
export function expectedRounds(active: number, c: number): number | undefined {
  if (active > MOST || c > MOST) return undefined;
  if (active !== last.active || c !== last.c) last = { active, c, mean: meanRounds(active, c) };
  return last.mean;
}

function meanRounds(active: number, c: number): number {
  const logFactorial = [0];
  for (let k = 1; k <= active; k++) logFactorial.push(logFactorial[k - 1] + Math.log(k));
  const known = new Map<number, number>([[1, 1]]);
  /** The probability that exactly `stay` of `among` nodes draw the largest number drawn. */
  const probability = (among: number, stay: number): number => {
    const below = among - stay;
    if (below === 0) return c ** (1 - among);
    const ways = logFactorial[among] - logFactorial[stay] - logFactorial[below] - among * Math.log(c);
    let sum = 0;
    for (let largest = c; largest > 1; largest--) {
      const term = Math.exp(ways + below * Math.log(largest - 1));
      if (term < NEGLIGIBLE) break;
      sum += term;
    }
    return sum;
  };
  const rounds = (among: number): number => {
    const before = known.get(among);
    if (before !== undefined) return before;
    let sum = 1;
    for (let stay = 2; stay < among; stay++) {
      const share = probability(among, stay);
      if (share > NEGLIGIBLE) sum += share * rounds(stay);
    }
    const mean = sum / (1 - probability(among, among));
    known.set(among, mean);
    return mean;
  };
  return rounds(active);
}
