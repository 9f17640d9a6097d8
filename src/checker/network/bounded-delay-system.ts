/**
 * An election on a timely network as a system: a message takes 1 to `delay` units, timers run out on time, and time is
 * part of the state, as the age of each message and what is left of each timer. No clock is: states that differ only
 * in when they are reached are one.
 *
 * Within a unit messages come first; once a timer has fired or a notice was given, nothing arrives any more until the
 * next tick. A tick is enabled only when nothing is overdue. With `suspect` a timer may fire early, at any step: as if
 * the network were not as timely as the algorithm assumes.
 *
 * The reduction, as in async-system.ts: what is sent in a unit arrives in a later one, so that within a unit the steps
 * of one node neither enable nor disable those of another, but for a death that is noticed or a return that ends it;
 * and there is no tick before what is overdue has arrived and what is due has been done. While one node has something
 * overdue, or in the timers' turn something due, its steps stand for all. Not with `suspect`, under which a timer's
 * turn may come at any moment.
 */
import type { Setup } from '../../kernel/setup.ts';
import type { InstanceOptions } from './network-state.ts';
import { NetworkSystem, type Visit } from './network-system.ts';
import type { StepCache } from './node-transitions.ts';
import { stepNumber, TICK } from './step-number.ts';

export interface DelayBounds {
  /** The longest delay, in units. */
  readonly delay: number;
  /** Units after which the sender of a message to a dead node is told. */
  readonly timeout: number;
  readonly suspect: boolean;
}

/** One number stands before the nodes: 0 while messages arrive, 1 when it is the timers' turn. */
const EXTRA = 1;

export class BoundedDelaySystem extends NetworkSystem {
  private readonly timing: DelayBounds;
  /** Ages are below this. */
  private readonly span: number;
  private readonly phase: number;
  private readonly ticks: readonly StepCache[];
  private readonly older = new Map<number, number>();
  /** By content. */
  private readonly oldest: number[] = [];

  constructor(setup: Setup, options: InstanceOptions, timing: DelayBounds) {
    super(setup, options, EXTRA);
    this.timing = timing;
    this.span = Math.max(timing.delay, timing.timeout) + 1;
    this.phase = this.firstNode - EXTRA;
    this.ticks = Array.from({ length: this.nodes }, () => new Map());
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    const { suspect } = this.timing;
    const inTimersTurn: Visit = (step, violation) => {
      // Where nothing is under way any more, time does not matter until something starts.
      next[this.phase] = this.isPending(next) ? 1 : 0;
      visit(step, violation);
    };
    const isReduced = this.options.reduce && !suspect;
    const overdue = this.overdueAt(state, () => true);
    if (state[this.phase] === 0) {
      const alone = isReduced
        ? this.overdueAt(state, (at) => !this.mayNotice(state, at) && !this.mayRevive(state, at))
        : -1;
      for (let at = 0; at < this.nodes; at++) {
        if (alone < 0 || at === alone) this.expandArrivals(state, at, next, visit);
      }
    }
    if (overdue >= 0) return;
    let isDone = true;
    for (let at = 0; at < this.nodes; at++) {
      const isDue = this.hasDue(state, at);
      if (!isDue && !suspect) continue;
      isDone &&= !isDue;
      this.expandTimers(state, at, (left) => suspect || left === 0, next, inTimersTurn);
      for (let link = 0; link < this.links && this.hasNotices; link++) {
        if (this.table.sender(link) === at) this.expandNotices(state, link, next, inTimersTurn);
      }
      if (isReduced && state[this.phase] === 1) return;
    }
    if (isDone && this.isPending(state)) this.tick(state, next, visit);
  }

  protected override elementOf(message: number): number {
    return message * this.span;
  }

  protected override messageOf(element: number): number {
    return Math.floor(element / this.span);
  }

  protected override arrives(element: number): boolean {
    return this.ageOf(element) >= 1;
  }

  protected override isNoticed(element: number): boolean {
    return this.ageOf(element) >= this.timing.timeout;
  }

  private expandArrivals(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    const { firstOf } = this.table;
    this.expandStart(state, at, next, visit);
    this.expandFaults(state, at, next, visit);
    for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
      if (state[this.firstLink + link] !== 0) this.expandLink(state, link, next, visit);
    }
  }

  private tick(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    next.set(state);
    next[this.phase] = 0;
    for (let at = 0; at < this.nodes; at++) {
      next[this.firstNode + at] = this.local.tick(this.ticks[at], at, state[this.firstNode + at]);
    }
    for (let place = this.firstLink; place < this.width; place++) next[place] = this.aged(state[place]);
    visit(stepNumber(TICK, 0), null);
  }

  /** What is under way, one unit later. */
  private aged(content: number): number {
    const known = this.older.get(content);
    if (known !== undefined) return known;
    let made = 0;
    for (const element of this.channels.list(content)) made = this.channels.push(made, element + 1);
    this.older.set(content, made);
    return made;
  }

  /** The greatest age of what is under way; −1 if nothing is. */
  private oldestIn(content: number): number {
    const known = this.oldest[content];
    if (known !== undefined) return known;
    const age = this.channels
      .list(content)
      .reduce((most, element) => Math.max(most, this.ageOf(element)), -1);
    this.oldest[content] = age;
    return age;
  }

  private ageOf(element: number): number {
    return element % this.span;
  }

  /** A node, of those wanted, at which a message must arrive before the next tick; −1 if there is none. */
  private overdueAt(state: Uint16Array, isWanted: (at: number) => boolean): number {
    for (let link = 0; link < this.links; link++) {
      const content = state[this.firstLink + link];
      if (content === 0 || !isWanted(this.table.receivers[link])) continue;
      if (this.oldestIn(content) >= this.timing.delay) return this.table.receivers[link];
    }
    return -1;
  }

  /** Must a node do something in the timers' turn, before the next tick? */
  private hasDue(state: Uint16Array, at: number): boolean {
    if (this.stateOf(state, at).timers.includes(0)) return true;
    for (let link = 0; link < this.links && this.hasNotices; link++) {
      if (this.table.sender(link) !== at) continue;
      if (this.oldestIn(state[this.firstNotice + link]) >= this.timing.timeout) return true;
    }
    return false;
  }
}
