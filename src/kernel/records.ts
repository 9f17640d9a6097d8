/**
 * Messages as words, on their way: receiver, receiver's port and type in one word, then the fields. Whoever
 * lends a context its outbox gets the messages of a handler in this form, addressed.
 */
const TYPE_BITS = 6;

export const MOST_TYPES = 1 << TYPE_BITS;

/** Words before the fields. */
export const RECORD_HEADER = 2;

export function receiverOf(words: Int32Array, base: number): number {
  return words[base];
}

/** The port at which it arrives. */
export function portOf(words: Int32Array, base: number): number {
  return words[base + 1] >>> TYPE_BITS;
}

export function typeOf(words: Int32Array, base: number): number {
  return words[base + 1] & (MOST_TYPES - 1);
}

export function address(words: Int32Array, base: number, to: number, port: number, type: number): void {
  words[base] = to;
  words[base + 1] = (port << TYPE_BITS) | type;
}

/** A growing array of records of one width. */
export class Records {
  words: Int32Array;
  readonly width: number;
  /** Words in use, from the front. */
  length = 0;

  constructor(width: number, capacity = 64) {
    this.width = width;
    this.words = new Int32Array(width * capacity);
  }

  /** Twice the room. Who holds `words` reads it anew. */
  grow(): void {
    const words = new Int32Array(2 * this.words.length);
    words.set(this.words);
    this.words = words;
  }

  /** Takes a copy of a record; returns where it begins. */
  append(words: Int32Array, base: number): number {
    const at = this.length;
    if (at + this.width > this.words.length) this.grow();
    for (let word = 0; word < this.width; word++) this.words[at + word] = words[base + word];
    this.length = at + this.width;
    return at;
  }
}
