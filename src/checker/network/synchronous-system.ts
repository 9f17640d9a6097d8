/**
 * An election in rounds as a system: all clocks start at 0, every node starts, and what is sent in one round arrives
 * in the next. A step is a whole round: every node takes what has arrived, port by port, and then its timers that are
 * due. Only lots make a difference between runs, and faults, which come between rounds.
 *
 * The round is part of the state where nodes know the time, and their handlers are then remembered for each round
 * apart; where they do not, rounds that are alike are one.
 */
import type { Setup } from '../../kernel/setup.ts';
import type { Violation } from '../search/system.ts';
import type { InstanceOptions } from './network-state.ts';
import { NetworkSystem, type Visit } from './network-system.ts';
import type { NodeTransition, StepCache } from './node-transitions.ts';
import { ROUND, stepNumber } from './step-number.ts';

/** One number stands before the nodes: the round, if they know it. */
const EXTRA = 1;

export class SynchronousSystem extends NetworkSystem {
  private readonly round: number;
  private readonly knowsTime: boolean;
  private readonly ticks: readonly StepCache[];
  /** By round and place. */
  private readonly remembered = new Map<string, StepCache>();

  constructor(setup: Setup, options: InstanceOptions) {
    // One step a round: there is nothing to leave out.
    super(setup, { ...options, reduce: false }, EXTRA);
    this.round = this.firstNode - EXTRA;
    this.knowsTime = setup.algorithm.assumes.knows?.includes('time') ?? false;
    this.ticks = Array.from({ length: this.nodes }, () => new Map());
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    this.expandLosses(state, next, visit);
    for (let at = 0; at < this.nodes; at++) this.expandFaults(state, at, next, visit);
    if (!this.isPending(state)) return;
    const after = Uint16Array.from(state);
    if (this.knowsTime) after[this.round]++;
    after.fill(0, this.firstLink);
    for (let at = 0; at < this.nodes; at++) {
      after[this.firstNode + at] = this.local.tick(this.ticks[at], at, state[this.firstNode + at]);
    }
    this.local.machine.context.clock = after[this.round];
    this.deliver(state, 0, state[this.firstLink], after, null, (end, violation) => {
      next.set(end);
      visit(stepNumber(ROUND, 0), violation);
    });
  }

  /** Goes on with the message at the head of `content`, which is what is left of what came on a link. */
  private deliver(
    state: Uint16Array,
    link: number,
    content: number,
    after: Uint16Array,
    broken: Violation | null,
    end: (after: Uint16Array, broken: Violation | null) => void,
  ): void {
    if (link === this.links) {
      this.fire(0, after, broken, end);
    } else if (content === 0) {
      this.deliver(state, link + 1, state[this.firstLink + link + 1], after, broken, end);
    } else {
      const at = this.table.receivers[link];
      const number = after[this.firstNode + at];
      const rest = this.channels.tail(content);
      const memory = this.memoryOf(after[this.round], `link ${link}`);
      const message = this.channels.head(content);
      const ways = this.stateOf(after, at).dead
        ? [{ state: number, sent: [], violation: null }]
        : this.local.deliver(memory, at, this.table.ports[link], number, message);
      this.branch(after, at, ways, broken, (one, fault) => this.deliver(state, link, rest, one, fault, end));
    }
  }

  /** Fires what is due, from one timer of the network on. */
  private fire(
    index: number,
    after: Uint16Array,
    broken: Violation | null,
    end: (after: Uint16Array, broken: Violation | null) => void,
  ): void {
    if (index === this.nodes * this.timers) {
      end(after, broken);
      return;
    }
    const at = Math.floor(index / this.timers);
    const timer = index % this.timers;
    if (this.stateOf(after, at).timers[timer] !== 0) {
      this.fire(index + 1, after, broken, end);
      return;
    }
    const memory = this.memoryOf(after[this.round], `timer ${index}`);
    const ways = this.local.fire(memory, at, timer, after[this.firstNode + at]);
    this.branch(after, at, ways, broken, (one, fault) => this.fire(index + 1, one, fault, end));
  }

  private branch(
    after: Uint16Array,
    at: number,
    ways: readonly NodeTransition[],
    broken: Violation | null,
    goOn: (after: Uint16Array, broken: Violation | null) => void,
  ): void {
    for (const way of ways) {
      const one = ways.length > 1 ? Uint16Array.from(after) : after;
      this.take(one, at, way);
      goOn(one, broken ?? way.violation);
    }
  }

  private memoryOf(round: number, place: string): StepCache {
    const key = `${round} ${place}`;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const made: StepCache = new Map();
    this.remembered.set(key, made);
    return made;
  }
}
