/**
 * Itai and Rodeh's randomized election on a ring, 1981, written from the source: the mean number of rounds as a
 * fraction, and the cost of a round whose draws are known. It does not use the project's code.
 */
import { at, clockwise } from '../../reference-outcome.ts';

export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

function lowest(over: bigint, under: bigint): Fraction {
  let [a, b] = [over, under];
  while (b !== 0n) [a, b] = [b, a % b];
  return { over: over / a, under: under / a };
}

function plus(a: Fraction, b: Fraction): Fraction {
  return lowest(a.over * b.under + b.over * a.under, a.under * b.under);
}

function times(a: Fraction, b: Fraction): Fraction {
  return lowest(a.over * b.over, a.under * b.under);
}

export function asNumber({ over, under }: Fraction): number {
  const scale = 10n ** 18n;
  return Number((over * scale) / under) / 1e18;
}

function choose(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 1; i <= k; i++) ways = (ways * BigInt(n - k + i)) / BigInt(i);
  return ways;
}

/**
 * The probability that exactly `stay` of `active` nodes, which each draw one of 1..c, draw the largest number drawn.
 */
function chanceToStay(active: number, stay: number, c: number): Fraction {
  let favourable = 0n;
  for (let largest = 1; largest <= c; largest++) {
    favourable += choose(active, stay) * BigInt(largest - 1) ** BigInt(active - stay);
  }
  return lowest(favourable, BigInt(c) ** BigInt(active));
}

/** Means for 1..n active nodes; the last one is that of n. */
export function meanRounds(n: number, c: number): Fraction {
  const means: Fraction[] = [
    { over: 0n, under: 1n },
    { over: 1n, under: 1n },
  ];
  for (let active = 2; active <= n; active++) {
    let sum: Fraction = { over: 1n, under: 1n };
    for (let stay = 2; stay < active; stay++) {
      sum = plus(sum, times(chanceToStay(active, stay, c), at(means, stay)));
    }
    const again = chanceToStay(active, active, c);
    means.push(times(sum, lowest(again.under, again.under - again.over)));
  }
  return at(means, n);
}

/** The standard deviation of the number of rounds, from the second moments of the same Markov chain. */
export function deviationOfRounds(n: number, c: number): number {
  const first = [0, 1];
  const second = [0, 1];
  for (let active = 2; active <= n; active++) {
    const again = asNumber(chanceToStay(active, active, c));
    let mean = 1;
    let rest = 0;
    for (let stay = 2; stay < active; stay++) {
      const share = asNumber(chanceToStay(active, stay, c));
      mean += share * at(first, stay);
      rest += share * (2 * at(first, stay) + at(second, stay));
    }
    mean /= 1 - again;
    first.push(mean);
    second.push((1 + rest + again * 2 * mean) / (1 - again));
  }
  return Math.sqrt(at(second, n) - at(first, n) ** 2);
}

/** The draws of one round, of the active nodes only. */
export type Draws = ReadonlyMap<number, number>;

export interface RoundOutcome {
  /** The number of hops of all tokens of the round. */
  readonly messages: number;
  /** The nodes that drew the largest number. */
  readonly winners: readonly number[];
}

/** FIFO: a token travels until a node that drew a larger number, or the whole ring. */
export function roundOf(n: number, draws: Draws): RoundOutcome {
  const largest = Math.max(...draws.values());
  let messages = 0;
  for (const [from, id] of draws) {
    let hops = n;
    for (const [other, drawn] of draws) if (drawn > id) hops = Math.min(hops, clockwise(n, from, other));
    messages += hops;
  }
  const winners = [...draws].filter(([, id]) => id === largest).map(([position]) => position);
  return { messages, winners: winners.sort((a, b) => a - b) };
}
