/**
 * What may befall a message between its sender and its receiver: the link loses or doubles it, the network is parted,
 * nobody is there. Also what its lists weigh, and word to those who look. Asked only where one of these may be.
 */
import type { Machine } from '../kernel/machine/machine.ts';
import { portOf, receiverOf } from '../kernel/machine/message-buffer.ts';
import { DEAD } from '../kernel/machine/status.ts';
import type { FaultModel } from './faults.ts';
import type { Notices } from './notices.ts';
import { TICKS } from './schedules/schedule.ts';
import type { Tracer } from './tracer.ts';

export class LinkFaults {
  /** What went out in lists. */
  itemBits = 0;

  private readonly machine: Machine;
  /** Null where links are faultless and nobody dies. */
  private readonly links: FaultModel | null;
  private readonly notices: Notices | null;
  private readonly tracer: Tracer | null;
  private readonly hasLists: boolean;

  constructor(machine: Machine, links: FaultModel | null, notices: Notices | null, tracer: Tracer | null) {
    this.machine = machine;
    this.links = links;
    this.notices = notices;
    this.tracer = tracer;
    this.hasLists = machine.codec.layout.lists.length > 0;
  }

  /** How many copies of a message leave: none if it is lost, two if it is doubled. */
  copies(now: number, at: number, words: Int32Array, base: number): number {
    const { codec, lists } = this.machine;
    if (this.hasLists) this.itemBits += codec.itemBits(words, base, lists, this.machine.messageLimits);
    this.tracer?.send(now, at, words, base);
    if (this.links === null) return 1;
    if (this.links.loses(now / TICKS)) {
      this.tracer?.lost('link lossy', now, at, now, words, base);
      codec.releaseLists(words, base, lists);
      return 0;
    }
    return this.links.doubles() ? 2 : 1;
  }

  /** Reports an arrival; false if there is nobody to take it, or no way to get there. Times are in ticks. */
  arrives(now: number, sent: number, words: Int32Array, base: number): boolean {
    const { environment, codec, lists, status } = this.machine;
    const to = receiverOf(words, base);
    const port = portOf(words, base);
    const from = environment.topology.neighbour(to, port);
    const isDead = (status[to] & DEAD) !== 0;
    if (!isDead && !this.links?.parted(from, to, now / TICKS)) {
      // It starts before the message is handled, and both are one event.
      if (this.machine.startsOnMessage(to)) this.tracer?.node('start', now, to);
      this.tracer?.arrival('deliver', now, to, from, port, sent, words, base);
      return true;
    }
    this.tracer?.lost(isDead ? 'receiver dead' : 'network partitioned', now, from, sent, words, base);
    if (isDead && this.notices !== null) {
      const copy = words.slice(base, base + codec.width);
      codec.ownLists(copy, 0, lists);
      this.notices.add(now, { at: from, port: environment.topology.backPort(to, port), sent, words: copy });
    }
    codec.releaseLists(words, base, lists);
    return false;
  }
}
