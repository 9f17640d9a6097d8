/**
 * The pairs that the threads of a round discover. A thread claims a free slot of the hash table for a new pair by
 * compare-and-swap. The slot then holds a provisional number: the number of states before the round, plus the number of the
 * claim. Claims of a thread are numbered in the order of discovery, and threads expand consecutive parts of the round, so
 * the smaller claim is the one that a single thread would have made first. If two threads claim the same pair, the smaller
 * claim stays. At the end the claims that are still in their slots get the next numbers, in order: the numbers that a single
 * thread would have given.
 */
import { BLOCK, BLOCK_BITS, ENTRY, FREE, type PairMemory, PairSet } from '../search/pair-set.ts';
import { RoundFull } from './control.ts';

/** A claim: the pair, the parent and the slot. */
export const CLAIM = 4;
const NONE = -1;

export class ClaimedPairs extends PairSet {
  private claims: Int32Array = new Int32Array(0);
  /** The number of states before the round. */
  private base = 0;
  private firstClaim = 0;
  private lastClaim = 0;
  private nextClaim = 0;

  attach({ blocks, table }: PairMemory, claims: Int32Array): void {
    this.blocks = [...blocks];
    this.table = table;
    this.claims = claims;
  }

  /** Begins a round in which this thread makes the claims from `first` up to, but not including, `last`. */
  begin(base: number, first: number, last: number): void {
    this.base = base;
    this.firstClaim = first;
    this.nextClaim = first;
    this.lastClaim = last;
    this.staged = 0;
  }

  /** Claims the staged pairs that are new. Returns the smallest number of the others; Infinity if there are none. */
  override addStaged(parent: number): number {
    const { base, firsts, hashes, seconds, slots, staged, table } = this;
    const mask = table.length - 1;
    for (let k = 0; k < staged; k++) slots[k] = table[hashes[k] & mask];
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < staged; k++) {
      const number = (slots[k] & mask) - 1;
      const isKnown =
        slots[k] !== FREE &&
        number < base &&
        ((slots[k] ^ hashes[k]) & ~mask) === 0 &&
        this.isAt(number, firsts[k], seconds[k]);
      if (isKnown && number < least) least = number;
      slots[k] = isKnown ? 1 : 0;
    }
    for (let k = 0; k < staged; k++) {
      if (slots[k] === 1) continue;
      const number = this.claim(firsts[k], seconds[k], hashes[k], parent);
      if (number < least) least = number;
    }
    this.staged = 0;
    return least;
  }

  /** The number of a pair that was known before the round; Infinity for a claim. */
  private claim(first: number, second: number, hash: number, parent: number): number {
    const { base, table } = this;
    const mask = table.length - 1;
    const tag = hash & ~mask;
    for (let place = hash & mask; ; ) {
      const slot = Atomics.load(table, place);
      const number = (slot & mask) - 1;
      if (slot === FREE) {
        const mine = this.reserved(first, second, parent, place);
        if (Atomics.compareExchange(table, place, FREE, tag | (base + mine + 1)) !== FREE) continue;
        this.nextClaim++;
        return Number.POSITIVE_INFINITY;
      }
      if ((slot & ~mask) === tag) {
        if (number < base) {
          if (this.isAt(number, first, second)) return number;
        } else if (this.isClaim(number - base, first, second)) {
          // A claim of this thread, or of one whose part comes before, was made first.
          if (number - base < this.lastClaim) return Number.POSITIVE_INFINITY;
          const mine = this.reserved(first, second, parent, place);
          if (Atomics.compareExchange(table, place, slot, tag | (base + mine + 1)) !== slot) continue;
          this.nextClaim++;
          return Number.POSITIVE_INFINITY;
        }
      }
      place = (place + 1) & mask;
    }
  }

  /** The number of claims of this thread that are still in their slots. The others lose their slots. */
  countWinners(): number {
    const { base, claims, table } = this;
    const mask = table.length - 1;
    let winners = 0;
    for (let claim = this.firstClaim; claim < this.nextClaim; claim++) {
      const at = CLAIM * claim + 3;
      if ((table[claims[at]] & mask) - 1 - base === claim) winners++;
      else claims[at] = NONE;
    }
    return winners;
  }

  /** Gives the winners consecutive numbers. All threads must have counted theirs. */
  numberWinners(from: number): void {
    const { claims, table } = this;
    const mask = table.length - 1;
    let number = from;
    for (let claim = this.firstClaim; claim < this.nextClaim; claim++) {
      const at = CLAIM * claim;
      const place = claims[at + 3];
      if (place === NONE) continue;
      const block = this.blocks[number >>> BLOCK_BITS];
      const to = ENTRY * (number & (BLOCK - 1));
      block[to] = claims[at];
      block[to + 1] = claims[at + 1];
      block[to + 2] = claims[at + 2];
      table[place] = (table[place] & ~mask) | (number + 1);
      number++;
    }
  }

  /** Frees the slots of this thread's claims. */
  discard(): void {
    const { base, claims, table } = this;
    const mask = table.length - 1;
    for (let claim = this.firstClaim; claim < this.nextClaim; claim++) {
      const place = claims[CLAIM * claim + 3];
      if (place !== NONE && (table[place] & mask) - 1 >= base) table[place] = FREE;
    }
  }

  private isClaim(claim: number, first: number, second: number): boolean {
    return this.claims[CLAIM * claim] === first && this.claims[CLAIM * claim + 1] === second;
  }

  /** The next claim of this thread, written before it is published. */
  private reserved(first: number, second: number, parent: number, place: number): number {
    const claim = this.nextClaim;
    if (claim === this.lastClaim) throw new RoundFull();
    const at = CLAIM * claim;
    this.claims[at] = first;
    this.claims[at + 1] = second;
    this.claims[at + 2] = parent;
    this.claims[at + 3] = place;
    return claim;
  }
}
