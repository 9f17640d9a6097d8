/** A state graph in layers by depth, and the path of a run in it. */
import type { Point } from '@hustings/study/drawing';
import type { CheckReply } from './check-request.ts';

type Graph = NonNullable<CheckReply['graph']>;

/** The places of states in a box: columns by depth, rows near the states before. */
export function layoutStates(
  { edges, states }: Graph,
  { width, height }: { readonly width: number; readonly height: number },
): Point[] {
  const columns: number[][] = [];
  states.forEach(({ depth }, at) => {
    columns[depth] ??= [];
    columns[depth].push(at);
  });
  const before = states.map((): number[] => []);
  for (const { from, to } of edges) if (states[from].depth < states[to].depth) before[to].push(from);
  const rows = new Float64Array(states.length);
  for (const column of columns) {
    const wish = (at: number): number =>
      before[at].length === 0
        ? 0.5
        : before[at].reduce((sum, from) => sum + rows[from], 0) / before[at].length;
    const wishes = new Map(column.map((at) => [at, wish(at)]));
    column.sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0) || a - b);
    column.forEach((at, k) => {
      rows[at] = (k + 0.5) / column.length;
    });
  }
  const margin = 14;
  const step = columns.length < 2 ? 0 : (width - 2 * margin) / (columns.length - 1);
  return states.map(({ depth }, at) => ({
    x: margin + depth * step,
    y: margin + rows[at] * (height - 2 * margin),
  }));
}

/**
 * The states that a run goes through, from the initial one. Steps without details may mean several edges: a path to a state
 * with a violation is preferred. Null if the run is not in the graph.
 */
export function pathInGraph({ edges, states }: Graph, steps: readonly string[]): number[] | null {
  const leaving = new Map<number, { readonly to: number; readonly step: string }[]>();
  for (const { from, step, to } of edges) leaving.set(from, [...(leaving.get(from) ?? []), { step, to }]);
  let ends = new Map<number, readonly number[]>([[0, [0]]]);
  for (const text of steps) {
    const next = new Map<number, readonly number[]>();
    for (const [at, path] of ends) {
      for (const { step, to } of leaving.get(at) ?? []) {
        const isMeant = step === text || step.startsWith(`${text} (`);
        if (isMeant && !next.has(to)) next.set(to, [...path, to]);
      }
    }
    ends = next;
  }
  const paths = [...ends.values()];
  const broken = paths.find((path) => states[path[path.length - 1]].violation !== null);
  const found = broken ?? paths[0];
  return found === undefined ? null : [...found];
}
