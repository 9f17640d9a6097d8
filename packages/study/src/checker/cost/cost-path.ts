/**
 * A most or least expensive run as a list of steps: to a terminal state, or, if the cost is unbounded, to a cycle with a
 * cost and once around it.
 */
import type { Search } from '../search/search.ts';
import type { System } from '../search/system.ts';
import type { CostGraph, Edge } from './cost-graph.ts';

export interface CostPath {
  readonly steps: readonly string[];
  /** The number of steps of the cycle at the end; 0 if the run ends. */
  readonly cycleLength: number;
}

/** An edge with its source. */
interface Move extends Edge {
  readonly from: number;
}

export function runOf(system: System, search: Search, graph: CostGraph): CostPath {
  const { root, unboundedCycle, values } = graph;
  const isUnbounded = unboundedCycle !== null && values[root] === Number.POSITIVE_INFINITY;
  const [before, cycle] = isUnbounded
    ? movesAround(search, graph, unboundedCycle)
    : [movesToEnd(system, graph), []];
  const state = new Uint16Array(system.width);
  const steps = [...before, ...cycle].map(({ from, step }) => {
    search.seen.read(from, state);
    return system.describe(state, step);
  });
  return { steps, cycleLength: cycle.length };
}

/** Among equally expensive steps it prefers one of the node that acted last, which is easier to read. */
function movesToEnd(system: System, graph: CostGraph): Move[] {
  const { root, values } = graph;
  const moves: Move[] = [];
  const visited = new Set<number>();
  let here = root;
  for (;;) {
    const edges = graph.edgesFrom(here);
    const actor = moves.length === 0 ? -1 : system.actor(moves[moves.length - 1].step);
    const tight = edges.filter(({ cost, to }) => cost + values[to] === values[here] && !visited.has(to));
    const isAtEnd = values[here] === 0 && (graph.isTerminal(here, edges) || graph.freeCycles.has(here));
    const edge = tight.find(({ step }) => system.actor(step) === actor) ?? tight[0];
    if (isAtEnd || (edge === undefined && moves.length === 0)) return moves;
    visited.add(here);
    if (edge === undefined) {
      // All tight edges from here lead into visited states: backtrack.
      here = (moves.pop() as Move).from;
    } else {
      moves.push({ ...edge, from: here });
      here = edge.to;
    }
  }
}

function movesAround(search: Search, graph: CostGraph, cycle: ReadonlySet<number>): [Move[], Move[]] {
  const entry = [...cycle].reduce((least, number) => Math.min(least, number));
  const path: number[] = [];
  for (let at = entry; at >= 0; at = search.seen.parentOf(at)) path.push(at);
  path.reverse();
  const before = path.slice(1).map((to, k) => {
    const edge = graph.edgesFrom(path[k]).find((one) => one.to === to) as Edge;
    return { ...edge, from: path[k] };
  });
  const within = (number: number): Edge[] => graph.edgesFrom(number).filter(({ to }) => cycle.has(to));
  const out = shortest(entry, within, ({ cost }) => cost > 0);
  const last = out[out.length - 1];
  const back = last.to === entry ? [] : shortest(last.to, within, ({ to }) => to === entry);
  return [before, [...out, ...back]];
}

/** The shortest path from a state whose last edge is wanted. */
function shortest(
  from: number,
  edgesOf: (number: number) => readonly Edge[],
  isWanted: (edge: Edge) => boolean,
): Move[] {
  const cameBy = new Map<number, Move | null>([[from, null]]);
  for (const number of cameBy.keys()) {
    for (const edge of edgesOf(number)) {
      const move = { ...edge, from: number };
      if (isWanted(edge)) return [...movesTo(number, cameBy), move];
      if (!cameBy.has(edge.to)) cameBy.set(edge.to, move);
    }
  }
  return [];
}

function movesTo(number: number, cameBy: ReadonlyMap<number, Move | null>): Move[] {
  const moves: Move[] = [];
  for (let move = cameBy.get(number) ?? null; move !== null; move = cameBy.get(move.from) ?? null)
    moves.push(move);
  return moves.reverse();
}
