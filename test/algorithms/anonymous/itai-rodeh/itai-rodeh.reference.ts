/**
 * Itai and Rodeh's election by lot on a ring, 1981, written from the source: how many rounds it takes on average, as a
 * fraction, and what a round costs whose draws are known. Knows nothing of the project's own code.
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

/** The chance that of `active` nodes, which each draw one of 1..c, exactly `stay` draw the largest. */
function chanceToStay(active: number, stay: number, c: number): Fraction {
  let favourable = 0n;
  for (let largest = 1; largest <= c; largest++) {
    favourable += choose(active, stay) * BigInt(largest - 1) ** BigInt(active - stay);
  }
  return lowest(favourable, BigInt(c) ** BigInt(active));
}

/** Means for 1..n active nodes; the last is that of n. */
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

/** The spread of the number of rounds: its standard deviation, by the second moments of the same chain. */
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

/** Who drew what in one round; only those that were active. */
export type Draws = ReadonlyMap<number, number>;

export interface RoundOutcome {
  /** Hops of all tokens of the round. */
  readonly messages: number;
  /** Those that drew the largest. */
  readonly winners: readonly number[];
}

/** Messages in order: a token goes on until a node that drew more, or home. */
export function roundOf(n: number, draws: Draws): RoundOutcome {
  const largest = Math.max(...draws.values());
  let messages = 0;
  for (const [from, id] of draws) {
    let hops = n;
    for (const [other, rival] of draws) if (rival > id) hops = Math.min(hops, clockwise(n, from, other));
    messages += hops;
  }
  const winners = [...draws].filter(([, id]) => id === largest).map(([position]) => position);
  return { messages, winners: winners.sort((a, b) => a - b) };
}
