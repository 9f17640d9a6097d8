/**
 * The set of visited states, numbered in the order of discovery. Exact: states are stored and compared completely.
 *
 * Rows are in blocks that never move. The hash table holds row numbers, and doubles when it is two thirds full. A state of
 * w numbers takes 2w bytes, 4 for its parent, and about 8 in the hash table.
 */
import { hashOf } from './state-hash.ts';

/** A set of visited states. */
export interface SeenStates {
  readonly count: number;
  readonly bytes: number;
  /** States are compared completely, and every state can be read again. */
  readonly exact: boolean;
  /** The number of a state; it is new if `count` has grown. */
  add(state: Uint16Array, parent: number): number;
  /** The number of a state; −1 if it was not visited. */
  find(state: Uint16Array): number;
  /** Copies a state. A store that is not exact allows it once for each state, in the order of the numbers. */
  read(number: number, into: Uint16Array): void;
  /** The state from which this one was discovered; −1 for an initial state. */
  parentOf(number: number): number;
}

/** Small, because a check may consist of a thousand searches of a few hundred states. */
const BLOCK_BITS = 12;
const BLOCK = 1 << BLOCK_BITS;
const EMPTY = -1;

export class StateStore implements SeenStates {
  readonly exact = true;
  count = 0;

  private readonly rows: Uint16Array[] = [];
  private readonly parents: Int32Array[] = [];
  private table = new Int32Array(1 << 12).fill(EMPTY);

  constructor(private readonly width: number) {}

  add(state: Uint16Array, parent: number): number {
    const place = this.placeOf(state);
    const known = this.table[place];
    if (known !== EMPTY) return known;
    const number = this.count;
    this.table[place] = number;
    this.append(state, parent);
    if (3 * this.count > 2 * this.table.length) this.rehash();
    return number;
  }

  find(state: Uint16Array): number {
    return this.table[this.placeOf(state)];
  }

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

  /** The slot of a state, or the free slot for it. */
  private placeOf(state: Uint16Array): number {
    const mask = this.table.length - 1;
    let place = hashOf(state) & mask;
    for (let number = this.table[place]; number !== EMPTY; number = this.table[place]) {
      if (this.equals(number, state)) return place;
      place = (place + 1) & mask;
    }
    return place;
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

  private rehash(): void {
    const table = new Int32Array(2 * this.table.length).fill(EMPTY);
    const mask = table.length - 1;
    const state = new Uint16Array(this.width);
    for (let number = 0; number < this.count; number++) {
      this.read(number, state);
      let place = hashOf(state) & mask;
      while (table[place] !== EMPTY) place = (place + 1) & mask;
      table[place] = number;
    }
    this.table = table;
  }
}
