/**
 * The set of visited states, numbered in the order of discovery. Exact: states are compared completely.
 *
 * A state is stored as a pair of numbers: one of its left half and one of its right half (tree compression, Laarman, van de
 * Pol and Weber, SPIN 2011, here with one level). A step changes few places, so the halves recur in many states:
 * 5,181,572 states of a ring with 14 nodes have 7,038 left and 11,484 right halves. A state takes 17 to 23 bytes; its
 * width matters only for the halves. If all halves were different, a state of w places would take 2w bytes more, and 32
 * for the tables.
 *
 * `order` is a permutation of the places. Places that change together should be adjacent: then a step changes one half,
 * and the other is known from the state that was read last.
 */
import { PairSet } from './pair-set.ts';
import { RowSet } from './row-set.ts';

/** A set of visited states. */
export interface SeenStates {
  readonly count: number;
  readonly bytes: number;
  /** States are compared completely, and every state can be read again. */
  readonly exact: boolean;
  /** The number of a state; it is new if `count` has grown. */
  add(state: Uint16Array, parent: number): number;
  /** Prepares a successor of the state that was read last. */
  stage(state: Uint16Array): void;
  /** Adds the staged states in their order. Returns the smallest of their numbers; Infinity if there are none. */
  addStaged(parent: number): number;
  /** The number of a state; −1 if it was not visited. */
  find(state: Uint16Array): number;
  /** Copies a state. A store that is not exact allows it once for each state, in the order of the numbers. */
  read(number: number, into: Uint16Array): void;
  /** The state from which this one was discovered; −1 for an initial state. */
  parentOf(number: number): number;
  /** What a search needs to continue, in the memory of this store. */
  save(): SavedStates;
  /** Fills an empty store. The saved states are not changed later. */
  load(saved: SavedStates): void;
}

/** The states of a store as plain numbers. */
export interface SavedStates {
  /** Exact: the numbers of states, left halves and right halves. Fingerprints: of states, and of blocks that were dropped. */
  readonly counts: readonly number[];
  /** The entries of the pair set, in blocks. */
  readonly pairs: readonly Int32Array[];
  /** Exact: the left and the right halves. Fingerprints: the states in the queue, in blocks. */
  readonly rows: readonly Uint16Array[];
}

/** The sets of a store. */
interface Parts {
  readonly pairs: PairSet;
  readonly Rows: typeof RowSet;
}

export class StateStore implements SeenStates {
  readonly exact = true;

  readonly pairs: PairSet;
  readonly left: RowSet;
  readonly right: RowSet;
  /** By place: 1 if it is in the right half. */
  private readonly isRight: Uint8Array;
  private readonly weights: Int32Array;
  /** The state that was read last, its halves, and their weighted sums. */
  private readonly last: Uint16Array;
  private lastLeft = 0;
  private lastRight = 0;
  private leftSum = 0;
  private rightSum = 0;

  constructor(
    readonly width: number,
    readonly order: readonly number[] = Array.from({ length: width }, (_, place) => place),
    { pairs, Rows }: Parts = { pairs: new PairSet(), Rows: RowSet },
  ) {
    this.weights = Int32Array.from({ length: width }, (_, place) => weightOf(place));
    this.pairs = pairs;
    this.left = new Rows(order.slice(0, width >> 1), this.weights);
    this.right = new Rows(order.slice(width >> 1), this.weights);
    this.isRight = new Uint8Array(width);
    for (const place of order.slice(width >> 1)) this.isRight[place] = 1;
    this.last = new Uint16Array(width);
  }

  get count(): number {
    return this.pairs.count;
  }

  get bytes(): number {
    return this.pairs.bytes + this.left.bytes + this.right.bytes;
  }

  add(state: Uint16Array, parent: number): number {
    return this.pairs.add(this.left.add(state), this.right.add(state), parent);
  }

  stage(state: Uint16Array): void {
    const { isRight, last, left, right, weights } = this;
    let { leftSum, rightSum } = this;
    let isLeftNew = false;
    let isRightNew = false;
    for (let place = 0; place < last.length; place++) {
      const change = state[place] - last[place];
      if (change === 0) continue;
      if (isRight[place] === 0) {
        leftSum = (leftSum + Math.imul(weights[place], change)) | 0;
        isLeftNew = true;
      } else {
        rightSum = (rightSum + Math.imul(weights[place], change)) | 0;
        isRightNew = true;
      }
    }
    this.pairs.stage(
      isLeftNew ? left.add(state, leftSum) : this.lastLeft,
      isRightNew ? right.add(state, rightSum) : this.lastRight,
    );
  }

  addStaged(parent: number): number {
    return this.pairs.addStaged(parent);
  }

  find(state: Uint16Array): number {
    const left = this.left.find(state);
    const right = this.right.find(state);
    return left < 0 || right < 0 ? -1 : this.pairs.find(left, right);
  }

  read(number: number, into: Uint16Array): void {
    const { last, left, right } = this;
    this.lastLeft = this.pairs.firstOf(number);
    this.lastRight = this.pairs.secondOf(number);
    this.leftSum = left.sumOf(this.lastLeft);
    this.rightSum = right.sumOf(this.lastRight);
    left.read(this.lastLeft, last);
    right.read(this.lastRight, last);
    for (let place = 0; place < last.length; place++) into[place] = last[place];
  }

  parentOf(number: number): number {
    return this.pairs.parentOf(number);
  }

  save(): SavedStates {
    const { left, pairs, right } = this;
    return {
      counts: [pairs.count, left.count, right.count],
      pairs: pairs.save(),
      rows: [left.save(), right.save()],
    };
  }

  load({ counts, pairs: saved, rows }: SavedStates): void {
    const { left, pairs, right } = this;
    const [count, leftCount, rightCount] = counts;
    pairs.load(saved, count);
    const [isLeftUsed, isRightUsed] = [new Uint8Array(leftCount), new Uint8Array(rightCount)];
    for (let number = 0; number < count; number++) {
      isLeftUsed[pairs.firstOf(number)] = 1;
      isRightUsed[pairs.secondOf(number)] = 1;
    }
    left.load(rows[0], leftCount, (number) => isLeftUsed[number] === 1);
    right.load(rows[1], rightCount, (number) => isRightUsed[number] === 1);
  }

  /** Moves the states to memory that other threads can use. */
  share(): void {
    for (const set of [this.pairs, this.left, this.right]) set.share();
  }

  /** Makes room for states that other threads add. */
  reserve(more: number): void {
    this.pairs.reserve(more);
    this.left.reserve(Math.max(more >> 3, this.left.count));
    this.right.reserve(Math.max(more >> 3, this.right.count));
  }

  /** Moves the states to new memory, without what other threads have added and not finished. */
  rebuild(): void {
    for (const set of [this.pairs, this.left, this.right]) set.rebuild();
    this.share();
  }

  get memory() {
    return { pairs: this.pairs.memory, left: this.left.memory, right: this.right.memory };
  }
}

/** Odd, and without relations to the weights of other places. */
function weightOf(place: number): number {
  let h = Math.imul(place + 1, 0x9e37_79b1);
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) | 1;
}
