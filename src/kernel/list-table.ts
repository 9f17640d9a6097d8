/**
 * The lists that records name by a word. A list belongs to one record: whoever keeps a second record with the
 * same list takes a copy, and whoever drops a record releases its list.
 */
export class ListTable {
  private readonly lists: number[][] = [];
  private readonly free: number[] = [];

  at(handle: number): number[] {
    return this.lists[handle];
  }

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

  replace(handle: number, list: readonly number[]): void {
    this.lists[handle] = [...list];
  }

  copy(handle: number): number {
    return this.addFixed(this.lists[handle]);
  }

  release(handle: number): void {
    this.lists[handle] = [];
    this.free.push(handle);
  }
}
