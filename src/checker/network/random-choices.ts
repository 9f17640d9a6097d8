/** Every sequence of lots that a handler can draw: it is run again for each. */
import type { NodeContext } from '../../kernel/machine/node-context.ts';

export function forEachResult<T>(context: NodeContext, run: () => T): T[] {
  return forEachOutcome(context, run).map(({ result }) => result);
}

export interface RandomOutcome<T> {
  readonly result: T;
  /** How many lots were drawn, and that it is one of so many ways that are equally likely. */
  readonly draws: number;
  readonly among: bigint;
}

/** With the chance of each. */
export function forEachOutcome<T>(context: NodeContext, run: () => T): RandomOutcome<T>[] {
  const results: RandomOutcome<T>[] = [];
  const draws: { drawn: number; of: number }[] = [];
  let next = 0;
  context.draw = (k) => {
    if (next === draws.length) draws.push({ drawn: 1, of: k });
    return draws[next++].drawn;
  };
  for (;;) {
    next = 0;
    const result = run();
    const among = draws.reduce((product, { of }) => product * BigInt(of), 1n);
    results.push({ result, draws: draws.length, among });
    // The next sequence, as a number is counted up: the last lot first.
    let last = draws.at(-1);
    for (; last !== undefined && last.drawn === last.of; last = draws.at(-1)) draws.pop();
    if (last === undefined) return results;
    last.drawn++;
  }
}
