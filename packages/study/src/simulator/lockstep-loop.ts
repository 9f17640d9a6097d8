/**
 * The fast loop for lockstep runs in which deliveries are the only events: no faults, timers, late starts, lists or observer.
 * Handlers write their messages directly into the buffer of the next round. If every node has one receiving port, a round
 * is in port order already; otherwise it is sorted by receiver first.
 *
 * Guarantees: the same results as the general loop; a test compares both.
 */
import { NONE } from '../kernel/field.ts';
import { type Machine, refuseReturn } from '../kernel/machine/machine.ts';
import {
  MAX_TYPES,
  MessageBuffer,
  portOf,
  receiverOf,
  TYPE_BITS,
  typeOf,
} from '../kernel/machine/message-buffer.ts';
import { AWAKE } from '../kernel/machine/status.ts';
import { deliverOneWayRounds } from './one-way-rounds.ts';
import { DeliveryOrder } from './schedules/delivery-order.ts';
import { noteAnnounced, noteAnnouncer, type Tally } from './tally.ts';

const PORT_SHIFT = TYPE_BITS;
const TYPE_MASK = MAX_TYPES - 1;

export class LockstepLoop {
  private readonly machine: Machine;
  private readonly tally: Tally;
  private readonly deliveryOrder: DeliveryOrder | null;
  /** The buffers of arriving and of sent messages, which swap roles after each round. */
  private readonly even: MessageBuffer;
  private readonly odd: MessageBuffer;
  /** The messages that arrive in this round, and how many of them were handled. */
  private count = 0;
  private handled = 0;

  /** `expected` is the number of messages in the first round, for which there is room from the start. */
  constructor(machine: Machine, tally: Tally, expected: number) {
    this.machine = machine;
    this.tally = tally;
    this.deliveryOrder = machine.environment.topology.oneWay
      ? null
      : new DeliveryOrder(machine.environment.topology.n);
    this.even = new MessageBuffer(machine.codec.width, expected + 1);
    this.odd = new MessageBuffer(machine.codec.width, expected + 1);
    machine.context.outbox = this.even;
  }

  /** True if some messages of this round are delivered and others are not. */
  get isInRound(): boolean {
    return this.handled < this.count;
  }

  /** True if a message is in flight. */
  get pending(): boolean {
    return this.machine.context.outbox.end > 0 || this.isInRound;
  }

  /** Delivers about `budget` messages, up to the time `lastUnit`, and returns their number. Advances the clock. */
  deliver(lastUnit: number, budget: number): number {
    return this.deliveryOrder === null
      ? deliverOneWayRounds(this.machine, this.other(), lastUnit, budget, this.tally)
      : this.deliverInOrder(this.deliveryOrder, lastUnit, budget);
  }

  /** The messages sent so far, by type. The tally has those that have arrived or arrive in this round. */
  sent(): Float64Array {
    const sent = this.tally.byType.slice();
    const { words, end, width } = this.machine.context.outbox;
    for (let base = 0; base < end; base += width) sent[typeOf(words, base)]++;
    return sent;
  }

  /** A long round may be interrupted, and is continued by the next call. */
  private deliverInOrder(deliveryOrder: DeliveryOrder, lastUnit: number, budget: number): number {
    const { machine } = this;
    const { context } = machine;
    const { messages, messageCursor, handlers, state, stateCursor } = machine.handlerCalls();
    const { width } = machine.layout;
    const { status } = machine;
    let done = 0;
    while (done < budget) {
      if (this.handled === this.count) {
        if (!this.pending || context.clock >= lastUnit) break;
        this.nextRound(deliveryOrder);
      }
      const { words } = this.other();
      const end = Math.min(this.count, this.handled + budget - done);
      done += end - this.handled;
      const { order } = deliveryOrder;
      const { allStarted } = context;
      messageCursor.words = words;
      while (this.handled < end) {
        const base = order[this.handled++];
        const at = words[base];
        const portAndType = words[base + 1];
        if (!allStarted) status[at] |= AWAKE;
        stateCursor.base = Math.imul(at, width);
        messageCursor.base = base;
        context.at = at;
        const type = portAndType & TYPE_MASK;
        const returned: unknown = handlers[type](state, portAndType >>> PORT_SHIFT, messages[type], context);
        if (returned !== undefined) refuseReturn(`on.${machine.codec.types[type]}`);
      }
    }
    return done;
  }

  /** Begins the round of the messages that were sent in the previous one. */
  private nextRound(deliveryOrder: DeliveryOrder): void {
    const { context } = this.machine;
    const arriving = context.outbox;
    context.outbox = this.other();
    context.outbox.clear();
    context.clock++;
    this.tallyUp(arriving);
    deliveryOrder.arrange(arriving.words, arriving.end, arriving.width);
    this.count = arriving.end / arriving.width;
    this.handled = 0;
  }

  /** The buffer that is not the outbox. */
  private other(): MessageBuffer {
    return this.machine.context.outbox === this.even ? this.odd : this.even;
  }

  /** Counts arriving messages by type, and records announcers and returned announcements. */
  private tallyUp({ words, end, width }: MessageBuffer): void {
    this.countTypes(words, end, width);
    // A second pass, because all announcers of this round must be known first.
    if (this.tally.announcer !== NONE) this.noteReturned(words, end, width);
  }

  // One loop per method, and nothing after it: see DeliveryOrder.
  private countTypes(words: Int32Array, end: number, width: number): void {
    const { tally } = this;
    const { topology } = this.machine.environment;
    for (let base = 0; base < end; base += width) {
      const type = typeOf(words, base);
      tally.byType[type]++;
      if (type < tally.firstAnnouncement) continue;
      if (tally.announcer !== NONE && tally.announcers === null) continue;
      noteAnnouncer(tally, topology.neighbour(receiverOf(words, base), portOf(words, base)));
    }
  }

  private noteReturned(words: Int32Array, end: number, width: number): void {
    const { tally } = this;
    const { clock } = this.machine.context;
    for (let base = 0; base < end; base += width) {
      if (typeOf(words, base) < tally.firstAnnouncement) continue;
      noteAnnounced(tally, receiverOf(words, base), clock);
    }
  }
}
