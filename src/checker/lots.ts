/** Every sequence of lots that a handler can draw: it is run again for each. */
import type { NodeContext } from '../kernel/node-context.ts';

export function forEveryDraw<T>(context: NodeContext, run: () => T): T[] {
  const results: T[] = [];
  const lots: { drawn: number; of: number }[] = [];
  let next = 0;
  context.draw = (k) => {
    if (next === lots.length) lots.push({ drawn: 1, of: k });
    return lots[next++].drawn;
  };
  for (;;) {
    next = 0;
    results.push(run());
    // The next sequence, as a number is counted up: the last lot first.
    let last = lots.at(-1);
    for (; last !== undefined && last.drawn === last.of; last = lots.at(-1)) lots.pop();
    if (last === undefined) return results;
    last.drawn++;
  }
}
