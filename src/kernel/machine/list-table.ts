/**
 * The lists that records name by a word. A list belongs to one record: whoever keeps a second record with the
 * same list takes a copy, and whoever drops a record releases its list.
 */
import { type ListRule, StateList, StateSet } from './state-list.ts';

/** The lists of all records, by handle. */
export class ListTable {
  private readonly lists: number[][] = [];
  private readonly free: number[] = [];

  /** The list with this handle. */
  at(handle: number): number[] {
    return this.lists[handle];
  }

  /** Adds a copy of a list and returns its handle. */
  add(list: readonly number[]): number {
    const handle = this.free.pop() ?? this.lists.length;
    this.lists[handle] = [...list];
    return handle;
  }

  /** A list that nobody may change: a message's. */
  addFixed(list: readonly number[]): number {
    const handle = this.add(list);
    Object.freeze(this.lists[handle]);
    return handle;
  }

  /** An empty list of a state. */
  addOwned(rule: ListRule): number {
    return this.lists.push(rule.isSet ? new StateSet(rule) : new StateList(rule)) - 1;
  }

  /** What a state's list holds from now on, checked before. */
  refill(handle: number, items: readonly number[]): void {
    (this.lists[handle] as StateList).hold(items);
  }

  /** Adds a copy of a list of the table. */
  copy(handle: number): number {
    return this.addFixed(this.lists[handle]);
  }

  /** Frees a list. */
  release(handle: number): void {
    this.lists[handle] = [];
    this.free.push(handle);
  }
}
