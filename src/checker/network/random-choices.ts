/** Every sequence of lots that a handler can draw: it is run again for each. */
import type { NodeContext } from '../../kernel/machine/node-context.ts';

export function forEveryDraw<T>(context: NodeContext, run: () => T): T[] {
  return forEveryLot(context, run).map(({ result }) => result);
}

export interface Drawn<T> {
  readonly result: T;
  /** How many lots were drawn, and that it is one of so many ways that are equally likely. */
  readonly lots: number;
  readonly among: bigint;
}

/** With the chance of each. */
export function forEveryLot<T>(context: NodeContext, run: () => T): Drawn<T>[] {
  const results: Drawn<T>[] = [];
  const lots: { drawn: number; of: number }[] = [];
  let next = 0;
  context.draw = (k) => {
    if (next === lots.length) lots.push({ drawn: 1, of: k });
    return lots[next++].drawn;
  };
  for (;;) {
    next = 0;
    const result = run();
    const among = lots.reduce((product, { of }) => product * BigInt(of), 1n);
    results.push({ result, lots: lots.length, among });
    // The next sequence, as a number is counted up: the last lot first.
    let last = lots.at(-1);
    for (; last !== undefined && last.drawn === last.of; last = lots.at(-1)) lots.pop();
    if (last === undefined) return results;
    last.drawn++;
  }
}
