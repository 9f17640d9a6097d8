/**
 * The lockstep schedule: every message takes exactly one unit, so messages that are sent at the same time arrive at the same
 * time, as a batch.
 */
import { MessageBuffer } from '../../kernel/machine/message-buffer.ts';
import { DeliveryOrder } from './delivery-order.ts';
import { type Schedule, TICKS } from './schedule.ts';

interface Batch {
  /** Records, each followed by its depth. */
  readonly records: MessageBuffer;
  /** The arrival. */
  time: number;
}

export class Lockstep implements Schedule {
  private readonly width: number;
  private readonly deliveryOrder: DeliveryOrder;
  /** The messages that are sent now. */
  private sending: Batch;
  /** Earlier batches, oldest first: usually none, some if timers fire between units. */
  private readonly inFlight: Batch[] = [];
  private readonly spare: Batch[] = [];
  /** The batch that arrives now. */
  private open: Batch;
  private count = 0;
  private taken = 0;

  constructor(nodes: number, width: number) {
    this.width = width;
    this.deliveryOrder = new DeliveryOrder(nodes);
    this.open = this.newBatch();
    this.sending = this.newBatch();
  }

  get words(): Int32Array {
    return this.open.records.words;
  }

  nextTime(): number {
    if (this.inFlight.length > 0) return this.inFlight[0].time;
    return this.sending.records.end > 0 ? this.sending.time : Number.POSITIVE_INFINITY;
  }

  /** The buffer of the messages that are sent now. Handlers may write into it; each record has one more word, its depth. */
  outboxAt(now: number): MessageBuffer {
    const { sending } = this;
    if (sending.time === now + TICKS) return sending.records;
    if (sending.records.end > 0) {
      this.inFlight.push(sending);
      this.sending = this.spare.pop() ?? this.newBatch();
    }
    this.sending.time = now + TICKS;
    return this.sending.records;
  }

  add(now: number, _link: number, words: Int32Array, base: number, depth: number): void {
    const outbox = this.outboxAt(now);
    const to = outbox.push();
    for (let word = 0; word < this.width; word++) outbox.words[to + word] = words[base + word];
    outbox.words[to + this.width] = depth;
  }

  take(now: number): number {
    if (this.taken === this.count && !this.openBatch(now)) return -1;
    return this.deliveryOrder.order[this.taken++];
  }

  /** The number of messages of the open batch that were not taken. */
  get arriving(): number {
    return this.count - this.taken;
  }

  /** The offsets of the messages of the open batch, in order; only the first entries are valid. */
  get order(): Int32Array {
    return this.deliveryOrder.order;
  }

  /** Takes several messages of the open batch, and returns the place of the first of them in its order. */
  takeMany(messages: number): number {
    const first = this.taken;
    this.taken += messages;
    return first;
  }

  depth(): number {
    return this.words[this.deliveryOrder.order[this.taken - 1] + this.width];
  }

  sentAt(): number {
    return this.open.time - TICKS;
  }

  forEachInFlight(visit: (words: Int32Array, base: number) => void): void {
    for (let k = this.taken; k < this.count; k++) visit(this.words, this.deliveryOrder.order[k]);
    for (const { records } of [...this.inFlight, this.sending]) {
      for (let base = 0; base < records.end; base += records.width) visit(records.words, base);
    }
  }

  /** Opens the batch that arrives now, if there is one. */
  openBatch(now: number): boolean {
    if (this.nextTime() !== now) return false;
    const done = this.open;
    done.records.clear();
    if (this.inFlight.length > 0) {
      this.open = this.inFlight.shift() as Batch;
      this.spare.push(done);
    } else {
      this.open = this.sending;
      this.sending = done;
    }
    const { words, end, width } = this.open.records;
    this.deliveryOrder.arrange(words, end, width);
    this.count = end / width;
    this.taken = 0;
    return true;
  }

  private newBatch(): Batch {
    return { records: new MessageBuffer(this.width + 1), time: Number.NEGATIVE_INFINITY };
  }
}
