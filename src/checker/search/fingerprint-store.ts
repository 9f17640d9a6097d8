/**
 * The states seen so far by 64 bits of each: two states with equal fingerprints are taken for one. Of s states the
 * chance that this ever happens is about s² / 2^65: one in 4 million for 3 million states.
 *
 * States that wait to be looked into are kept whole, and dropped once they were: so a state takes 12 bytes, and about
 * 8 of the table. What has been dropped cannot be read again, so that whether runs end cannot be asked.
 */
import { hashOf, secondHashOf } from './state-hash.ts';
import type { SeenStates } from './state-store.ts';

/** Small, because a check may be a thousand searches of a few hundred states. */
const BLOCK_BITS = 12;
const BLOCK = 1 << BLOCK_BITS;
const EMPTY = -1;

export class FingerprintStore implements SeenStates {
  readonly exact = false;
  count = 0;

  private readonly width: number;
  /** By block: for each state two words of fingerprint and the number of its parent. */
  private readonly entries: Int32Array[] = [];
  /** By block: those that wait. */
  private readonly rows: (Uint16Array | null)[] = [];
  private waiting = 0;
  private table = new Int32Array(1 << 12).fill(EMPTY);

  constructor(width: number) {
    this.width = width;
  }

  add(state: Uint16Array, parent: number): number {
    const first = hashOf(state);
    const second = secondHashOf(state);
    const place = this.placeOf(first, second);
    const known = this.table[place];
    if (known !== EMPTY) return known;
    const number = this.count;
    this.table[place] = number;
    this.append(state, first, second, parent);
    if (3 * this.count > 2 * this.table.length) this.rehash();
    return number;
  }

  find(state: Uint16Array): number {
    return this.table[this.placeOf(hashOf(state), secondHashOf(state))];
  }

  read(number: number, into: Uint16Array): void {
    const block = number >>> BLOCK_BITS;
    const row = this.rows[block];
    if (row === null || row === undefined) throw new Error(`state ${number} was dropped`);
    const from = (number & (BLOCK - 1)) * this.width;
    for (let k = 0; k < this.width; k++) into[k] = row[from + k];
    if ((number & (BLOCK - 1)) !== BLOCK - 1) return;
    this.rows[block] = null;
    this.waiting--;
  }

  parentOf(number: number): number {
    return this.entries[number >>> BLOCK_BITS][3 * (number & (BLOCK - 1)) + 2];
  }

  get bytes(): number {
    return this.table.byteLength + BLOCK * (12 * this.entries.length + 2 * this.width * this.waiting);
  }

  private placeOf(first: number, second: number): number {
    const mask = this.table.length - 1;
    let place = first & mask;
    for (let number = this.table[place]; number !== EMPTY; number = this.table[place]) {
      const entry = this.entries[number >>> BLOCK_BITS];
      const base = 3 * (number & (BLOCK - 1));
      if (entry[base] === first && entry[base + 1] === second) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  private append(state: Uint16Array, first: number, second: number, parent: number): void {
    const block = this.count >>> BLOCK_BITS;
    if (block === this.rows.length) {
      this.rows.push(new Uint16Array(BLOCK * this.width));
      this.entries.push(new Int32Array(3 * BLOCK));
      this.waiting++;
    }
    const within = this.count & (BLOCK - 1);
    this.rows[block]?.set(state, within * this.width);
    this.entries[block].set([first, second, parent], 3 * within);
    this.count++;
  }

  private rehash(): void {
    const table = new Int32Array(2 * this.table.length).fill(EMPTY);
    const mask = table.length - 1;
    for (let number = 0; number < this.count; number++) {
      let place = this.entries[number >>> BLOCK_BITS][3 * (number & (BLOCK - 1))] & mask;
      while (table[place] !== EMPTY) place = (place + 1) & mask;
      table[place] = number;
    }
    this.table = table;
  }
}
