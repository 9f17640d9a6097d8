/** Two independent 32-bit hashes of states: the first indexes the hash table, both together are the fingerprint. */

export function hashOf(state: Uint16Array): number {
  let h = 0x811c_9dc5;
  for (let k = 0; k < state.length; k++) h = Math.imul(h ^ state[k], 0x0100_0193);
  h = Math.imul(h ^ (h >>> 15), 0x85eb_ca6b);
  return h ^ (h >>> 13);
}

export function secondHashOf(state: Uint16Array): number {
  let h = 0x9e37_79b9;
  for (let k = 0; k < state.length; k++) {
    h = Math.imul(((h << 13) | (h >>> 19)) ^ state[k], 0xcc9e_2d51);
    h ^= h >>> 16;
  }
  h = Math.imul(h ^ (h >>> 16), 0xc2b2_ae35);
  return h ^ (h >>> 16);
}
