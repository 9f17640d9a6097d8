/**
 * The lists of records, by handle. A list belongs to one record: a copy of the record needs a copy of the list, and a record
 * that is dropped must release its list.
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

  /** Adds an immutable list, for a message. */
  addFixed(list: readonly number[]): number {
    const handle = this.add(list);
    Object.freeze(this.lists[handle]);
    return handle;
  }

  /** Adds an empty list, for a state. */
  addOwned(rule: ListRule): number {
    return this.lists.push(rule.isSet ? new StateSet(rule) : new StateList(rule)) - 1;
  }

  /** Replaces the items of a state's list. The caller has checked them. */
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
