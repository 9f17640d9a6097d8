/**
 * How many rounds an election by lot takes on average: of `active` nodes each draws one of 1..c, those with the largest
 * stay, until one is left. Exact to about twelve digits; the tests have the exact fractions.
 */

/** Chances that are smaller change nothing that a number can show. */
const NEGLIGIBLE = 1e-17;
/** Beyond, the sum would take longer than the election. */
const MOST = 4096;

/** Many runs of one size ask for the same figure, one after the other. */
let last = { active: 1, c: 1, mean: 1 };

/** Undefined where it would take too long to find. */
export function expectedRounds(active: number, c: number): number | undefined {
  if (active > MOST || c > MOST) return undefined;
  if (active !== last.active || c !== last.c) last = { active, c, mean: meanRounds(active, c) };
  return last.mean;
}

function meanRounds(active: number, c: number): number {
  const logFactorial = [0];
  for (let k = 1; k <= active; k++) logFactorial.push(logFactorial[k - 1] + Math.log(k));
  const known = new Map<number, number>([[1, 1]]);
  /** That exactly `stay` of `among` draw the largest number, whichever that is. */
  const chance = (among: number, stay: number): number => {
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
      const share = chance(among, stay);
      if (share > NEGLIGIBLE) sum += share * rounds(stay);
    }
    const mean = sum / (1 - chance(among, among));
    known.set(among, mean);
    return mean;
  };
  return rounds(active);
}
