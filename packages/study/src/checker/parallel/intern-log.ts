/**
 * A log of interned values in shared memory, which gives equal values equal numbers in all threads. New values are rare: a
 * search of millions of states has some hundreds. So a lock is cheap.
 *
 * A thread that meets a new value takes the lock, imports what other threads have appended, and appends the value if it is
 * still new. Values have the numbers of their order in the log, by kind.
 */
import { CapacityError } from '../../kernel/errors.ts';
import type { NumberedValues, NumberSharing } from '../search/system.ts';

/** The words before the text: the lock, and the number of characters in the log. */
const LOCK = 0;
const END = 1;
const HEADER_WORDS = 2;
const [OPEN, LOCKED] = [0, 1];
/** An entry has its kind, the length of its key in two characters, and the key. */
const ENTRY_HEADER = 3;
const LOG_BYTES = 1 << 25;
const RETRY_MS = 1;

export class InternLog implements NumberSharing {
  private readonly words: Int32Array;
  private readonly text: Uint16Array;
  private position = 0;

  constructor(
    private readonly values: NumberedValues,
    readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(LOG_BYTES),
  ) {
    this.words = new Int32Array(buffer, 0, HEADER_WORDS);
    this.text = new Uint16Array(buffer, 4 * HEADER_WORDS);
  }

  exclusively(add: () => number): number {
    const { words } = this;
    while (Atomics.compareExchange(words, LOCK, OPEN, LOCKED) !== OPEN)
      Atomics.wait(words, LOCK, LOCKED, RETRY_MS);
    try {
      this.pull();
      return add();
    } finally {
      Atomics.store(words, LOCK, OPEN);
      Atomics.notify(words, LOCK, 1);
    }
  }

  /** Only inside `exclusively`. */
  append(kind: number, key: string): void {
    const { text } = this;
    let end = this.words[END];
    if (end + ENTRY_HEADER + key.length > text.length)
      throw new CapacityError('the log of interned values is full');
    text[end++] = kind;
    text[end++] = key.length & 0xffff;
    text[end++] = key.length >>> 16;
    for (let k = 0; k < key.length; k++) text[end++] = key.charCodeAt(k);
    this.position = end;
    Atomics.store(this.words, END, end);
  }

  /** Imports what other threads have appended. */
  pull(): void {
    const { text } = this;
    const end = Atomics.load(this.words, END);
    while (this.position < end) {
      const kind = text[this.position];
      const from = this.position + ENTRY_HEADER;
      this.position = from + text[this.position + 1] + 0x1_0000 * text[this.position + 2];
      let key = '';
      for (let k = from; k < this.position; k++) key += String.fromCharCode(text[k]);
      this.values.importOne(kind, key);
    }
  }
}
