/** Deliveries of any schedule: each message is copied into the schedule, and may be observed, lost or duplicated there. */
import type { Machine } from '../kernel/machine/machine.ts';
import { portOf, receiverOf, typeOf } from '../kernel/machine/message-buffer.ts';
import type { Delivery, DeliveryProgress } from './delivery.ts';
import type { LinkFaults } from './faults/link-faults.ts';
import { type Schedule, TICKS } from './schedules/schedule.ts';
import { noteAnnounced, noteAnnouncer, type Tally } from './tally.ts';
import type { TimerTable } from './timers.ts';

export class ScheduledDelivery implements Delivery {
  private readonly width: number;
  private readonly hasLists: boolean;

  constructor(
    private readonly progress: DeliveryProgress,
    private readonly machine: Machine,
    private readonly schedule: Schedule,
    private readonly timers: TimerTable,
    private readonly tally: Tally,
    /** The longest chain of messages that reached each node. */
    private readonly depths: Int32Array,
    /** Null if messages need nothing but delivery: no observer, no faults, no lists. */
    private readonly faults: LinkFaults | null,
  ) {
    this.width = machine.codec.width;
    this.hasLists = machine.codec.layout.lists.length > 0;
  }

  begin(): void {}

  deliver(last: number): boolean {
    const { progress, schedule } = this;
    for (let base = schedule.take(progress.now); base >= 0; base = schedule.take(progress.now)) {
      this.deliverOne(schedule.words, base);
      if (progress.steps >= last) return false;
    }
    return true;
  }

  applyEffects(at: number): void {
    const { context } = this.machine;
    if (context.outbox.end > 0) this.post(at);
    if (context.hasEffects && context.timerWords > 0) {
      this.timers.set(this.progress.now, at, context.timers, context.timerWords);
    }
  }

  private deliverOne(words: Int32Array, base: number): void {
    const { depths, faults, machine, progress, schedule, tally } = this;
    const to = receiverOf(words, base);
    progress.steps++;
    progress.event = 'message';
    if (faults !== null && !faults.arrives(progress.now, schedule.sentAt(), words, base)) return;
    if (machine.startsOnMessage(to)) progress.noteStart(to);
    const depth = schedule.depth();
    if (depth > depths[to]) depths[to] = depth;
    if (typeOf(words, base) >= tally.firstAnnouncement) noteAnnounced(tally, to, progress.now / TICKS);
    machine.receive(words, base);
    progress.applyEffects(to);
    if (this.hasLists) machine.codec.releaseLists(words, base, machine.lists);
  }

  private post(at: number): void {
    const { faults, machine, schedule, tally } = this;
    const { now } = this.progress;
    const { outbox } = machine.context;
    const { topology } = machine.environment;
    const { words, end } = outbox;
    const depth = this.depths[at] + 1;
    for (let base = 0; base < end; base += this.width) {
      const link = topology.link(receiverOf(words, base), portOf(words, base));
      const type = typeOf(words, base);
      tally.byType[type]++;
      if (type >= tally.firstAnnouncement) noteAnnouncer(tally, at);
      const copies = faults === null ? 1 : faults.copies(now, at, words, base);
      if (copies > 0) schedule.add(now, link, words, base, depth);
      if (copies > 1) {
        machine.codec.ownLists(words, base, machine.lists);
        schedule.add(now, link, words, base, depth);
      }
    }
    outbox.clear();
  }
}
