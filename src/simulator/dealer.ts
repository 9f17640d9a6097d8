/**
 * The messages that arrive at one instant, in the order in which they are handled: a node that gets several
 * takes them in port order, those of one port as they were sent. Nodes come in the order in which they were
 * first sent to; among nodes the order shows nowhere but in a trace.
 */
import { portOf, receiverOf } from '../kernel/records.ts';

const NOBODY = -1;

export class Dealer {
  /** Where the records begin, in order; the first `length` of the array. */
  order = new Int32Array(64);

  /** The messages of each receiver as a chain of numbers, while dealing. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private chain = new Int32Array(64);

  constructor(nodes: number) {
    this.first = new Int32Array(nodes).fill(NOBODY);
    this.last = new Int32Array(nodes);
  }

  /** Deals out the records of the first `length` words. */
  deal(words: Int32Array, length: number, width: number): void {
    const count = length / width;
    if (count > this.order.length) {
      this.order = new Int32Array(2 * count);
      this.chain = new Int32Array(2 * count);
    }
    const { first, last, chain, order } = this;
    for (let k = 0; k < count; k++) {
      const to = receiverOf(words, k * width);
      chain[k] = NOBODY;
      if (first[to] === NOBODY) first[to] = k;
      else chain[last[to]] = k;
      last[to] = k;
    }
    let dealt = 0;
    for (let k = 0; k < count; k++) {
      const to = receiverOf(words, k * width);
      if (first[to] === NOBODY) continue;
      const begin = dealt;
      let sorted = true;
      for (let link = first[to]; link !== NOBODY; link = chain[link]) {
        const base = link * width;
        if (dealt > begin && portOf(words, base) < portOf(words, order[dealt - 1])) sorted = false;
        order[dealt++] = base;
      }
      first[to] = NOBODY;
      if (!sorted) this.sort(words, begin, dealt);
    }
  }

  /** By port; what was sent first stays first. */
  private sort(words: Int32Array, begin: number, end: number): void {
    const { order } = this;
    if (end - begin === 2) {
      [order[begin], order[begin + 1]] = [order[begin + 1], order[begin]];
      return;
    }
    const hand = Array.from(order.subarray(begin, end));
    hand.sort((a, b) => portOf(words, a) - portOf(words, b));
    order.set(hand, begin);
  }
}
