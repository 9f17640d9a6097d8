/** Int32 arrays that grow, in the memory of one thread or of several. */

export function wordsFor(length: number, isShared: boolean): Int32Array {
  return isShared ? new Int32Array(new SharedArrayBuffer(4 * length)) : new Int32Array(length);
}

/** A larger copy. */
export function enlarged(words: Int32Array, length: number, isShared = false): Int32Array {
  const larger = wordsFor(length, isShared);
  larger.set(words);
  return larger;
}

export function sharedCopy(words: Int32Array): Int32Array {
  return enlarged(words, words.length, true);
}
