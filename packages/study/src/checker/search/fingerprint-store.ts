/**
 * The set of visited states as 64-bit fingerprints (hash compaction): two states with equal fingerprints count as one. For
 * s states the probability of a collision is about s² / 2^65: one in 4 million for 3 million states.
 *
 * States in the queue are stored completely, and dropped after they are read. So a state takes 17 to 23 bytes, whatever its
 * width. Dropped states cannot be read again, so termination cannot be checked if the graph may have cycles.
 */
import { PairSet } from './pair-set.ts';
import type { SavedStates, SeenStates } from './state-store.ts';

/** Small, because a check may consist of a thousand searches of a few hundred states. */
const BLOCK_BITS = 9;
const BLOCK = 1 << BLOCK_BITS;

export class FingerprintStore implements SeenStates {
  readonly exact = false;

  private readonly pairs = new PairSet();
  /** By block: the states of the queue; null after the block was read. */
  private readonly rows: (Uint16Array | null)[] = [];
  private blocksInQueue = 0;
  private staged = 0;
  private readonly stagedRows: Uint16Array[] = [];

  constructor(private readonly width: number) {}

  get count(): number {
    return this.pairs.count;
  }

  get bytes(): number {
    return this.pairs.bytes + 2 * this.width * BLOCK * this.blocksInQueue;
  }

  add(state: Uint16Array, parent: number): number {
    const before = this.pairs.count;
    const number = this.pairs.add(hashOf(state), secondHashOf(state), parent);
    if (this.pairs.count > before) this.append(number, state);
    return number;
  }

  stage(state: Uint16Array): void {
    this.pairs.stage(hashOf(state), secondHashOf(state));
    if (this.staged === this.stagedRows.length) this.stagedRows.push(new Uint16Array(this.width));
    this.stagedRows[this.staged++].set(state);
  }

  addStaged(parent: number): number {
    const before = this.pairs.count;
    const least = this.pairs.addStaged(parent);
    const { fresh } = this.pairs;
    for (let k = 0; k < fresh.length; k++) this.append(before + k, this.stagedRows[fresh[k]]);
    this.staged = 0;
    return least;
  }

  find(state: Uint16Array): number {
    return this.pairs.find(hashOf(state), secondHashOf(state));
  }

  read(number: number, into: Uint16Array): void {
    const block = number >>> BLOCK_BITS;
    const row = this.rows[block];
    if (row === null || row === undefined) throw new Error(`state ${number} was dropped`);
    const from = (number & (BLOCK - 1)) * this.width;
    for (let k = 0; k < this.width; k++) into[k] = row[from + k];
    if ((number & (BLOCK - 1)) !== BLOCK - 1) return;
    this.rows[block] = null;
    this.blocksInQueue--;
  }

  parentOf(number: number): number {
    return this.pairs.parentOf(number);
  }

  save(): SavedStates {
    const queue = this.rows.filter((block) => block !== null);
    return {
      counts: [this.count, this.rows.length - queue.length],
      pairs: this.pairs.save(),
      rows: queue,
    };
  }

  load({ counts, pairs, rows }: SavedStates): void {
    const [count, dropped] = counts;
    this.pairs.load(pairs, count);
    for (let block = 0; block < dropped; block++) this.rows.push(null);
    this.rows.push(...rows.map((block) => block.slice()));
    this.blocksInQueue = rows.length;
  }

  private append(number: number, state: Uint16Array): void {
    const block = number >>> BLOCK_BITS;
    if (block === this.rows.length) {
      this.rows.push(new Uint16Array(BLOCK * this.width));
      this.blocksInQueue++;
    }
    this.rows[block]?.set(state, (number & (BLOCK - 1)) * this.width);
  }
}

/** The hash that indexes the table. Together with `secondHashOf`, which is independent of it, it is the fingerprint. */
function hashOf(state: Uint16Array): number {
  let h = 0x811c_9dc5;
  for (let k = 0; k < state.length; k++) h = Math.imul(h ^ state[k], 0x0100_0193);
  h = Math.imul(h ^ (h >>> 15), 0x85eb_ca6b);
  return h ^ (h >>> 13);
}

function secondHashOf(state: Uint16Array): number {
  let h = 0x9e37_79b9;
  for (let k = 0; k < state.length; k++) {
    h = Math.imul(((h << 13) | (h >>> 19)) ^ state[k], 0xcc9e_2d51);
    h ^= h >>> 16;
  }
  h = Math.imul(h ^ (h >>> 16), 0xc2b2_ae35);
  return h ^ (h >>> 16);
}
