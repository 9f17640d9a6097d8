/**
 * The only PRNG of the project: xoshiro128** 1.1 of Blackman and Vigna, seeded.
 *
 * Guarantees: the same seed and stream give the same numbers on every machine; the streams of one seed
 * ('order', 'delay', 'faults', …) are independent for every practical purpose, so a run that draws more
 * delays keeps its id order; `below` is exactly uniform if the 32-bit words are; the period is 2^128 − 1.
 * Does not guarantee secrecy: four words determine all others.
 */
import { InputError } from './errors.ts';

const TWO_TO_32 = 0x1_0000_0000;
const TWO_TO_53 = 2 ** 53;

/** The finalizer of MurmurHash3: a bijection of 32-bit words in which every input bit reaches every output bit. */
function scramble(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return h ^ (h >>> 16);
}

/** One of the four state words: both halves of the seed and the label, hashed from a basis of its own. */
function lane(basis: number, low: number, high: number, stream: string): number {
  let h = scramble(basis ^ low);
  h = scramble((h + 0x9e37_79b9) ^ high);
  for (let i = 0; i < stream.length; i++) h = scramble((h + 0x9e37_79b9) ^ stream.charCodeAt(i));
  return scramble((h + 0x9e37_79b9) ^ stream.length);
}

export function checkSeed(seed: number): void {
  if (Number.isSafeInteger(seed) && seed >= 0) return;
  throw new InputError(`seed must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not ${seed}`);
}

/** A seeded PRNG with named streams. */
export class Random {
  // Never all zero: zero is the one state that xoshiro does not leave.
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** `seed` is an integer from 0 to 2^53 − 1, of which every bit counts; `stream` names one use of it. */
  constructor(seed: number, stream = '') {
    checkSeed(seed);
    const low = seed | 0;
    const high = Math.floor(seed / TWO_TO_32) | 0;
    this.a = lane(0x243f_6a88, low, high, stream);
    this.b = lane(0x85a3_08d3, low, high, stream);
    this.c = lane(0x1319_8a2e, low, high, stream);
    this.d = lane(0x0370_7344, low, high, stream);
    if ((this.a | this.b | this.c | this.d) === 0) this.d = 1;
  }

  /** Continues from four words of state, as published test vectors give them. */
  static fromState(a: number, b: number, c: number, d: number): Random {
    if ((a | b | c | d) === 0) {
      throw new InputError('the four state words must not all be zero: xoshiro never leaves zero');
    }
    const random = new Random(0);
    random.a = a | 0;
    random.b = b | 0;
    random.c = c | 0;
    random.d = d | 0;
    return random;
  }

  /** 0..2^32 − 1. */
  next32(): number {
    const b = this.b;
    const five = Math.imul(b, 5);
    const c = this.c ^ this.a;
    const d = this.d ^ b;
    this.b = b ^ c;
    this.a = this.a ^ d;
    this.c = c ^ (b << 9);
    this.d = (d << 11) | (d >>> 21);
    return Math.imul((five << 7) | (five >>> 25), 9) >>> 0;
  }

  /** 0..k − 1, each equally likely; k from 1 to 2^53 − 1. */
  below(k: number): number {
    // Unsigned words throughout: a remainder of doubles takes four times as long.
    const bound = k >>> 0;
    if (bound !== k || bound === 0) return this.belowWide(k);
    for (;;) {
      const word = this.next32();
      const rest = (word % bound) >>> 0;
      // The words fall into blocks of k. Only the last block can be incomplete, and its words are drawn again.
      if ((word - rest) >>> 0 <= -bound >>> 0) return rest;
    }
  }

  /** As `below`, for more than a word. */
  private belowWide(k: number): number {
    if (!Number.isSafeInteger(k) || k < 1) {
      throw new InputError(`below(k) takes a whole number from 1 to ${Number.MAX_SAFE_INTEGER}, not ${k}`);
    }
    const complete = TWO_TO_53 - (TWO_TO_53 % k);
    for (;;) {
      const drawn = (this.next32() >>> 11) * TWO_TO_32 + this.next32();
      if (drawn < complete) return drawn % k;
    }
  }

  /** [0, 1), a multiple of 2^−53. */
  unit(): number {
    const high = this.next32() >>> 5;
    return (high * 0x400_0000 + (this.next32() >>> 6)) / 0x20_0000_0000_0000;
  }

  /** True with probability p. Draws the same number of words for every p, so the rest of the stream does not depend on p. */
  chance(p: number): boolean {
    return this.unit() < p;
  }

  /** Fisher and Yates: every order equally likely. */
  shuffle(a: Int32Array): void {
    for (let i = a.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const kept = a[i];
      a[i] = a[j];
      a[j] = kept;
    }
  }
}
