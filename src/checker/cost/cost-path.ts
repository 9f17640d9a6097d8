/**
 * A dearest or cheapest run of a priced graph, told step by step: to its end; or, where there is no most, to a step that
 * costs and from there round to it again.
 */

import type { Search } from '../search/search.ts';
import type { System } from '../search/system.ts';
import type { CostGraph, Edge } from './cost-graph.ts';

export interface CostPath {
  readonly steps: readonly string[];
  /** So many of the last steps lead back to where they began; 0 where the run ends. */
  readonly round: number;
}

/** A state and the step that is taken in it. */
interface Move extends Edge {
  readonly from: number;
}

export function runOf(system: System, search: Search, graph: CostGraph): CostPath {
  const { circle, root, values } = graph;
  const isEndless = circle !== null && values[root] === Number.POSITIVE_INFINITY;
  const [before, round] = isEndless ? movesRound(search, graph, circle) : [movesToEnd(system, graph), []];
  const state = new Uint16Array(system.width);
  const steps = [...before, ...round].map(({ from, step }) => {
    search.seen.read(from, state);
    return system.describe(state, step);
  });
  return { steps, round: round.length };
}

/** Goes on with the node that acted last where that makes no difference: a reader follows one node at a time. */
function movesToEnd(system: System, graph: CostGraph): Move[] {
  const { root, values } = graph;
  const moves: Move[] = [];
  const left = new Set<number>();
  let here = root;
  for (;;) {
    const edges = graph.edgesFrom(here);
    const actor = moves.length === 0 ? -1 : system.actor(moves[moves.length - 1].step);
    const tight = edges.filter(({ cost, to }) => cost + values[to] === values[here] && !left.has(to));
    const isOver = values[here] === 0 && (graph.isEnd(here, edges) || graph.idle.has(here));
    const edge = tight.find(({ step }) => system.actor(step) === actor) ?? tight[0];
    if (isOver || (edge === undefined && moves.length === 0)) return moves;
    left.add(here);
    if (edge === undefined) {
      // All that goes on from here goes round for nothing: back, and another way.
      here = (moves.pop() as Move).from;
    } else {
      moves.push({ ...edge, from: here });
      here = edge.to;
    }
  }
}

function movesRound(search: Search, graph: CostGraph, circle: ReadonlySet<number>): [Move[], Move[]] {
  const entry = [...circle].reduce((least, number) => Math.min(least, number));
  const path: number[] = [];
  for (let at = entry; at >= 0; at = search.seen.parentOf(at)) path.push(at);
  path.reverse();
  const before = path.slice(1).map((to, k) => {
    const edge = graph.edgesFrom(path[k]).find((one) => one.to === to) as Edge;
    return { ...edge, from: path[k] };
  });
  const within = (number: number): Edge[] => graph.edgesFrom(number).filter(({ to }) => circle.has(to));
  const out = shortest(entry, within, ({ cost }) => cost > 0);
  const costly = out[out.length - 1];
  const back = costly.to === entry ? [] : shortest(costly.to, within, ({ to }) => to === entry);
  return [before, [...out, ...back]];
}

/** The fewest moves from a state up to one that is wanted. */
function shortest(
  from: number,
  waysOf: (number: number) => readonly Edge[],
  isWanted: (edge: Edge) => boolean,
): Move[] {
  const cameBy = new Map<number, Move | null>([[from, null]]);
  for (const number of cameBy.keys()) {
    for (const edge of waysOf(number)) {
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
