/**
 * The schedule of an adversary, which picks the next delivery. Each delivery takes one unit, so the clock counts deliveries;
 * the time complexity of such a run is its longest chain of messages.
 *
 * A schedule like the others, and not a driver of the world: crashes, partitions, timers and `until` have times here, losses
 * are drawn from the seed, and the counts are those of the simulator's loop. The steps of the world have none of these, and
 * each copies the configuration; only the choice of deliveries is the same, so it is shared (`nextToArrive`).
 */
import { InputError } from '../../kernel/errors.ts';
import { portOf, receiverOf } from '../../kernel/machine/message-buffer.ts';
import type { Topology } from '../../kernel/network/topology.ts';
import { nextToArrive } from '../../kernel/world/configuration.ts';
import { type Schedule, TICKS } from './schedule.ts';

/** A message that may arrive next. */
export interface Choice {
  readonly from: number;
  readonly to: number;
  /** The port of the receiver. */
  readonly port: number;
}

/** Picks one of the messages in flight by its index; on FIFO links only the oldest of each link is offered. */
export type Adversary = (choices: readonly Choice[], step: number) => number;

interface InFlight {
  readonly link: number;
  readonly words: Int32Array;
  readonly depth: number;
  readonly sent: number;
}

export class AdversarySchedule implements Schedule {
  words: Int32Array = new Int32Array(0);
  /** Oldest first. */
  private readonly inFlight: InFlight[] = [];
  private current: InFlight | undefined;
  private step = 0;
  private lastArrival = 0;

  constructor(
    private readonly width: number,
    private readonly topology: Topology,
    private readonly fifo: boolean,
    private readonly pick: Adversary,
  ) {}

  nextTime(): number {
    return this.inFlight.length > 0 ? this.lastArrival + TICKS : Number.POSITIVE_INFINITY;
  }

  add(now: number, link: number, words: Int32Array, base: number, depth: number): void {
    // After a pause, a message that a timer sends must not arrive in the past.
    if (this.inFlight.length === 0) this.lastArrival = Math.max(this.lastArrival, now);
    this.inFlight.push({ link, words: words.slice(base, base + this.width), depth, sent: now });
  }

  take(now: number): number {
    if (now !== this.nextTime()) return -1;
    this.lastArrival = now;
    const offered = nextToArrive(this.inFlight, this.fifo);
    const choices = offered.map(({ words }) => {
      const [to, port] = [receiverOf(words, 0), portOf(words, 0)];
      return { from: this.topology.neighbour(to, port), to, port };
    });
    const picked = this.pick(choices, this.step);
    const choice = offered[picked];
    if (choice === undefined) {
      throw new InputError(
        `an adversary must return an index from 0 to ${choices.length - 1}, not ${picked}, at step ${this.step}`,
      );
    }
    this.step++;
    this.inFlight.splice(this.inFlight.indexOf(choice), 1);
    this.current = choice;
    this.words = choice.words;
    return 0;
  }

  depth(): number {
    return this.current?.depth ?? 0;
  }

  sentAt(): number {
    return this.current?.sent ?? 0;
  }

  forEachInFlight(visit: (words: Int32Array, base: number) => void): void {
    for (const { words } of this.inFlight) visit(words, 0);
  }
}
