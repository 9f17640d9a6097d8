/**
 * A set of rows: the numbers of a state at given places. Rows are numbered in the order of discovery. The hash table is as
 * in pair-set.ts.
 *
 * The hash of a row is a weighted sum of its numbers, so that the sum of a row that differs in a few places follows from the
 * differences.
 */
const FIRST_ROWS = 1 << 7;
/** A slot holds a number plus one. */
const FREE = 0;

export class RowSet {
  count = 0;

  private readonly places: Uint16Array;
  private rows: Uint16Array;
  private sums = new Int32Array(FIRST_ROWS);
  private table = new Int32Array(2 * FIRST_ROWS);

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
    if (4 * this.count >= 3 * this.table.length) this.rehash();
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

  private isAt(number: number, state: Uint16Array): boolean {
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
    const rows = new Uint16Array(2 * this.rows.length);
    const sums = new Int32Array(2 * this.sums.length);
    rows.set(this.rows);
    sums.set(this.sums);
    this.rows = rows;
    this.sums = sums;
  }

  private sumIn(state: Uint16Array): number {
    const { places, weights } = this;
    let sum = 0;
    for (let k = 0; k < places.length; k++) sum = (sum + Math.imul(weights[places[k]], state[places[k]])) | 0;
    return sum;
  }

  private rehash(): void {
    const table = new Int32Array(2 * this.table.length);
    const mask = table.length - 1;
    for (let number = 0; number < this.count; number++) {
      const hash = hashOfSum(this.sums[number]);
      let place = hash & mask;
      while (table[place] !== FREE) place = (place + 1) & mask;
      table[place] = (hash & ~mask) | (number + 1);
    }
    this.table = table;
  }
}

function hashOfSum(sum: number): number {
  let h = Math.imul(sum ^ (sum >>> 16), 0x7feb_352d);
  h = Math.imul(h ^ (h >>> 15), 0x846c_a68b);
  return h ^ (h >>> 16);
}
