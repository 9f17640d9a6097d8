/**
 * Applies the faults of links to messages: loss, duplication, partition, a crashed receiver. Also counts the bits of lists,
 * and reports sends and arrivals to the tracer. Called only in runs that need one of these.
 */
import type { Machine } from '../../kernel/machine/machine.ts';
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';
import { DEAD } from '../../kernel/machine/status.ts';
import { TICKS } from '../schedules/schedule.ts';
import type { Tracer } from '../tracer.ts';
import type { FaultModel } from './faults.ts';
import type { Notices } from './notices.ts';

export class LinkFaults {
  /** The bits of all lists that were sent. */
  itemBits = 0;

  private readonly hasLists: boolean;
  /** Nothing but a crashed receiver keeps a message from arriving, and nobody observes its arrival. */
  private readonly onlyCrashes: boolean;

  constructor(
    private readonly machine: Machine,
    /** Null in a run without faults. */
    private readonly links: FaultModel | null,
    private readonly notices: Notices | null,
    private readonly tracer: Tracer | null,
  ) {
    this.hasLists = machine.codec.layout.lists.length > 0;
    this.onlyCrashes = tracer === null && links?.hasPartitions !== true;
  }

  /** The number of copies that enter the schedule: 0 if the message is lost, 2 if it is duplicated. */
  copies(now: number, at: number, words: Int32Array, base: number): number {
    const { codec, lists } = this.machine;
    if (this.hasLists) this.itemBits += codec.itemBits(words, base, lists, this.machine.messageLimits);
    const isLost = this.links?.loses(now / TICKS) ?? false;
    const isDuplicated = !isLost && (this.links?.duplicates() ?? false);
    this.tracer?.send(now, at, words, base, isDuplicated);
    if (isLost) {
      this.tracer?.lost('link lossy', now, at, now, words, base);
      codec.releaseLists(words, base, lists);
      return 0;
    }
    return isDuplicated ? 2 : 1;
  }

  /** Reports an arrival; false if the receiver is crashed or partitioned from the sender. Times are in ticks. */
  arrives(now: number, sent: number, words: Int32Array, base: number): boolean {
    const { environment, codec, lists, status } = this.machine;
    const to = receiverOf(words, base);
    if (this.onlyCrashes && (status[to] & DEAD) === 0) return true;
    const port = portOf(words, base);
    const from = environment.topology.neighbour(to, port);
    const isDead = (status[to] & DEAD) !== 0;
    if (!isDead && !this.links?.isPartitioned(from, to, now / TICKS)) {
      // The start and the handling of the message are one event.
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
