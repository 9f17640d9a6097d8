/**
 * Messages in flight as records of words: the receiver, its port with the type, then the fields. A context writes the messages
 * of a handler into such a buffer.
 *
 * The innermost loops read the words directly, with their own constants: V8 inlines constants of the same module, but not
 * of another one.
 */
import { CapacityError } from '../errors.ts';

/** Bits of the type in the header of a record. */
export const TYPE_BITS = 6;

/** The largest number of message types. */
export const MAX_TYPES = 1 << TYPE_BITS;

/** One gigabyte. */
const MAX_WORDS = 1 << 28;

/** The number of words before the fields. */
export const RECORD_HEADER = 2;

/** The position to which a record is addressed. */
export function receiverOf(words: Int32Array, base: number): number {
  return words[base];
}

/** The port at which the message arrives. */
export function portOf(words: Int32Array, base: number): number {
  return words[base + 1] >>> TYPE_BITS;
}

/** The index of the message type of a record. */
export function typeOf(words: Int32Array, base: number): number {
  return words[base + 1] & (MAX_TYPES - 1);
}

/** Writes the header of a record. */
export function address(words: Int32Array, base: number, to: number, port: number, type: number): void {
  words[base] = to;
  words[base + 1] = (port << TYPE_BITS) | type;
}

/** Consecutive records in a growing array. */
export class MessageBuffer {
  words: Int32Array;
  readonly width: number;
  /** The offset of the next record. */
  end = 0;
  /** The offset from which the array has no room. */
  private limit: number;

  constructor(width: number, capacity = 64) {
    this.width = width;
    this.limit = width * capacity;
    this.words = new Int32Array(this.limit);
  }

  /** Reserves room for a record, and returns its offset. */
  push(): number {
    const base = this.end;
    if (base === this.limit) this.grow();
    this.end = base + this.width;
    return base;
  }

  /** Appends a copy of a record. */
  append(words: Int32Array, base: number): void {
    const to = this.push();
    for (let word = 0; word < this.width; word++) this.words[to + word] = words[base + word];
  }

  /** Removes all records. */
  clear(): void {
    this.end = 0;
  }

  private grow(): void {
    if (this.limit > MAX_WORDS) {
      const waiting = this.end / this.width;
      throw new CapacityError(
        `${waiting} messages are in flight, and there is no room for more: take fewer nodes, or look for a handler ` +
          'that sends without end',
      );
    }
    const larger = new Int32Array(2 * this.limit);
    larger.set(this.words);
    this.words = larger;
    this.limit = larger.length;
  }
}
