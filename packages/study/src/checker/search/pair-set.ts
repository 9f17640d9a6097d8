/**
 * A set of pairs of 32-bit numbers, numbered in the order of discovery, each with the number of its parent.
 *
 * Entries are in blocks that never move, except the first block, which grows while the set is small. The hash table has
 * 2^m slots and is at most three quarters full, so a number takes m bits of a slot. The other 32 − m bits hold part of the
 * hash, so that few slots lead to a comparison with a wrong entry. An entry takes 12 bytes, and 5 to 11 in the hash table.
 *
 * The successors of a state are added together. Their slots are loaded in one short loop and their entries in the next, so
 * that the processor waits for several cache misses at once.
 */

import { enlarged, sharedCopy, wordsFor } from './int32-arrays.ts';

/** An entry: the two numbers of the pair, and the parent. */
export const ENTRY = 3;
export const BLOCK_BITS = 17;
export const BLOCK = 1 << BLOCK_BITS;
/** Small, because a check may consist of a thousand searches of a few hundred states. */
const FIRST_ENTRIES = 1 << 9;
const FIRST_STAGED = 1 << 6;
/** A slot holds a number plus one. */
export const FREE = 0;
const NOT_FOUND = -1;

/** The memory of a set, for other threads. */
export interface PairMemory {
  readonly table: Int32Array;
  readonly blocks: readonly Int32Array[];
}

export class PairSet {
  count = 0;

  protected blocks: Int32Array[] = [new Int32Array(ENTRY * FIRST_ENTRIES)];
  protected table: Int32Array = new Int32Array(2 * FIRST_ENTRIES);
  private isShared = false;
  private tableEnd = (3 * this.table.length) / 4;

  /** The places in the stage of the pairs that the last `addStaged` found new, in order. */
  readonly fresh: number[] = [];
  protected staged = 0;
  protected firsts: Int32Array = new Int32Array(FIRST_STAGED);
  protected seconds: Int32Array = new Int32Array(FIRST_STAGED);
  protected hashes: Int32Array = new Int32Array(FIRST_STAGED);
  protected slots: Int32Array = new Int32Array(FIRST_STAGED);

  /** Prepares a pair for `addStaged`. */
  stage(first: number, second: number): void {
    const k = this.staged++;
    if (k === this.firsts.length) this.growStage();
    this.firsts[k] = first;
    this.seconds[k] = second;
    this.hashes[k] = hashOfPair(first, second);
  }

  /** Adds the staged pairs in their order. Returns the smallest of their numbers; Infinity if there are none. */
  addStaged(parent: number): number {
    const { firsts, hashes, seconds, slots, staged, table } = this;
    const mask = table.length - 1;
    for (let k = 0; k < staged; k++) slots[k] = table[hashes[k] & mask];
    for (let k = 0; k < staged; k++) {
      const number = (slots[k] & mask) - 1;
      const isHere = ((slots[k] ^ hashes[k]) & ~mask) === 0 && number >= 0;
      slots[k] = isHere && this.isAt(number, firsts[k], seconds[k]) ? number : NOT_FOUND;
    }
    let least = Number.POSITIVE_INFINITY;
    this.fresh.length = 0;
    for (let k = 0; k < staged; k++) {
      let number = slots[k];
      if (number === NOT_FOUND) {
        const before = this.count;
        number = this.insert(firsts[k], seconds[k], hashes[k], parent);
        if (number === before) this.fresh.push(k);
      }
      if (number < least) least = number;
    }
    this.staged = 0;
    return least;
  }

  /** The number of a pair; it is new if `count` has grown. */
  add(first: number, second: number, parent: number): number {
    return this.insert(first, second, hashOfPair(first, second), parent);
  }

  /** The number of a pair; −1 if it is not in the set. */
  find(first: number, second: number): number {
    const { table } = this;
    const place = this.placeOf(first, second, hashOfPair(first, second));
    return (table[place] & (table.length - 1)) - 1;
  }

  firstOf(number: number): number {
    return this.blocks[number >>> BLOCK_BITS][ENTRY * (number & (BLOCK - 1))];
  }

  secondOf(number: number): number {
    return this.blocks[number >>> BLOCK_BITS][ENTRY * (number & (BLOCK - 1)) + 1];
  }

  parentOf(number: number): number {
    return this.blocks[number >>> BLOCK_BITS][ENTRY * (number & (BLOCK - 1)) + 2];
  }

  get bytes(): number {
    const [first] = this.blocks;
    return this.table.byteLength + first.byteLength + (this.blocks.length - 1) * 4 * ENTRY * BLOCK;
  }

