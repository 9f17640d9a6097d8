/**
 * Messages as words, on their way: receiver, receiver's port and type in one word, then the fields. Whoever
 * lends a context its outbox gets the messages of a handler in this form, addressed.
 *
 * The innermost loops read the words themselves, with constants of their own: the engine folds a module's
 * constants into its code, but not another module's.
 */
import { CapacityError } from '../errors.ts';

/** Bits of the type in the header of a record. */
export const TYPE_BITS = 6;

/** The largest number of message types. */
export const MOST_TYPES = 1 << TYPE_BITS;

/** About a gigabyte: more than this at once does not fit many machines. */
const MOST_WORDS = 1 << 28;

/** Words before the fields. */
export const RECORD_HEADER = 2;

/** The position to which a record is addressed. */
export function receiverOf(words: Int32Array, base: number): number {
  return words[base];
}

/** The port at which it arrives. */
export function portOf(words: Int32Array, base: number): number {
  return words[base + 1] >>> TYPE_BITS;
}

/** The index of the message type of a record. */
export function typeOf(words: Int32Array, base: number): number {
  return words[base + 1] & (MOST_TYPES - 1);
}

/** Writes the header of a record. */
export function address(words: Int32Array, base: number, to: number, port: number, type: number): void {
  words[base] = to;
  words[base + 1] = (port << TYPE_BITS) | type;
}

/** Records one behind the other, in an array that grows. */
export class MessageBuffer {
  words: Int32Array;
  readonly width: number;
  /** Where the next record will begin. */
  end = 0;
  /** Where there is no more room. */
  private limit: number;

  constructor(width: number, capacity = 64) {
    this.width = width;
    this.limit = width * capacity;
    this.words = new Int32Array(this.limit);
  }

  /** Room for one more record; where it begins. */
  push(): number {
    const base = this.end;
    if (base === this.limit) this.grow();
    this.end = base + this.width;
    return base;
  }

  /** Puts a copy of a record at the end. */
  append(words: Int32Array, base: number): void {
    const to = this.push();
    for (let word = 0; word < this.width; word++) this.words[to + word] = words[base + word];
  }

  /** Removes all records. */
  clear(): void {
    this.end = 0;
  }

  private grow(): void {
    if (this.limit > MOST_WORDS) {
      const waiting = this.end / this.width;
      throw new CapacityError(
        `${waiting} messages are under way at once, and more would not fit: take fewer nodes, or look for a handler ` +
          'that sends without end',
      );
    }
    const larger = new Int32Array(2 * this.limit);
    larger.set(this.words);
    this.words = larger;
    this.limit = larger.length;
  }
}
