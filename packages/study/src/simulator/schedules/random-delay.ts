/**
 * The schedule with random delays: uniform from 0.05 to 3 units, in thousandths. On a FIFO link no message overtakes an
 * earlier one.
 *
 * All arrivals are at most 3 units ahead, so they are kept in a timing wheel of 4,096 ticks: a list per tick in the order of
 * sending, and a two-level bitmap of the occupied ticks, which finds the next arrival in a few operations. A heap would be
 * slower for millions of messages.
 */
import type { Random } from '../../kernel/random.ts';
import { type Schedule, TICKS } from './schedule.ts';

export const MIN_DELAY = 0.05 * TICKS;
export const MAX_DELAY = 3 * TICKS;

/** A complete network may have more links than an array can hold; then only used links are stored. */
const MAX_LINKS = 1 << 26;

class SparseTimes {
  private readonly times = new Map<number, number>();

  /** The arrival on a link, at `due` or with the latest earlier message. */
  after(link: number, due: number): number {
    const latest = Math.max(due, this.times.get(link) ?? 0);
    this.times.set(link, latest);
    return latest;
  }
}

const WHEEL = 4096;
const NOTHING = -1;

export class RandomDelay implements Schedule {
  /** Records, each followed by its depth. */
  words: Int32Array;
  private readonly stride: number;
  private capacity: number;
  /** The latest arrival on each link; null for non-FIFO links. */
  private readonly latest: Float64Array | SparseTimes | null;
  private sent: Float64Array | null;
  /** By record: the next record of the same tick, or of the free list. */
  private next: Int32Array;
  private readonly first = new Int32Array(WHEEL).fill(NOTHING);
  private readonly last = new Int32Array(WHEEL);
  private readonly occupied = new Int32Array(WHEEL / 32);
  private readonly summary = new Int32Array(WHEEL / 1024);
  private inFlight = 0;
  private used = 0;
  private freed = NOTHING;
  private current = NOTHING;
  /** No message arrives before this tick. */
  private clock = 0;

  /** Has room for `expected` messages at the start. */
  constructor(
    width: number,
    private readonly delays: Random,
    links: number,
    fifo: boolean,
    keepSent: boolean,
    expected: number,
  ) {
    this.capacity = expected + 1;
    this.stride = width + 1;
    this.words = new Int32Array(this.capacity * this.stride);
    this.next = new Int32Array(this.capacity);
    this.sent = keepSent ? new Float64Array(this.capacity) : null;
    this.latest = fifo ? (links <= MAX_LINKS ? new Float64Array(links) : new SparseTimes()) : null;
  }

  nextTime(): number {
    if (this.inFlight === 0) return Number.POSITIVE_INFINITY;
    const from = this.clock & (WHEEL - 1);
    return this.clock + ((this.nextOccupied(from) - from) & (WHEEL - 1));
  }

  add(now: number, link: number, words: Int32Array, base: number, depth: number): void {
    this.clock = now;
    let due = now + MIN_DELAY + this.delays.below(MAX_DELAY - MIN_DELAY + 1);
    if (this.latest instanceof Float64Array) {
      if (this.latest[link] > due) due = this.latest[link];
      this.latest[link] = due;
    } else if (this.latest !== null) due = this.latest.after(link, due);
    const number = this.room();
    const width = this.stride - 1;
    const at = number * this.stride;
    for (let word = 0; word < width; word++) this.words[at + word] = words[base + word];
    this.words[at + width] = depth;
    if (this.sent !== null) this.sent[number] = now;
    this.next[number] = NOTHING;
    const tick = due & (WHEEL - 1);
    if (this.first[tick] === NOTHING) {
      this.first[tick] = number;
      this.occupied[tick >> 5] |= 1 << (tick & 31);
      this.summary[tick >> 10] |= 1 << ((tick >> 5) & 31);
    } else this.next[this.last[tick]] = number;
    this.last[tick] = number;
    this.inFlight++;
  }

  take(now: number): number {
    if (this.current !== NOTHING) {
      this.next[this.current] = this.freed;
      this.freed = this.current;
      this.current = NOTHING;
    }
    this.clock = now;
    const tick = now & (WHEEL - 1);
    const number = this.first[tick];
    if (number === NOTHING) return -1;
    const next = this.next[number];
    this.first[tick] = next;
    if (next === NOTHING) {
      this.occupied[tick >> 5] &= ~(1 << (tick & 31));
      if (this.occupied[tick >> 5] === 0) this.summary[tick >> 10] &= ~(1 << ((tick >> 5) & 31));
    }
    this.inFlight--;
    this.current = number;
    return number * this.stride;
  }

  depth(): number {
    return this.words[(this.current + 1) * this.stride - 1];
  }

  sentAt(): number {
    return this.sent === null ? 0 : this.sent[this.current];
  }

  forEachInFlight(visit: (words: Int32Array, base: number) => void): void {
    for (let word = 0; word < this.occupied.length; word++) {
      for (let bits = this.occupied[word]; bits !== 0; bits &= bits - 1) {
        const tick = (word << 5) + lowest(bits);
        for (let number = this.first[tick]; number !== NOTHING; number = this.next[number]) {
          visit(this.words, number * this.stride);
        }
      }
    }
  }

  private room(): number {
    const number = this.freed;
    if (number !== NOTHING) {
      this.freed = this.next[number];
      return number;
    }
    if (this.used === this.capacity) this.grow();
    return this.used++;
  }

  private grow(): void {
    this.capacity *= 2;
    const words = new Int32Array(this.capacity * this.stride);
    words.set(this.words);
    this.words = words;
    const next = new Int32Array(this.capacity);
    next.set(this.next);
    this.next = next;
    if (this.sent === null) return;
    const sent = new Float64Array(this.capacity);
    sent.set(this.sent);
    this.sent = sent;
  }

  /** The first occupied tick at or after `from`, cyclically. At least one tick must be occupied. */
  private nextOccupied(from: number): number {
    const word = from >> 5;
    const here = this.occupied[word] & (-1 << (from & 31));
    if (here !== 0) return (word << 5) + lowest(here);
    const block = word >> 5;
    const rest = (word & 31) === 31 ? 0 : this.summary[block] & (-2 << (word & 31));
    if (rest !== 0) return this.lowestIn((block << 5) + lowest(rest));
    for (let k = 1; k <= this.summary.length; k++) {
      const other = (block + k) % this.summary.length;
      if (this.summary[other] !== 0) return this.lowestIn((other << 5) + lowest(this.summary[other]));
    }
    return from;
  }

  private lowestIn(word: number): number {
    return (word << 5) + lowest(this.occupied[word]);
  }
}

function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