  private insert(first: number, second: number, hash: number, parent: number): number {
    const { table } = this;
    const mask = table.length - 1;
    const place = this.placeOf(first, second, hash);
    if (table[place] !== FREE) return (table[place] & mask) - 1;
    const number = this.count;
    table[place] = (hash & ~mask) | (number + 1);
    this.append(first, second, parent);
    if (this.count >= this.tableEnd) this.rebuild(2 * this.table.length);
    return number;
  }

  /** The slot of a pair, or the free slot for it. */
  private placeOf(first: number, second: number, hash: number): number {
    const { table } = this;
    const mask = table.length - 1;
    let place = hash & mask;
    for (let slot = table[place]; slot !== FREE; slot = table[place]) {
      if (((slot ^ hash) & ~mask) === 0 && this.isAt((slot & mask) - 1, first, second)) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Moves the set to memory that other threads can use. */
  share(): void {
    this.isShared = true;
    this.table = sharedCopy(this.table);
    this.blocks = this.blocks.map(sharedCopy);
  }

  /** The entries, in the memory of this set. */
  save(): Int32Array[] {
    const used = Math.ceil(this.count / BLOCK);
    return this.blocks.slice(0, used).map((block, index) => {
      return block.subarray(0, ENTRY * Math.min(BLOCK, this.count - BLOCK * index));
    });
  }

  /** Fills an empty set with entries of `save`, which are not changed later. */
  load(saved: readonly Int32Array[], count: number): void {
    this.count = count;
    let length = FIRST_ENTRIES;
    while (length < Math.min(count, BLOCK)) length *= 2;
    const blocks = saved.map((block) =>
      block.length === ENTRY * BLOCK ? block : enlarged(block, ENTRY * (saved.length === 1 ? length : BLOCK)),
    );
    if (blocks.length > 0) this.blocks = blocks;
    let slots = this.table.length;
    while (4 * count >= 3 * slots) slots *= 2;
    this.rebuild(slots);
  }

  get memory(): PairMemory {
    return { table: this.table, blocks: [...this.blocks] };
  }

  /** Makes room for more entries, so that other threads can add them. */
  reserve(more: number): void {
    while (4 * (this.count + more) >= 3 * this.table.length) this.rebuild(2 * this.table.length);
    this.blockFor(this.count + more);
  }

  protected isAt(number: number, first: number, second: number): boolean {
    const block = this.blocks[number >>> BLOCK_BITS];
    const base = ENTRY * (number & (BLOCK - 1));
    return block[base] === first && block[base + 1] === second;
  }

  private append(first: number, second: number, parent: number): void {
    const number = this.count++;
    const block = this.blockFor(number);
    const base = ENTRY * (number & (BLOCK - 1));
    block[base] = first;
    block[base + 1] = second;
    block[base + 2] = parent;
  }

  private blockFor(number: number): Int32Array {
    const index = number >>> BLOCK_BITS;
    while (index >= this.blocks.length) {
      if (this.blocks[0].length < ENTRY * BLOCK)
        this.blocks[0] = enlarged(this.blocks[0], ENTRY * BLOCK, this.isShared);
      this.blocks.push(wordsFor(ENTRY * BLOCK, this.isShared));
    }
    while (index === 0 && ENTRY * number >= this.blocks[0].length)
      this.blocks[0] = enlarged(this.blocks[0], 2 * this.blocks[0].length, this.isShared);
    return this.blocks[index];
  }

  /** Fills a new hash table. */
  rebuild(length = this.table.length): void {
    const table = wordsFor(length, this.isShared);
    const mask = table.length - 1;
    for (let number = 0; number < this.count; number++) {
      const hash = hashOfPair(this.firstOf(number), this.secondOf(number));
      let place = hash & mask;
      while (table[place] !== FREE) place = (place + 1) & mask;
      table[place] = (hash & ~mask) | (number + 1);
    }
    this.table = table;
    this.tableEnd = (3 * table.length) / 4;
  }

  private growStage(): void {
    const length = 2 * this.firsts.length;
    this.firsts = enlarged(this.firsts, length);
    this.seconds = enlarged(this.seconds, length);
    this.hashes = enlarged(this.hashes, length);
    this.slots = enlarged(this.slots, length);
  }
}

export function hashOfPair(first: number, second: number): number {
  let h = (Math.imul(first, 0x9e37_79b1) + Math.imul(second, 0x85eb_ca6b)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb_352d);
  h = Math.imul(h ^ (h >>> 15), 0x846c_a68b);
  return h ^ (h >>> 16);
}
