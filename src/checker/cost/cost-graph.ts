/**
 * The dearest and the cheapest runs in a graph of states whose steps have prices: exactly, by components. A run is a way
 * from a beginning to an end; no price is below 0.
 *
 * The value of a state is what the dearest, or the cheapest, way from it to an end costs. Components come after those
 * that they lead to, so that a state that lies on no cycle has its value from its successors. In a component that goes
 * round, a step with a price can be taken again and again: its states are worth more than any number. If no step of it
 * has one, all its states are worth the best way out of it. A state beyond the bounds of a search is no end: what runs
 * cost that are cut there is not known, and they do not count. The cheapest way takes no step twice: it is settled by trying
 * again until nothing changes.
 */
import { forEachComponent } from '../search/components.ts';
import type { Search } from '../search/search.ts';
import type { System } from '../search/system.ts';

export interface Edge {
  readonly step: number;
  readonly to: number;
  readonly cost: number;
}

/** The most or the least expensive run. */
export type Extreme = 'worst' | 'best';

export type CostOf = (state: Uint16Array, step: number) => number;

export class CostGraph {
  /** By state. Infinity: the dearest has no most, or no end can be reached; −Infinity: all runs are cut by a bound. */
  readonly values: Float64Array;
  /** Some run goes round, whatever it costs. */
  goesRound = false;
  /** States of a component with a step that goes round and costs: the first that were reached. */
  circle: ReadonlySet<number> | null = null;
  /** States from which the dearest run goes round for ever, and costs no more. */
  readonly idle = new Set<number>();
  private circleFirst = Number.POSITIVE_INFINITY;

  private readonly system: System;
  private readonly search: Search;
  private readonly extreme: Extreme;
  private readonly costOf: CostOf;
  private readonly state: Uint16Array;
  private readonly next: Uint16Array;

  /** `search` must have looked into every state. */
  constructor(system: System, search: Search, extreme: Extreme, costOf: CostOf) {
    this.system = system;
    this.search = search;
    this.extreme = extreme;
    this.costOf = costOf;
    this.state = new Uint16Array(system.width);
    this.next = new Uint16Array(system.width);
    this.values = new Float64Array(search.seen.count);
    this.settle();
  }

  /** The beginning from which the dearest, or the cheapest, run goes out. */
  get root(): number {
    const { seen } = this.search;
    const roots = this.system.initials().map(({ state }) => seen.find(state));
    return roots.reduce((chosen, one) =>
      this.isBetter(this.values[one], this.values[chosen]) ? one : chosen,
    );
  }

  /** The steps out of a state; none from one beyond the bounds. */
  edgesFrom(number: number): Edge[] {
    const { next, search, state, system } = this;
    const edges: Edge[] = [];
    search.seen.read(number, state);
    if (system.exceedsBound(state)) return edges;
    system.expand(state, next, (step) => {
      edges.push({ step, to: search.seen.find(next), cost: this.costOf(state, step) });
    });
    return edges;
  }

  /** May a run end here? */
  isEnd(number: number, edges: readonly Edge[]): boolean {
    return edges.every(({ step }) => this.system.isFault(step)) && !this.exceedsBound(number);
  }

  private exceedsBound(number: number): boolean {
    this.search.seen.read(number, this.state);
    return this.system.exceedsBound(this.state);
  }

  private isBetter(value: number, than: number): boolean {
    return this.extreme === 'worst' ? value > than : value < than;
  }

  private settle(): void {
    /** Of states whose component is not known yet. */
    const open = new Map<number, Edge[]>();
    const out = (number: number): number[] => {
      const edges = this.edgesFrom(number);
      open.set(number, edges);
      return edges.map(({ to }) => to);
    };
    forEachComponent(this.values.length, out, (component) => {
      const members = component.length > 1 ? new Set(component) : null;
      const isWithin = (to: number): boolean => members?.has(to) ?? to === component[0];
      const isRound = members !== null || open.get(component[0])?.some(({ to }) => isWithin(to)) === true;
      this.goesRound ||= isRound;
      const waysOf = (number: number): readonly Edge[] => open.get(number) ?? [];
      if (this.extreme === 'best') this.settleCheapest(component, waysOf);
      else this.settleDearest(component, waysOf, isWithin, isRound);
      for (const number of component) open.delete(number);
    });
  }

  private settleDearest(
    component: readonly number[],
    waysOf: (number: number) => readonly Edge[],
    isWithin: (to: number) => boolean,
    isRound: boolean,
  ): void {
    const { values } = this;
    let most = Number.NEGATIVE_INFINITY;
    let isCostly = false;
    for (const number of component) {
      if (this.isEnd(number, waysOf(number))) most = Math.max(most, 0);
      for (const { to, cost } of waysOf(number)) {
        if (!isRound || !isWithin(to)) most = Math.max(most, cost + values[to]);
        else isCostly ||= cost > 0;
      }
    }
    if (isRound && most < 0) {
      most = 0;
      for (const number of component) this.idle.add(number);
    }
    for (const number of component) values[number] = isCostly ? Number.POSITIVE_INFINITY : most;
    if (!isCostly) return;
    const first = component.reduce((least, number) => Math.min(least, number));
    if (first >= this.circleFirst) return;
    this.circleFirst = first;
    this.circle = new Set(component);
  }

  private settleCheapest(component: readonly number[], waysOf: (number: number) => readonly Edge[]): void {
    const { values } = this;
    for (const number of component) {
      values[number] = this.isEnd(number, waysOf(number)) ? 0 : Number.POSITIVE_INFINITY;
    }
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const number of component) {
        for (const { to, cost } of waysOf(number)) {
          if (cost + values[to] >= values[number]) continue;
          values[number] = cost + values[to];
          isChanged = component.length > 1;
        }
      }
    }
  }
}
