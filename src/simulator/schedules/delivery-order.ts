/**
 * The order in which messages that arrive at the same time are handled: by receiver, then by port, then in the order of
 * sending. Receivers are in the order of their first message, which only a trace shows.
 */
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';

const NO_MESSAGE = -1;
/** Up to this length insertion sort is faster. */
const SHORT = 24;
const PLACES = 2 ** 27;

export class DeliveryOrder {
  /** The offsets of the records in order; only the first entries are valid. */
  order: Int32Array = new Int32Array(64);

  /** Linked lists of the messages of each receiver, used while sorting. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private chain = new Int32Array(64);

  constructor(nodes: number) {
    this.first = new Int32Array(nodes).fill(NO_MESSAGE);
    this.last = new Int32Array(nodes);
  }

  /** Sorts the records of the first `length` words. */
  arrange(words: Int32Array, length: number, width: number): void {
    const count = length / width;
    if (count === 1) {
      this.order[0] = 0;
      return;
    }
    if (count > this.order.length) {
      this.order = new Int32Array(2 * count);
      this.chain = new Int32Array(2 * count);
    }
    const { first, last, chain, order } = this;
    for (let k = 0; k < count; k++) {
      const to = receiverOf(words, k * width);
      chain[k] = NO_MESSAGE;
      if (first[to] === NO_MESSAGE) first[to] = k;
      else chain[last[to]] = k;
      last[to] = k;
    }
    let placed = 0;
    for (let k = 0; k < count; k++) {
      const to = receiverOf(words, k * width);
      if (first[to] === NO_MESSAGE) continue;
      const begin = placed;
      let sorted = true;
      for (let link = first[to]; link !== NO_MESSAGE; link = chain[link]) {
        const base = link * width;
        if (placed > begin && portOf(words, base) < portOf(words, order[placed - 1])) sorted = false;
        order[placed++] = base;
      }
      first[to] = NO_MESSAGE;
      if (!sorted) this.sort(words, begin, placed);
    }
  }

  /** A stable sort by port. */
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

  /** Sorts numbers that combine port and index, exact below 2^53, which needs no comparison function. */
  private sortByKeys(words: Int32Array, begin: number, end: number): void {
    const { order } = this;
    const keys = new Float64Array(end - begin);
    for (let k = begin; k < end; k++) keys[k - begin] = portOf(words, order[k]) * PLACES + (k - begin);
    keys.sort();
    const placed = order.slice(begin, end);
    for (let k = begin; k < end; k++) order[k] = placed[keys[k - begin] % PLACES];
  }
}
