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

export interface Way {
  readonly step: number;
  readonly to: number;
  readonly price: number;
}

export type Extreme = 'worst' | 'best';

export type PriceOf = (state: Uint16Array, step: number) => number;

export class PricedGraph {
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
  private readonly priceOf: PriceOf;
  private readonly state: Uint16Array;
  private readonly next: Uint16Array;

  /** `search` must have looked into every state. */
  constructor(system: System, search: Search, extreme: Extreme, priceOf: PriceOf) {
    this.system = system;
    this.search = search;
    this.extreme = extreme;
    this.priceOf = priceOf;
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
  waysFrom(number: number): Way[] {
    const { next, search, state, system } = this;
    const ways: Way[] = [];
    search.seen.read(number, state);
    if (system.isBeyond(state)) return ways;
    system.expand(state, next, (step) => {
      ways.push({ step, to: search.seen.find(next), price: this.priceOf(state, step) });
    });
    return ways;
  }

  /** May a run end here? */
  isEnd(number: number, ways: readonly Way[]): boolean {
    return ways.every(({ step }) => this.system.optional(step)) && !this.isBeyond(number);
  }

  private isBeyond(number: number): boolean {
    this.search.seen.read(number, this.state);
    return this.system.isBeyond(this.state);
  }

  private isBetter(value: number, than: number): boolean {
    return this.extreme === 'worst' ? value > than : value < than;
  }

  private settle(): void {
    /** Of states whose component is not known yet. */
    const open = new Map<number, Way[]>();
    const out = (number: number): number[] => {
      const ways = this.waysFrom(number);
      open.set(number, ways);
      return ways.map(({ to }) => to);
    };
    forEachComponent(this.values.length, out, (component) => {
      const members = component.length > 1 ? new Set(component) : null;
      const isWithin = (to: number): boolean => members?.has(to) ?? to === component[0];
      const isRound = members !== null || open.get(component[0])?.some(({ to }) => isWithin(to)) === true;
      this.goesRound ||= isRound;
      const waysOf = (number: number): readonly Way[] => open.get(number) ?? [];
      if (this.extreme === 'best') this.settleCheapest(component, waysOf);
      else this.settleDearest(component, waysOf, isWithin, isRound);
      for (const number of component) open.delete(number);
    });
  }

  private settleDearest(
    component: readonly number[],
    waysOf: (number: number) => readonly Way[],
    isWithin: (to: number) => boolean,
    isRound: boolean,
  ): void {
    const { values } = this;
    let most = Number.NEGATIVE_INFINITY;
    let isCostly = false;
    for (const number of component) {
      if (this.isEnd(number, waysOf(number))) most = Math.max(most, 0);
      for (const { to, price } of waysOf(number)) {
        if (!isRound || !isWithin(to)) most = Math.max(most, price + values[to]);
        else isCostly ||= price > 0;
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

  private settleCheapest(component: readonly number[], waysOf: (number: number) => readonly Way[]): void {
    const { values } = this;
    for (const number of component) {
      values[number] = this.isEnd(number, waysOf(number)) ? 0 : Number.POSITIVE_INFINITY;
    }
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const number of component) {
        for (const { to, price } of waysOf(number)) {
          if (price + values[to] >= values[number]) continue;
          values[number] = price + values[to];
          isChanged = component.length > 1;
        }
      }
    }
  }
}
