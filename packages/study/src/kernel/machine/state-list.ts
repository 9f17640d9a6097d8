/**
 * The lists and sets of a state. A set keeps its members sorted, so sets compare equal regardless of insertion order.
 *
 * Guarantees: pushed and added items are checked. Does not check writes to an index: a handler changes a list with `push` or by
 * assigning the field.
 */

/** A list has at most `most` whole numbers from 0 to `largest`. */
export interface ListRule {
  readonly most: number;
  readonly largest: number;
  readonly isSet: boolean;
  /** Throws an error about a value that is not allowed. */
  refuse(value: unknown): never;
}

/** A set of ids or ports as a handler sees it, iterated in ascending order. */
export interface SmallSet extends Iterable<number> {
  /** The number of items. */
  readonly size: number;
  /** Whether the set contains the item. */
  has(item: number): boolean;
  /** Adds an item. */
  add(item: number): void;
  /** Returns true if the set contained the item. */
  delete(item: number): boolean;
  /** Removes all items. */
  clear(): void;
}

/** A list in the state of a node, which checks what is pushed. */
export class StateList extends Array<number> {
  /** The result of `map` or `filter` is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  readonly #rule: ListRule;

  constructor(rule: ListRule) {
    super();
    this.#rule = rule;
  }

  override push(...items: number[]): number {
    for (const item of items) {
      this.check(item);
      super.push(item);
    }
    return this.length;
  }

  /** Replaces the items, which the caller has checked. */
  hold(items: readonly number[]): void {
    if (items.length === 0 && this.length === 0) return;
    const held = [...items];
    this.length = held.length;
    for (let at = 0; at < held.length; at++) this[at] = held[at];
  }

  protected check(item: number): void {
    const { most, largest } = this.#rule;
    if ((item | 0) === item && item >= 0 && item <= largest && this.length < most) return;
    this.#rule.refuse([...this, item]);
  }
}

export class StateSet extends StateList implements SmallSet {
  get size(): number {
    return this.length;
  }

  /** Whether the set contains the item. */
  has(item: number): boolean {
    return this[this.placeOf(item)] === item;
  }

  /** Adds an item. */
  add(item: number): void {
    const place = this.placeOf(item);
    if (this[place] === item) return;
    this.check(item);
    this.splice(place, 0, item);
  }

  delete(item: number): boolean {
    const place = this.placeOf(item);
    if (this[place] !== item) return false;
    this.splice(place, 1);
    return true;
  }

  /** Removes all items. */
  clear(): void {
    this.length = 0;
  }

  override hold(items: readonly number[]): void {
    super.hold([...new Set(items)].sort((one, other) => one - other));
  }

  /** The index of the first member that is not smaller. */
  private placeOf(item: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this[middle] < item) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
