/**
 * Deliveries in lockstep without a copy of any message: handlers write into the batch that arrives one unit later. For runs
 * without an observer, lists, lossy links or invariants, in which nothing but a handler looks at a message.
 *
 * Guarantees: the same results as the deliveries of the general loop; recorded runs compare both.
 */
import type { Machine } from '../kernel/machine/machine.ts';
import { type MessageBuffer, MOST_TYPES } from '../kernel/machine/message-buffer.ts';
import type { Delivery, DeliveryProgress } from './delivery.ts';
import type { LinkFaults } from './faults/link-faults.ts';
import type { Lockstep } from './schedules/lockstep.ts';
import { TICKS } from './schedules/schedule.ts';
import { noteAnnounced, noteAnnouncer, type Tally } from './tally.ts';
import type { TimerTable } from './timers.ts';

const TYPE_MASK = MOST_TYPES - 1;

export class DirectDelivery implements Delivery {
  private readonly width: number;
  private outbox: MessageBuffer;
  /** The end of the messages that were counted. */
  private counted = 0;

  constructor(
    private readonly progress: DeliveryProgress,
    private readonly machine: Machine,
    private readonly schedule: Lockstep,
    private readonly timers: TimerTable,
    private readonly tally: Tally,
    /** The longest chain of messages that reached each node. */
    private readonly depths: Int32Array,
    /** Null if no node crashes and the network is never partitioned. */
    private readonly faults: LinkFaults | null,
  ) {
    this.width = machine.codec.width;
    this.outbox = machine.context.outbox;
  }

  begin(now: number): void {
    this.schedule.openBatch(now);
    const outbox = this.schedule.outboxAt(now);
    this.outbox = outbox;
    this.machine.context.outbox = outbox;
    this.counted = outbox.end;
  }

  deliver(last: number): boolean {
    const { depths, faults, machine, progress, schedule, tally, width } = this;
    const { now } = progress;
    const hasStarters = machine.algorithm.startOnMessage === true;
    const { words } = schedule;
    for (let base = schedule.take(now); base >= 0; base = schedule.take(now)) {
      progress.steps++;
      progress.event = 'message';
      if (faults === null || faults.arrives(now, now - TICKS, words, base)) {
        const to = words[base];
        if (hasStarters && machine.startsOnMessage(to)) progress.noteStart(to);
        const depth = words[base + width];
        if (depth > depths[to]) depths[to] = depth;
        if ((words[base + 1] & TYPE_MASK) >= tally.firstAnnouncement) noteAnnounced(tally, to, now / TICKS);
        machine.receive(words, base);
        this.applyEffects(to);
      }
      if (progress.steps >= last) return false;
    }
    return true;
  }

  applyEffects(at: number): void {
    const { context } = this.machine;
    if (this.outbox.end > this.counted) this.count(at);
    if (context.hasEffects && context.timerWords > 0) {
      this.timers.set(this.progress.now, at, context.timers, context.timerWords);
    }
  }

  /** Counts the messages that a node has just sent, and writes their depth. */
  private count(at: number): void {
    const { tally, width } = this;
    const { words, end } = this.outbox;
    const depth = this.depths[at] + 1;
    for (let base = this.counted; base < end; base += width + 1) {
      words[base + width] = depth;
      const type = words[base + 1] & TYPE_MASK;
      tally.byType[type]++;
      if (type >= tally.firstAnnouncement) noteAnnouncer(tally, at);
    }
    this.counted = end;
  }
}
