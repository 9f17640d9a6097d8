/**
 * The most and the least expensive runs in a state graph whose edges have costs of 0 or more. A run is a path from an
 * initial state to a terminal state.
 *
 * The value of a state is the cost of the most, or the least, expensive path from it to a terminal state. Strongly connected
 * components are processed in reverse topological order, so the value of a state on no cycle follows from its successors.
 * If a component has an edge with a cost inside it, a run can repeat that edge without end, and the value of its states is
 * infinite. Otherwise all its states have the value of the best edge out of it. A state beyond a bound is not terminal:
 * runs that reach it do not count. For the least expensive run no edge is repeated, and values are relaxed until nothing
 * changes (Bellman–Ford).
 */
import { components } from '../search/components.ts';
import { ExploredEdges } from '../search/expansion.ts';
import type { Search } from '../search/search.ts';
import type { Slices } from '../search/slices.ts';
import type { System } from '../search/system.ts';

export interface Edge {
  readonly step: number;
  readonly to: number;
  readonly cost: number;
}

/** The worst case or the best case: the most or the least expensive run. */
export type Extreme = 'worst' | 'best';

export type CostOf = (state: Uint16Array, step: number) => number;

export class CostGraph {
  /** By state. Infinity: unbounded, or no terminal state is reachable; −Infinity: all runs exceed a bound. */
  readonly values: Float64Array;
  /** The graph has a cycle, with or without a cost. */
  hasCycle = false;
  /** The first component, in the order of the search, that has an edge with a cost on a cycle. */
  unboundedCycle: ReadonlySet<number> | null = null;
  /** States of cycles without a cost and without a way to a terminal state. */
  readonly freeCycles = new Set<number>();
  private cycleFirst = Number.POSITIVE_INFINITY;

  private readonly explored: ExploredEdges;
  private readonly state: Uint16Array;
  private readonly next: Uint16Array;

  /** `search` must be complete. */
  static *of(system: System, search: Search, extreme: Extreme, costOf: CostOf): Slices<CostGraph> {
    const graph = new CostGraph(system, search, extreme, costOf);
    yield* graph.settle();
    return graph;
  }

  private constructor(
    private readonly system: System,
    private readonly search: Search,
    private readonly extreme: Extreme,
    private readonly costOf: CostOf,
  ) {
    this.explored = new ExploredEdges(system, search);
    this.state = new Uint16Array(system.width);
    this.next = new Uint16Array(system.width);
    this.values = new Float64Array(search.seen.count);
  }

  /** The initial state of the most, or the least, expensive run. */
  get root(): number {
    const { seen } = this.search;
    const roots = Array.from(this.system.initials(), ({ state }) => seen.find(state));
    return roots.reduce((chosen, one) =>
      this.isBetter(this.values[one], this.values[chosen]) ? one : chosen,
    );
  }

  /** The edges out of a state; none if it exceeds a bound. */
  edgesFrom(number: number): Edge[] {
    const { next, search, state, system } = this;
    const edges: Edge[] = [];
    search.seen.read(number, state);
    if (system.exceedsBound(state)) return edges;
    this.explored.expand(number, state, next, (step, to) => {
      edges.push({ step, to, cost: this.costOf(state, step) });
    });
    return edges;
  }

  /** True if no step is enabled, except optional ones. */
  isTerminal(number: number, edges: readonly Edge[]): boolean {
    return edges.every(({ step }) => this.system.isOptional(step)) && !this.exceedsBound(number);
  }

  private exceedsBound(number: number): boolean {
    this.search.seen.read(number, this.state);
    return this.system.exceedsBound(this.state);
  }

  private isBetter(value: number, than: number): boolean {
    return this.extreme === 'worst' ? value > than : value < than;
  }

  private *settle(): Slices<void> {
    /** The edges of states whose component is not complete. */
    const open = new Map<number, Edge[]>();
    const successors = (number: number): number[] => {
      const edges = this.edgesFrom(number);
      open.set(number, edges);
      return edges.map(({ to }) => to);
    };
    for (const component of components(this.values.length, successors)) {
      if (component === null) {
        yield;
        continue;
      }
      const members = component.length > 1 ? new Set(component) : null;
      const isWithin = (to: number): boolean => members?.has(to) ?? to === component[0];
      const isCycle = members !== null || open.get(component[0])?.some(({ to }) => isWithin(to)) === true;
      this.hasCycle ||= isCycle;
      const edgesOf = (number: number): readonly Edge[] => open.get(number) ?? [];
      if (this.extreme === 'best') this.settleBest(component, edgesOf);
      else this.settleWorst(component, edgesOf, isWithin, isCycle);
      for (const number of component) open.delete(number);
    }
  }

  private settleWorst(
    component: readonly number[],
    edgesOf: (number: number) => readonly Edge[],
    isWithin: (to: number) => boolean,
    isCycle: boolean,
  ): void {
    const { values } = this;
    let most = Number.NEGATIVE_INFINITY;
    let hasCost = false;
    for (const number of component) {
      if (this.isTerminal(number, edgesOf(number))) most = Math.max(most, 0);
      for (const { to, cost } of edgesOf(number)) {
        if (!isCycle || !isWithin(to)) most = Math.max(most, cost + values[to]);
        else hasCost ||= cost > 0;
      }
    }
    if (isCycle && most < 0) {
      most = 0;
      for (const number of component) this.freeCycles.add(number);
    }
    for (const number of component) values[number] = hasCost ? Number.POSITIVE_INFINITY : most;
    if (!hasCost) return;
    const first = component.reduce((least, number) => Math.min(least, number));
    if (first >= this.cycleFirst) return;
    this.cycleFirst = first;
    this.unboundedCycle = new Set(component);
  }

  private settleBest(component: readonly number[], edgesOf: (number: number) => readonly Edge[]): void {
    const { values } = this;
    for (const number of component) {
      values[number] = this.isTerminal(number, edgesOf(number)) ? 0 : Number.POSITIVE_INFINITY;
    }
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const number of component) {
        for (const { to, cost } of edgesOf(number)) {
          if (cost + values[to] >= values[number]) continue;
          values[number] = cost + values[to];
          isChanged = component.length > 1;
        }
      }
    }
  }
}
