/**
 * The order in which messages that arrive at the same time are handled: by receiver, then by port, then in the order of
 * sending. Receivers are in the order of their first message, which only a trace shows.
 */
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';
import { MAX_TOPOLOGY_NODES } from '../../kernel/network/topology.ts';

const NO_MESSAGE = -1;
/** Numbers begin with 1 again before they exceed a word. */
const MAX_NUMBERS = 2 ** 30;
/** Up to this length insertion sort is faster. */
const SHORT = 24;

export class DeliveryOrder {
  /** The offsets of the records in order; only the first entries are valid. */
  order: Int32Array = new Int32Array(64);

  /** The order of the last batch that was sorted, and the order of sending. */
  private sorted: Int32Array = this.order;
  private unsorted: Int32Array = new Int32Array(0);

  /** By position: its number as a receiver. Those of all times are numbered, so earlier ones need not be erased. */
  private readonly numbers: Int32Array;
  /** The number of the first receiver of this time. */
  private firstNumber = 1;
  /** By receiver: its first message; the complement of it if its messages are not in the order of ports. */
  private heads = new Int32Array(64);
  /** By receiver: its last message. */
  private lasts = new Int32Array(64);
  private receivers = 0;
  /** By message: the next message of the same receiver. */
  private chain = new Int32Array(64);
  /** By message: its port, so that sorting does not read the records again, which are far apart. */
  private ports = new Int32Array(64);
  /** By port: the number of messages, and then the place of the next one. */
  private places = new Int32Array(0);
  /** While the messages of a receiver are sorted: their ports, close together, and their order. */
  private keys = new Int32Array(0);
  private moved = new Int32Array(0);

  constructor(nodes: number) {
    this.numbers = new Int32Array(nodes);
  }

  /** Sorts the records of the first `length` words. All calls have the same `width`. */
  arrange(words: Int32Array, length: number, width: number): void {
    const count = length / width;
    if (isOnceAround(words, length, width)) {
      if (count > this.unsorted.length) this.unsorted = multiples(width, 2 * count);
      this.order = this.unsorted;
      return;
    }
    if (count > this.sorted.length) {
      this.sorted = new Int32Array(2 * count);
      this.heads = new Int32Array(2 * count);
      this.lasts = new Int32Array(2 * count);
      this.chain = new Int32Array(2 * count);
      this.ports = new Int32Array(2 * count);
    }
    if (this.firstNumber > MAX_NUMBERS) {
      this.firstNumber = 1;
      this.numbers.fill(0);
    }
    this.order = this.sorted;
    this.receivers = 0;
    this.collect(words, count, width);
    this.firstNumber += this.receivers;
    this.place(width);
  }

  // One loop per method: with two, Node 20 may enter the compiled code of the first in every call, and leave it for the
  // interpreter before the second, which had not run when the first was compiled.

  /** Links the messages of each receiver in the order of sending. */
  private collect(words: Int32Array, count: number, width: number): void {
    const { chain, firstNumber, heads, lasts, numbers, ports } = this;
    let receivers = 0;
    for (let k = 0, base = 0; k < count; k++, base += width) {
      const at = receiverOf(words, base);
      const port = portOf(words, base);
      chain[k] = NO_MESSAGE;
      ports[k] = port;
      const receiver = numbers[at] - firstNumber;
      if (receiver < 0) {
        numbers[at] = firstNumber + receivers;
        heads[receivers] = k;
        lasts[receivers++] = k;
      } else {
        const last = lasts[receiver];
        chain[last] = k;
        if (ports[last] > port && heads[receiver] >= 0) heads[receiver] = ~heads[receiver];
        lasts[receiver] = k;
      }
    }
    this.receivers = receivers;
  }

  private place(width: number): void {
    const { chain, heads, order, receivers } = this;
    let placed = 0;
    for (let receiver = 0; receiver < receivers; receiver++) {
      const head = heads[receiver];
      if (head >= 0 && chain[head] === NO_MESSAGE) order[placed++] = head * width;
      else placed = this.placeAll(head, placed, width);
    }
  }

  /** Places the messages of a receiver that has several, and returns the next place. */
  private placeAll(head: number, begin: number, width: number): number {
    const { chain, order } = this;
    let end = begin;
    for (let message = head < 0 ? ~head : head; message !== NO_MESSAGE; message = chain[message]) {
      order[end++] = message;
    }
    if (head < 0) this.sort(begin, end);
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
    if (end - begin > this.moved.length) {
      this.keys = new Int32Array(2 * (end - begin));
      this.moved = new Int32Array(2 * (end - begin));
    }
    const { keys, moved } = this;
    let least = ports[order[begin]];
    let most = least;
    for (let k = begin; k < end; k++) {
      const port = ports[order[k]];
      keys[k - begin] = port;
      if (port < least) least = port;
      else if (port > most) most = port;
    }
    if (most - least >= this.places.length) this.places = new Int32Array(2 * (most - least + 1));
    const { places } = this;
    places.fill(0, 0, most - least + 1);
    for (let k = begin; k < end; k++) places[keys[k - begin] - least]++;
    for (let port = 0, next = 0; port <= most - least; port++) {
      const messages = places[port];
      places[port] = next;
      next += messages;
    }
    for (let k = begin; k < end; k++) moved[places[keys[k - begin] - least]++] = order[k];
    for (let k = begin; k < end; k++) order[k] = moved[k - begin];
  }
}

/**
 * True if the receivers are distinct and in the order of their positions, from any position on: such a batch is in order. On a
 * ring most batches are.
 */
function isOnceAround(words: Int32Array, length: number, width: number): boolean {
  const first = words[0];
  let last = first;
  let end = MAX_TOPOLOGY_NODES;
  for (let base = width; base < length; base += width) {
    const at = words[base];
    if (at <= last) end = first;
    if (at >= end || (at <= last && last < first)) return false;
    last = at;
  }
  return true;
}

function multiples(width: number, count: number): Int32Array {
  const offsets = new Int32Array(count);
  for (let k = 0; k < count; k++) offsets[k] = k * width;
  return offsets;
}
