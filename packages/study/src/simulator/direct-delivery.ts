/**
 * Deliveries in lockstep without a copy of any message: handlers write into the batch that arrives one unit later. For runs
 * without an observer, lists, lossy links or invariants, in which nothing but a handler looks at a message.
 *
 * Guarantees: the same results as the deliveries of the general loop; recorded runs compare both.
 */
import { type Machine, refuseReturn } from '../kernel/machine/machine.ts';
import { MAX_TYPES, type MessageBuffer, TYPE_BITS } from '../kernel/machine/message-buffer.ts';
import type { Delivery, DeliveryProgress } from './delivery.ts';
import type { LinkFaults } from './faults/link-faults.ts';
import type { Lockstep } from './schedules/lockstep.ts';
import { TICKS } from './schedules/schedule.ts';
import { noteAnnounced, noteAnnouncer, type Tally } from './tally.ts';
import type { TimerTable } from './timers.ts';

const PORT_SHIFT = TYPE_BITS;
const TYPE_MASK = MAX_TYPES - 1;

export class DirectDelivery implements Delivery {
  private readonly stride: number;
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
    this.outbox = schedule.outboxAt(0);
    this.stride = this.outbox.width;
  }

  begin(now: number): void {
    this.schedule.openBatch(now);
    const outbox = this.schedule.outboxAt(now);
    this.outbox = outbox;
    this.machine.context.outbox = outbox;
    this.counted = outbox.end;
  }

  /** Goes on to the next batch if nothing else happens before it arrives. */
  deliver(last: number): boolean {
    const { depths, faults, machine, progress, schedule, stride, tally } = this;
    if (schedule.arriving === 0) return true;
    const { handlers, messages, messageCursor, state, stateCursor } = machine.handlerCalls();
    const { context } = machine;
    const { width } = machine.layout;
    progress.event = 'message';
    for (;;) {
      const { order, words } = schedule;
      const { now } = progress;
      const most = Math.min(schedule.arriving, last - progress.steps);
      progress.steps += most;
      const begin = schedule.takeMany(most);
      messageCursor.words = words;
      for (let place = begin; place < begin + most; place++) {
        const base = order[place];
        if (faults !== null && !faults.arrives(now, now - TICKS, words, base)) continue;
        const at = words[base];
        const portAndType = words[base + 1];
        const type = portAndType & TYPE_MASK;
        const depth = words[base + stride - 1];
        if (depth > depths[at]) depths[at] = depth;
        if (type >= tally.firstAnnouncement) noteAnnounced(tally, at, context.clock);
        stateCursor.base = Math.imul(at, width);
        context.at = at;
        if (!context.allStarted) {
          messageCursor.base = -1;
          if (machine.startsOnMessage(at)) progress.noteStart(at);
          machine.wake(at);
        }
        messageCursor.base = base;
        const returned: unknown = handlers[type](state, portAndType >>> PORT_SHIFT, messages[type], context);
        if (returned !== undefined) refuseReturn(`on.${machine.codec.types[type]}`);
        this.applyEffects(at);
      }
      if (progress.steps >= last) return false;
      const next = schedule.nextTime();
      if (!progress.isNext(next)) return true;
      progress.advanceTo(next);
    }
  }

  applyEffects(at: number): void {
    const { context } = this.machine;
    if (this.outbox.end > this.counted) this.count(at);
    if (context.timerWords > 0) {
      this.timers.set(this.progress.now, at, context.timers, context.timerWords);
      context.timerWords = 0;
    }
  }

  /** Counts the messages that a node has just sent, and writes their depth. */
  private count(at: number): void {
    const { depths, stride, tally } = this;
    const { words, end } = this.outbox;
    const depth = depths[at] + 1;
    for (let base = this.counted; base < end; base += stride) {
      const type = words[base + 1] & TYPE_MASK;
      tally.byType[type]++;
      if (type >= tally.firstAnnouncement) noteAnnouncer(tally, at);
      words[base + stride - 1] = depth;
    }
    this.counted = end;
  }
}
