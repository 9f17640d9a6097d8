/**
 * Lockstep at full speed, for runs in which messages are all that happens: no faults, timers or late starts, no
 * lists, and nobody looks. Handlers write their messages straight into the next round; a round is read and
 * written once. Where every node has one port that receives, a round is in port order as it stands.
 *
 * Guarantees what the general loop guarantees; a test runs both.
 */
import type { Machine } from '../kernel/machine.ts';
import { Records } from '../kernel/records.ts';
import { Dealer } from './dealer.ts';

export class Rounds {
  private readonly machine: Machine;
  private readonly dealer: Dealer | null;
  private arriving: Records;
  private leaving: Records;
  private at = 0;

  constructor(machine: Machine) {
    const { width } = machine.codec;
    this.machine = machine;
    this.dealer = machine.around.topology.oneWay ? null : new Dealer(machine.around.topology.n);
    this.arriving = new Records(width);
    this.leaving = new Records(width);
    machine.context.outbox = this.leaving;
  }

  /** Turns to what was sent in the last round; how many messages arrive. */
  turn(): number {
    const { arriving, leaving } = this;
    arriving.length = 0;
    this.arriving = leaving;
    this.leaving = arriving;
    this.machine.context.outbox = arriving;
    this.at = 0;
    this.dealer?.deal(leaving.words, leaving.length, leaving.width);
    return leaving.length / leaving.width;
  }

  /** Delivers on, up to the first node that decides. False when the round is over. */
  deliver(): boolean {
    const { words, length, width } = this.arriving;
    if (this.dealer === null) {
      this.at = this.machine.receiveRun(words, this.at, length);
      return this.machine.context.wishes;
    }
    const { order } = this.dealer;
    const count = length / width;
    while (this.at < count) {
      this.machine.receive(words, order[this.at++]);
      if (this.machine.context.wishes) return true;
    }
    return false;
  }
}
