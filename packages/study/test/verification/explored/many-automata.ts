/** Compares many automata, and counts of which kinds they were. */
import { compare, drawn, type Means } from './comparison.ts';

export interface Sums {
  compared: number;
  /** Automata with more states than the limit. */
  tooLarge: number;
  /** No property is violated. */
  held: number;
  /** Partial-order reduction left something out. */
  reduced: number;
  /** Those among the reduced with crashes, with notices, and with bounded delay. */
  reducedWithCrashes: number;
  reducedWithNotices: number;
  reducedWithDelay: number;
  /** Those that act in about round 65,536. */
  late: number;
}

/** Automata that act late have one state for each round. */
const LATE_LIMIT = 100_000;

/** Compares `count` automata, those of the seeds from `seed` on. `turn` is called now and then. */
export async function compareMany(
  seed: number,
  count: number,
  means: Means,
  turn: (sums: Sums) => Promise<void>,
): Promise<Sums> {
  const sums: Sums = {
    compared: 0,
    tooLarge: 0,
    held: 0,
    reduced: 0,
    reducedWithCrashes: 0,
    reducedWithNotices: 0,
    reducedWithDelay: 0,
    late: 0,
  };
  for (let own = seed; sums.compared < count; own++) {
    const one = drawn(own);
    const { automaton, options } = one;
    const isLate = automaton.beat?.until !== null && (automaton.beat?.until ?? 0) > means.limit;
    try {
      const compared = compare(one, isLate ? { ...means, limit: LATE_LIMIT } : means);
      if (compared === null) {
        sums.tooLarge++;
        continue;
      }
      sums.compared++;
      if (isLate) sums.late++;
      if (compared.plain.violated === null) sums.held++;
      if (!compared.isReduced) continue;
      sums.reduced++;
      if (options.crashes > 0) sums.reducedWithCrashes++;
      if (options.crashes > 0 && automaton.isTold) sums.reducedWithNotices++;
      if (automaton.timing === 'bounded-delay') sums.reducedWithDelay++;
    } catch (error) {
      throw new Error(`the automaton of seed ${own}: ${(error as Error).message}\n${JSON.stringify(one)}`);
    } finally {
      await turn(sums);
    }
  }
  return sums;
}
