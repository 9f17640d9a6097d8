/**
 * The set of visited states as 64-bit fingerprints (hash compaction): two states with equal fingerprints count as one. For
 * s states the probability of a collision is about s² / 2^65: one in 4 million for 3 million states.
 *
 * States in the queue are stored completely, and dropped after they are read. So a state takes 12 bytes, and about 8 in
 * the hash table. Dropped states cannot be read again, so termination cannot be checked if the graph may have cycles.
 */
import { hashOf, secondHashOf } from './state-hash.ts';
import type { SeenStates } from './state-store.ts';

/** Small, because a check may consist of a thousand searches of a few hundred states. */
const BLOCK_BITS = 12;
const BLOCK = 1 << BLOCK_BITS;
const EMPTY = -1;

export class FingerprintStore implements SeenStates {
  readonly exact = false;
  count = 0;

  /** By block: for each state the two words of its fingerprint and the number of its parent. */
  private readonly entries: Int32Array[] = [];
  /** By block: the states of the queue; null after the block was read. */
  private readonly rows: (Uint16Array | null)[] = [];
  private blocksInQueue = 0;
  private table = new Int32Array(1 << 12).fill(EMPTY);

  constructor(private readonly width: number) {}

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
    this.blocksInQueue--;
  }

  parentOf(number: number): number {
    return this.entries[number >>> BLOCK_BITS][3 * (number & (BLOCK - 1)) + 2];
  }

  get bytes(): number {
    return this.table.byteLength + BLOCK * (12 * this.entries.length + 2 * this.width * this.blocksInQueue);
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
      this.blocksInQueue++;
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
