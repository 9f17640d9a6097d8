/**
 * A row set that several threads fill at the same time. A thread reserves a number, writes the row, and publishes the number in a
 * free slot by compare-and-swap. If another thread was faster, it looks at that slot again, so no row is in the set twice.
 * Numbers of rows depend on which thread was faster; nothing that a search reports depends on them.
 */
import { FREE, hashOfSum, type RowMemory, RowSet } from '../search/row-set.ts';
import { RoundFull } from './control.ts';

const NONE = -1;

export class SharedRows extends RowSet {
  private counter: Int32Array = new Int32Array(1);
  private place = 0;
  /** A number that was reserved and not used. */
  private spare = NONE;

  /** `counter[place]` is the number of reserved numbers. */
  attach({ rows, sums, table }: RowMemory, counter: Int32Array, place: number): void {
    this.rows = rows;
    this.sums = sums;
    this.table = table;
    this.counter = counter;
    this.place = place;
    this.spare = NONE;
  }

  override add(state: Uint16Array, sum: number): number {
    const { table } = this;
    const mask = table.length - 1;
    const hash = hashOfSum(sum);
    for (let place = hash & mask; ; ) {
      const slot = Atomics.load(table, place);
      if (slot === FREE) {
        const number = this.reserved(state, sum);
        const wanted = (hash & ~mask) | (number + 1);
        if (Atomics.compareExchange(table, place, FREE, wanted) !== FREE) continue;
        this.spare = NONE;
        return number;
      }
      if (((slot ^ hash) & ~mask) === 0 && this.isAt((slot & mask) - 1, state)) return (slot & mask) - 1;
      place = (place + 1) & mask;
    }
  }

  /** A number that no other thread uses, with the row written under it. */
  private reserved(state: Uint16Array, sum: number): number {
    if (this.spare === NONE) this.spare = Atomics.add(this.counter, this.place, 1);
    const number = this.spare;
    const { places, rows, sums, table } = this;
    if (number >= sums.length || 4 * number >= 3 * table.length) throw new RoundFull();
    sums[number] = sum;
    const from = number * places.length;
    for (let k = 0; k < places.length; k++) rows[from + k] = state[places[k]];
    return number;
  }
}
