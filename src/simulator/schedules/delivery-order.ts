/**
 * The order in which messages that arrive at the same time are handled: by receiver, then by port, then in the order of
 * sending. Receivers are in the order of their first message, which only a trace shows.
 */
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';

const NO_MESSAGE = -1;
/** Up to this length insertion sort is faster. */
const SHORT = 24;

export class DeliveryOrder {
  /** The offsets of the records in order; only the first entries are valid. */
  order: Int32Array = new Int32Array(64);

  /** Linked lists of the messages of each receiver, used while sorting. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private chain = new Int32Array(64);
  /** By message: its port, so that sorting does not read the records again, which are far apart. */
  private ports = new Int32Array(64);
  /** By port: the number of messages, and then the place of the next one. */
  private places = new Int32Array(0);
  private sorted = new Int32Array(0);

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
      this.ports = new Int32Array(2 * count);
    }
    this.collect(words, count, width);
    this.place(words, count, width);
  }

  // One loop per method: with two, Node 20 may enter the compiled code of the first in every call, and leave it for the
  // interpreter before the second, which had not run when the first was compiled.

  /** Links the messages of each receiver in the order of sending. */
  private collect(words: Int32Array, count: number, width: number): void {
    const { chain, first, last, ports } = this;
    for (let k = 0, base = 0; k < count; k++, base += width) {
      const to = receiverOf(words, base);
      chain[k] = NO_MESSAGE;
      ports[k] = portOf(words, base);
      if (first[to] === NO_MESSAGE) first[to] = k;
      else chain[last[to]] = k;
      last[to] = k;
    }
  }

  private place(words: Int32Array, count: number, width: number): void {
    const { chain, first, order } = this;
    let placed = 0;
    for (let k = 0, base = 0; k < count; k++, base += width) {
      const to = receiverOf(words, base);
      if (first[to] === NO_MESSAGE) continue;
      first[to] = NO_MESSAGE;
      if (chain[k] === NO_MESSAGE) order[placed++] = base;
      else placed = this.placeAll(k, placed, width);
    }
  }

  /** Places the messages of a receiver that has several, and returns the next place. */
  private placeAll(message: number, begin: number, width: number): number {
    const { chain, order, ports } = this;
    let end = begin;
    let isSorted = true;
    let before = 0;
    for (let link = message; link !== NO_MESSAGE; link = chain[link]) {
      if (ports[link] < before) isSorted = false;
      before = ports[link];
      order[end++] = link;
    }
    if (!isSorted) this.sort(begin, end);
    for (let place = begin; place < end; place++) order[place] *= width;
    return end;
  }

  /** A stable sort of messages by port. */
  private sort(begin: number, end: number): void {
    if (end - begin <= SHORT) this.insertInOrder(begin, end);
    else this.countPorts(begin, end);
  }

  private insertInOrder(begin: number, end: number): void {
    const { order, ports } = this;
    for (let k = begin + 1; k < end; k++) {
      const message = order[k];
      const port = ports[message];
      let place = k;
      while (place > begin && ports[order[place - 1]] > port) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = message;
    }
  }

  /** A counting sort. */
  private countPorts(begin: number, end: number): void {
    const { order, ports } = this;
    let least = ports[order[begin]];
    let most = least;
    for (let k = begin; k < end; k++) {
      least = Math.min(least, ports[order[k]]);
      most = Math.max(most, ports[order[k]]);
    }
    if (most - least >= this.places.length) this.places = new Int32Array(2 * (most - least + 1));
    if (end - begin > this.sorted.length) this.sorted = new Int32Array(2 * (end - begin));
    const { places, sorted } = this;
    places.fill(0, 0, most - least + 1);
    for (let k = begin; k < end; k++) places[ports[order[k]] - least]++;
    for (let port = 0, next = 0; port <= most - least; port++) {
      const messages = places[port];
      places[port] = next;
      next += messages;
    }
    for (let k = begin; k < end; k++) sorted[places[ports[order[k]] - least]++] = order[k];
    for (let k = begin; k < end; k++) order[k] = sorted[k - begin];
  }
}
