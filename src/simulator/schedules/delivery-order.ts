/**
 * The messages that arrive at one instant, in the order in which they are handled: a node that gets several
 * takes them in port order, those of one port as they were sent. Nodes come in the order in which they were
 * first sent to; among nodes the order shows nowhere but in a trace.
 */
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';

const NOBODY = -1;
/** Hands up to this size are sorted where they lie. */
const SHORT = 24;
const PLACES = 2 ** 27;

export class DeliveryOrder {
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
    if (end - begin <= SHORT) this.insertInOrder(words, begin, end);
    else this.sortByKeys(words, begin, end);
  }

  private insertInOrder(words: Int32Array, begin: number, end: number): void {
    const { order } = this;
    for (let k = begin + 1; k < end; k++) {
      const base = order[k];
      const port = portOf(words, base);
      let place = k;
      while (place > begin && portOf(words, order[place - 1]) > port) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = base;
    }
  }

  /** Port and place in one number, exact below 2^53: sorting plain numbers needs no comparison of ours. */
  private sortByKeys(words: Int32Array, begin: number, end: number): void {
    const { order } = this;
    const keys = new Float64Array(end - begin);
    for (let k = begin; k < end; k++) keys[k - begin] = portOf(words, order[k]) * PLACES + (k - begin);
    keys.sort();
    const dealt = order.slice(begin, end);
    for (let k = begin; k < end; k++) order[k] = dealt[keys[k - begin] % PLACES];
  }
}
