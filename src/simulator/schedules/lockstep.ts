/**
 * The lockstep schedule: every message takes exactly one unit, so messages that are sent at the same time arrive at the same
 * time, as a batch.
 */
import { MessageBuffer } from '../../kernel/machine/message-buffer.ts';
import { DeliveryOrder } from './delivery-order.ts';
import { type Schedule, TICKS } from './schedule.ts';

interface Batch {
  readonly records: MessageBuffer;
  depths: Int32Array;
  time: number;
}

export class Lockstep implements Schedule {
  private readonly width: number;
  private readonly deliveryOrder: DeliveryOrder;
  /** Batches in flight, oldest first: usually one, more if timers fire between units. */
  private readonly inFlight: Batch[] = [];
  private readonly spare: Batch[] = [];
  private open: Batch;
  private count = 0;
  private taken = 0;

  constructor(nodes: number, width: number) {
    this.width = width;
    this.deliveryOrder = new DeliveryOrder(nodes);
    this.open = {
      records: new MessageBuffer(width),
      depths: new Int32Array(64),
      time: Number.NEGATIVE_INFINITY,
    };
  }

  get words(): Int32Array {
    return this.open.records.words;
  }

  nextTime(): number {
    return this.inFlight.length > 0 ? this.inFlight[0].time : Number.POSITIVE_INFINITY;
  }

  add(now: number, _link: number, words: Int32Array, base: number, depth: number): void {
    let batch = this.inFlight.at(-1);
    if (batch?.time !== now + TICKS) {
      batch = this.spare.pop() ?? {
        records: new MessageBuffer(this.width),
        depths: new Int32Array(64),
        time: 0,
      };
      batch.time = now + TICKS;
      this.inFlight.push(batch);
    }
    const number = batch.records.end / this.width;
    batch.records.append(words, base);
    if (number === batch.depths.length) {
      const longer = new Int32Array(2 * number);
      longer.set(batch.depths);
      batch.depths = longer;
    }
    batch.depths[number] = depth;
  }

  take(now: number): number {
    if (this.taken === this.count && !this.openBatch(now)) return -1;
    return this.deliveryOrder.order[this.taken++];
  }

  depth(): number {
    return this.open.depths[this.deliveryOrder.order[this.taken - 1] / this.width];
  }

  sentAt(): number {
    return this.open.time - TICKS;
  }

  forEachInFlight(visit: (words: Int32Array, base: number) => void): void {
    for (let k = this.taken; k < this.count; k++) visit(this.words, this.deliveryOrder.order[k]);
    for (const { records } of this.inFlight) {
      for (let base = 0; base < records.end; base += this.width) visit(records.words, base);
    }
  }

  private openBatch(now: number): boolean {
    if (this.nextTime() !== now) return false;
    this.open.records.clear();
    this.spare.push(this.open);
    this.open = this.inFlight.shift() as Batch;
    const { words, end } = this.open.records;
    this.deliveryOrder.arrange(words, end, this.width);
    this.count = end / this.width;
    this.taken = 0;
    return true;
  }
}
