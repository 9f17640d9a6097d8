/**
 * The states seen so far, each exactly once, numbered in the order in which they came. Exact: states are kept whole
 * and compared whole.
 *
 * Rows lie in blocks that never move; the table of places holds numbers of rows and doubles when it is two thirds
 * full. A state of w numbers takes 2w bytes, 4 for the state it came from, and about 8 of the table.
 */
const BLOCK_BITS = 15;
const BLOCK = 1 << BLOCK_BITS;
const EMPTY = -1;

export class StateStore {
  readonly width: number;
  count = 0;

  private readonly rows: Uint16Array[] = [];
  private readonly parents: Int32Array[] = [];
  private table = new Int32Array(1 << 12).fill(EMPTY);

  constructor(width: number) {
    this.width = width;
  }

  /** The number of a state; it is new if `count` has grown. */
  add(state: Uint16Array, parent: number): number {
    const mask = this.table.length - 1;
    let place = this.hash(state) & mask;
    for (let number = this.table[place]; number !== EMPTY; number = this.table[place]) {
      if (this.equals(number, state)) return number;
      place = (place + 1) & mask;
    }
    const number = this.count;
    this.table[place] = number;
    this.append(state, parent);
    if (3 * this.count > 2 * this.table.length) this.rehash();
    return number;
  }

  /** Copies a state out. */
  read(number: number, into: Uint16Array): void {
    const from = (number & (BLOCK - 1)) * this.width;
    const row = this.rows[number >>> BLOCK_BITS];
    for (let k = 0; k < this.width; k++) into[k] = row[from + k];
  }

  parentOf(number: number): number {
    return this.parents[number >>> BLOCK_BITS][number & (BLOCK - 1)];
  }

  get bytes(): number {
    return this.table.byteLength + this.rows.length * BLOCK * (2 * this.width + 4);
  }

  private append(state: Uint16Array, parent: number): void {
    const block = this.count >>> BLOCK_BITS;
    if (block === this.rows.length) {
      this.rows.push(new Uint16Array(BLOCK * this.width));
      this.parents.push(new Int32Array(BLOCK));
    }
    this.rows[block].set(state, (this.count & (BLOCK - 1)) * this.width);
    this.parents[block][this.count & (BLOCK - 1)] = parent;
    this.count++;
  }

  private equals(number: number, state: Uint16Array): boolean {
    const from = (number & (BLOCK - 1)) * this.width;
    const row = this.rows[number >>> BLOCK_BITS];
    for (let k = 0; k < this.width; k++) if (row[from + k] !== state[k]) return false;
    return true;
  }

  private hash(state: Uint16Array): number {
    let h = 0x811c_9dc5;
    for (let k = 0; k < this.width; k++) h = Math.imul(h ^ state[k], 0x0100_0193);
    h = Math.imul(h ^ (h >>> 15), 0x85eb_ca6b);
    return h ^ (h >>> 13);
  }

  private rehash(): void {
    const table = new Int32Array(2 * this.table.length).fill(EMPTY);
    const mask = table.length - 1;
    const state = new Uint16Array(this.width);
    for (let number = 0; number < this.count; number++) {
      this.read(number, state);
      let place = this.hash(state) & mask;
      while (table[place] !== EMPTY) place = (place + 1) & mask;
      table[place] = number;
    }
    this.table = table;
  }
}
