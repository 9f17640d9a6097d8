/**
 * The strongly connected components of a graph in reverse topological order: a component is visited after all components
 * that can be reached from it.
 */

/** Calls `visit` for each component. Calls `successors` once for each node from 0 to count − 1. */
export function forEachComponent(
  count: number,
  successors: (number: number) => readonly number[],
  visit: (component: readonly number[]) => void,
): void {
  for (const component of components(count, successors)) if (component !== null) visit(component);
}

/** The caller may do something else after this number of nodes. */
const NODES_IN_SLICE = 1 << 8;

/** The components, and null after each slice of the computation. Tarjan's algorithm without recursion. */
export function* components(
  count: number,
  successors: (number: number) => readonly number[],
): Generator<readonly number[] | null> {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  let reached = 0;
  let paused = 0;
  for (let root = 0; root < count; root++) {
    if (index[root] >= 0) continue;
    const calls: { number: number; to: readonly number[]; next: number }[] = [];
    const enter = (number: number): void => {
      index[number] = low[number] = reached++;
      onStack[number] = 1;
      stack.push(number);
      calls.push({ number, to: successors(number), next: 0 });
    };
    enter(root);
    while (calls.length > 0) {
      if (reached >= paused + NODES_IN_SLICE) {
        paused = reached;
        yield null;
      }
      const call = calls[calls.length - 1];
      if (call.next < call.to.length) {
        const to = call.to[call.next++];
        if (index[to] < 0) enter(to);
        else if (onStack[to] === 1) low[call.number] = Math.min(low[call.number], index[to]);
        continue;
      }
      calls.pop();
      const caller = calls.at(-1);
      if (caller !== undefined) low[caller.number] = Math.min(low[caller.number], low[call.number]);
      if (low[call.number] !== index[call.number]) continue;
      const component: number[] = [];
      for (let number = -1; number !== call.number; ) {
        number = stack.pop() as number;
        onStack[number] = 0;
        component.push(number);
      }
      yield component;
    }
  }
}
