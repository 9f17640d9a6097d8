/**
 * A set of pairs of 32-bit numbers, numbered in the order of discovery, each with the number of its parent.
 *
 * Entries are in blocks that never move, except the first block, which grows while the set is small. The hash table has
 * 2^m slots and is at most three quarters full, so a number takes m bits of a slot. The other 32 − m bits hold part of the
 * hash, so that few slots lead to a comparison with a wrong entry. An entry takes 12 bytes, and 5 to 11 in the hash table.
 *
 * The successors of a state are added together. Their slots are loaded in one short loop and their entries in the next, so
 * that the processor waits for several cache misses at once. This halves the time of a large search.
 */

/** An entry: the two numbers of the pair, and the parent. */
const ENTRY = 3;
const BLOCK_BITS = 17;
const BLOCK = 1 << BLOCK_BITS;
/** Small, because a check may consist of a thousand searches of a few hundred states. */
const FIRST_ENTRIES = 1 << 9;
const FIRST_STAGED = 1 << 6;
/** A slot holds a number plus one. */
const FREE = 0;
const NOT_FOUND = -1;

export class PairSet {
  count = 0;

  private readonly blocks: Int32Array[] = [new Int32Array(ENTRY * FIRST_ENTRIES)];
  private table = new Int32Array(2 * FIRST_ENTRIES);
  private tableEnd = (3 * this.table.length) / 4;

  /** The places in the stage of the pairs that the last `addStaged` found new, in order. */
  readonly fresh: number[] = [];
  private staged = 0;
  private firsts: Int32Array = new Int32Array(FIRST_STAGED);
  private seconds: Int32Array = new Int32Array(FIRST_STAGED);
  private hashes: Int32Array = new Int32Array(FIRST_STAGED);
  private slots: Int32Array = new Int32Array(FIRST_STAGED);

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
    if (this.count >= this.tableEnd) this.rehash();
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

  private isAt(number: number, first: number, second: number): boolean {
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
    if (index === this.blocks.length) this.blocks.push(new Int32Array(ENTRY * BLOCK));
    const block = this.blocks[index];
    if (index > 0 || ENTRY * number < block.length) return block;
    this.blocks[0] = enlarged(block);
    return this.blocks[0];
  }

  private rehash(): void {
    const table = new Int32Array(2 * this.table.length);
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
    this.firsts = enlarged(this.firsts);
    this.seconds = enlarged(this.seconds);
    this.hashes = enlarged(this.hashes);
    this.slots = enlarged(this.slots);
  }
}

function enlarged(array: Int32Array): Int32Array {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

function hashOfPair(first: number, second: number): number {
  let h = (Math.imul(first, 0x9e37_79b1) + Math.imul(second, 0x85eb_ca6b)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb_352d);
  h = Math.imul(h ^ (h >>> 15), 0x846c_a68b);
  return h ^ (h >>> 16);
}
