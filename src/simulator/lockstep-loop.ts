/**
 * Lockstep at full speed, for runs in which messages are all that happens: no faults, timers or late starts, no
 * lists, and nobody looks. Handlers write their messages straight into the round in which they will be
 * delivered. Where every node has one port that receives, a round is in port order as it stands; elsewhere it is
 * first dealt out to its receivers.
 *
 * Guarantees what the general loop guarantees; a test runs both.
 */
import { NONE } from '../kernel/field.ts';
import type { Machine } from '../kernel/machine/machine.ts';
import { MessageBuffer, portOf, receiverOf, typeOf } from '../kernel/machine/message-buffer.ts';
import { noteAnnounced, noteAnnouncer, type Tally } from '../kernel/machine/tally.ts';
import { DeliveryOrder } from './schedules/delivery-order.ts';

export class LockstepLoop {
  private readonly machine: Machine;
  private readonly tally: Tally;
  private readonly deliveryOrder: DeliveryOrder | null;
  /** What arrives and what was sent take turns. */
  private readonly even: MessageBuffer;
  private readonly odd: MessageBuffer;
  /** Of the messages that arrive in this round: how many there are, and how many were handled. */
  private count = 0;
  private dealt = 0;

  /** `expected` messages in the first round, to begin with room for them. */
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

  /** Some messages of the present round are delivered and others are not. */
  get isInRound(): boolean {
    return this.dealt < this.count;
  }

  /** Something is in flight. */
  get pending(): boolean {
    return this.machine.context.outbox.end > 0 || this.isInRound;
  }

  /** Delivers about `budget` messages, up to `lastUnit`; how many it was. Moves the clock. */
  deliver(lastUnit: number, budget: number): number {
    const { context } = this.machine;
    const done =
      this.deliveryOrder === null
        ? this.machine.receiveRounds(this.other(), lastUnit, budget, this.tally)
        : this.deliverDealt(this.deliveryOrder, lastUnit, budget);
    // Sent, and never to arrive: counted all the same.
    if (context.clock >= lastUnit && this.dealt === this.count) this.tallyUp(context.outbox, false);
    return done;
  }

  /** A round in which millions arrive may be left in its middle, and is taken up there. */
  private deliverDealt(deliveryOrder: DeliveryOrder, lastUnit: number, budget: number): number {
    const { machine } = this;
    const { context } = machine;
    let done = 0;
    while (done < budget) {
      if (this.dealt === this.count) {
        if (!this.pending || context.clock >= lastUnit) break;
        this.turn(deliveryOrder);
      }
      const { words } = this.other();
      const end = Math.min(this.count, this.dealt + budget - done);
      done += end - this.dealt;
      while (this.dealt < end) machine.receive(words, deliveryOrder.order[this.dealt++]);
    }
    return done;
  }

  /** Turns to what was sent in the round before. */
  private turn(deliveryOrder: DeliveryOrder): void {
    const { context } = this.machine;
    const arriving = context.outbox;
    context.outbox = this.other();
    context.outbox.clear();
    context.clock++;
    this.tallyUp(arriving, true);
    deliveryOrder.deal(arriving.words, arriving.end, arriving.width);
    this.count = arriving.end / arriving.width;
    this.dealt = 0;
  }

  /** The array that is not the outbox. */
  private other(): MessageBuffer {
    return this.machine.context.outbox === this.even ? this.odd : this.even;
  }

  /** Counts messages by type, and notes who announces and whether it `arrives` back there. */
  private tallyUp({ words, end, width }: MessageBuffer, arrives: boolean): void {
    const { tally } = this;
    const { context, environment } = this.machine;
    for (let base = 0; base < end; base += width) {
      const type = typeOf(words, base);
      tally.byType[type]++;
      if (type < tally.firstAnnouncement || !arrives) continue;
      noteAnnouncer(tally, environment.topology.neighbour(receiverOf(words, base), portOf(words, base)));
    }
    if (tally.announcer === NONE || !arrives) return;
    // Not before all senders are known: what arrives now was sent before now.
    for (let base = 0; base < end; base += width) {
      if (typeOf(words, base) < tally.firstAnnouncement) continue;
      noteAnnounced(tally, receiverOf(words, base), context.clock);
    }
  }
}
