/**
 * A set of rows: the numbers of a state at given places. Rows are numbered in the order of discovery. The hash table is as
 * in pair-set.ts.
 *
 * The hash of a row is a weighted sum of its numbers, so that the sum of a row that differs in a few places follows from the
 * differences.
 */
import { enlarged, sharedCopy, wordsFor } from './int32-arrays.ts';

const FIRST_ROWS = 1 << 7;
/** A slot holds a number plus one. */
export const FREE = 0;

/** The memory of a set, for other threads. */
export interface RowMemory {
  readonly table: Int32Array;
  readonly rows: Uint16Array;
  readonly sums: Int32Array;
}

export class RowSet {
  count = 0;

  protected readonly places: Uint16Array;
  protected rows: Uint16Array;
  protected sums: Int32Array = new Int32Array(FIRST_ROWS);
  protected table: Int32Array = new Int32Array(2 * FIRST_ROWS);
  private isShared = false;

  /** `places` are the places of a state that make a row; `weights` are by place. */
  constructor(
    places: readonly number[],
    private readonly weights: Int32Array,
  ) {
    this.places = Uint16Array.from(places);
    this.rows = new Uint16Array(FIRST_ROWS * places.length);
  }

  /** The number of the row in a state. `sum` is its weighted sum. */
  add(state: Uint16Array, sum = this.sumIn(state)): number {
    const hash = hashOfSum(sum);
    const place = this.placeOf(state, hash);
    const mask = this.table.length - 1;
    const slot = this.table[place];
    if (slot !== FREE) return (slot & mask) - 1;
    const number = this.count;
    this.table[place] = (hash & ~mask) | (number + 1);
    this.append(state, sum);
    if (4 * this.count >= 3 * this.table.length) this.rebuild(2 * this.table.length);
    return number;
  }

  /** The number of the row in a state; −1 if it is not in the set. */
  find(state: Uint16Array): number {
    return (this.table[this.placeOf(state, hashOfSum(this.sumIn(state)))] & (this.table.length - 1)) - 1;
  }

  /** Writes a row to its places in a state. */
  read(number: number, into: Uint16Array): void {
    const { places, rows } = this;
    const from = number * places.length;
    for (let k = 0; k < places.length; k++) into[places[k]] = rows[from + k];
  }

  /** The weighted sum of a row. */
  sumOf(number: number): number {
    return this.sums[number];
  }

  get bytes(): number {
    return this.table.byteLength + this.rows.byteLength + this.sums.byteLength;
  }

  /** The slot of a row, or the free slot for it. */
  private placeOf(state: Uint16Array, hash: number): number {
    const { table } = this;
    const mask = table.length - 1;
    let place = hash & mask;
    for (let slot = table[place]; slot !== FREE; slot = table[place]) {
      if (((slot ^ hash) & ~mask) === 0 && this.isAt((slot & mask) - 1, state)) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Moves the set to memory that other threads can use. */
  share(): void {
    this.isShared = true;
    this.table = sharedCopy(this.table);
    this.sums = sharedCopy(this.sums);
    this.rows = this.rowsFor(this.sums.length);
  }

  /** Takes over the rows that other threads have added. */
  take(count: number): void {
    this.count = Math.min(count, this.sums.length);
  }

  /** The rows, in the memory of this set. */
  save(): Uint16Array {
    return this.rows.subarray(0, this.count * this.places.length);
  }

  /**
   * Fills an empty set with rows of `save`, which are not changed later. Rows that are not used are left out of the hash table:
   * they may be copies of others, from numbers that a thread had reserved and lost.
   */
  load(saved: Uint16Array, count: number, isUsed: (number: number) => boolean): void {
    while (count > this.sums.length) this.grow();
    while (4 * count >= 3 * this.table.length) this.table = wordsFor(2 * this.table.length, this.isShared);
    this.count = count;
    this.rows.set(saved);
    const state = new Uint16Array(this.weights.length);
    for (let number = 0; number < count; number++) {
      this.read(number, state);
      this.sums[number] = this.sumIn(state);
      if (isUsed(number)) this.insert(this.table, number);
    }
  }

  private insert(table: Int32Array, number: number): void {
    const mask = table.length - 1;
    const hash = hashOfSum(this.sums[number]);
    let place = hash & mask;
    while (table[place] !== FREE) place = (place + 1) & mask;
    table[place] = (hash & ~mask) | (number + 1);
  }

  get memory(): RowMemory {
    return { table: this.table, rows: this.rows, sums: this.sums };
  }

  /** Makes room for more rows, so that other threads can add them. */
  reserve(more: number): void {
    while (this.count + more > this.sums.length) this.grow();
    while (4 * (this.count + more) >= 3 * this.table.length) this.rebuild(2 * this.table.length);
  }

  protected isAt(number: number, state: Uint16Array): boolean {
    const { places, rows } = this;
    const from = number * places.length;
    for (let k = 0; k < places.length; k++) if (rows[from + k] !== state[places[k]]) return false;
    return true;
  }

  private append(state: Uint16Array, sum: number): void {
    const { places } = this;
    const number = this.count++;
    if (number === this.sums.length) this.grow();
    this.sums[number] = sum;
    const from = number * places.length;
    for (let k = 0; k < places.length; k++) this.rows[from + k] = state[places[k]];
  }

  private grow(): void {
    this.sums = enlarged(this.sums, 2 * this.sums.length, this.isShared);
    this.rows = this.rowsFor(this.sums.length);
  }

  private rowsFor(count: number): Uint16Array {
    const length = count * this.places.length;
    const rows = this.isShared ? new Uint16Array(new SharedArrayBuffer(2 * length)) : new Uint16Array(length);
    rows.set(this.rows);
    return rows;
  }

  private sumIn(state: Uint16Array): number {
    const { places, weights } = this;
    let sum = 0;
    for (let k = 0; k < places.length; k++) sum = (sum + Math.imul(weights[places[k]], state[places[k]])) | 0;
    return sum;
  }

  /** Fills a new hash table. */
  rebuild(length = this.table.length): void {
    const table = wordsFor(length, this.isShared);
    // Through the slots: a number that another thread has reserved may have no row, or a lost thread may have added one.
    for (const slot of this.table) {
      const number = (slot & (this.table.length - 1)) - 1;
      if (slot !== FREE && number < this.count) this.insert(table, number);
    }
    this.table = table;
  }
}

export function hashOfSum(sum: number): number {
  let h = Math.imul(sum ^ (sum >>> 16), 0x7feb_352d);
  h = Math.imul(h ^ (h >>> 15), 0x846c_a68b);
  return h ^ (h >>> 16);
}
