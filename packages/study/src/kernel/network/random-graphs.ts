/**
 * Random graphs: a PRNG in the same state gives the same graph.
 *
 * Guarantees: a random tree is uniform over the n^(n−2) labelled trees; a random graph is connected and has exactly the
 * given number of edges. Does not guarantee that it is uniform over all such graphs: it is a uniform tree plus a uniform
 * choice among the other pairs, which favours graphs with many spanning trees.
 */
import { InputError } from '../errors.ts';
import type { Random } from '../random.ts';
import { checkNodes, MAX_STORED_EDGES, Topology } from './topology.ts';

export function randomTree(n: number, random: Random): Topology {
  checkNodes(n, MAX_STORED_EDGES + 1);
  return Topology.fromEdges('random-tree', n, treePairs(n, random));
}

/** A connected graph with `edges` edges, from n − 1 to n(n − 1)/2. */
export function randomGraph(n: number, edges: number, random: Random): Topology {
  checkNodes(n, MAX_STORED_EDGES + 1);
  const most = Math.min((n * (n - 1)) / 2, MAX_STORED_EDGES);
  if (!Number.isInteger(edges) || edges < n - 1 || edges > most) {
    throw new InputError(
      `a connected graph of ${n} nodes must have from ${n - 1} to ${most} edges, not ${edges}`,
    );
  }
  const pairs = new Int32Array(2 * edges);
  pairs.set(treePairs(n, random));
  const unlinked = (n * (n - 1)) / 2 - (n - 1);
  const wanted = edges - (n - 1);
  const taken = new PairSet(n, 2 * wanted > unlinked ? n - 1 : edges);
  for (let i = 0; i < 2 * (n - 1); i += 2) taken.add(pairs[i], pairs[i + 1]);
  if (2 * wanted > unlinked) selectPairs(n, unlinked, pairs, taken, random);
  else drawPairs(n, pairs, taken, random);
  return Topology.fromEdges(`random:${edges}`, n, pairs);
}

/** Decodes a random Prüfer sequence in linear time: the sequences of n − 2 positions are in bijection with the trees. */
function treePairs(n: number, random: Random): Int32Array {
  const pairs = new Int32Array(2 * (n - 1));
  if (n === 1) return pairs;
  const code = new Int32Array(n - 2);
  // The number of edges that each position still needs: 1, plus 1 for each occurrence in the code.
  const missing = new Int32Array(n).fill(1);
  for (let i = 0; i < code.length; i++) {
    code[i] = random.below(n);
    missing[code[i]]++;
  }
  // Invariant: `leaf` is the smallest remaining leaf, and every other leaf below `scanned` has been used.
  let scanned = 0;
  while (missing[scanned] !== 1) scanned++;
  let leaf = scanned;
  for (let i = 0; i < code.length; i++) {
    const parent = code[i];
    pairs[2 * i] = leaf;
    pairs[2 * i + 1] = parent;
    missing[parent]--;
    if (missing[parent] === 1 && parent < scanned) {
      leaf = parent;
    } else {
      do scanned++;
      while (missing[scanned] !== 1);
      leaf = scanned;
    }
  }
  pairs[2 * n - 4] = leaf;
  pairs[2 * n - 3] = n - 1;
  return pairs;
}

/** For sparse graphs: draws pairs until enough are new. At least half of the pairs outside the tree remain free. */
function drawPairs(n: number, pairs: Int32Array, taken: PairSet, random: Random): void {
  let at = 2 * (n - 1);
  while (at < pairs.length) {
    const a = random.below(n);
    const b = random.below(n);
    if (a === b || !taken.add(a, b)) continue;
    pairs[at++] = a;
    pairs[at++] = b;
  }
}

/** For dense graphs: Knuth's algorithm S visits each free pair once, and selects it with the right probability. */
function selectPairs(n: number, unlinked: number, pairs: Int32Array, tree: PairSet, random: Random): void {
  let at = 2 * (n - 1);
  let left = unlinked;
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      if (tree.has(a, b)) continue;
      if (random.below(left) < (pairs.length - at) / 2) {
        pairs[at++] = a;
        pairs[at++] = b;
      }
      left--;
    }
  }
}

/** A set of unordered pairs with open addressing, at most half full. A `Set` holds at most 2^24 entries. */
class PairSet {
  private readonly n: number;
  private readonly keys: Float64Array;

  constructor(n: number, capacity: number) {
    this.n = n;
    this.keys = new Float64Array(2 ** Math.ceil(Math.log2(2 * capacity + 2))).fill(-1);
  }

  has(a: number, b: number): boolean {
    const key = this.keyOf(a, b);
    return this.keys[this.slotOf(key)] === key;
  }

  /** False if the set had the pair already. */
  add(a: number, b: number): boolean {
    const key = this.keyOf(a, b);
    const slot = this.slotOf(key);
    if (this.keys[slot] === key) return false;
    this.keys[slot] = key;
    return true;
  }

  private keyOf(a: number, b: number): number {
    return a < b ? a * this.n + b : b * this.n + a;
  }

  /** The slot of the key, or the free slot for it. */
  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    const mixed = Math.imul((key | 0) ^ Math.imul((key / 0x1_0000_0000) | 0, 0x9e37_79b1), 0x85eb_ca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.keys[slot] !== -1 && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}
