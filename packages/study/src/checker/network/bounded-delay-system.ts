/**
 * The transition system of an election on a bounded-delay network: a message takes 1 to `delay` units, and timers fire on time.
 * Time is part of the state as the age of each message and the remaining units of each timer. There is no clock, so states
 * that differ only in the time at which they are reached are equal.
 *
 * Each unit has two phases: first deliveries, then timers and notices. A tick is enabled only if nothing is overdue. With
 * `suspect` a timer may fire early, at any step, as if delays exceeded the bound: an unreliable failure detector.
 *
 * Partial-order reduction, as in asynchronous-system.ts: a message that is sent in one unit arrives in a later one, so
 * within a unit the steps of different nodes are independent, except for the detection of a crash and for a recovery that
 * hides one. No tick is enabled before overdue messages are delivered and due timers have fired. So while a node has an
 * overdue message, or something due in the phase of timers, its enabled steps are a persistent set. With `suspect` there is
 * no reduction, because timers are enabled at any time.
 */
import type { Setup } from '../../kernel/setup.ts';
import type { Visit } from '../search/system.ts';
import type { InstanceOptions } from './network-state.ts';
import { NetworkSystem } from './network-system.ts';
import { StepCache } from './node-transition.ts';
import { stepNumber, TICK } from './step-number.ts';

export interface DelayBounds {
  /** The longest delay, in units. */
  readonly delay: number;
  /** The units after which the sender of a message to a crashed node is notified. */
  readonly timeout: number;
  readonly suspect: boolean;
}

/** One extra number before the nodes: the phase, 0 for deliveries, 1 for timers. */
const EXTRA = 1;

export class BoundedDelaySystem extends NetworkSystem {
  private readonly timing: DelayBounds;
  /** All ages are smaller. */
  private readonly ageLimit: number;
  private readonly phase: number;
  private readonly ticks: readonly StepCache[];
  private readonly older = new Map<number, number>();
  /** The greatest age by content. */
  private readonly oldest: number[] = [];

  constructor(setup: Setup, options: InstanceOptions, timing: DelayBounds) {
    super(setup, options, EXTRA);
    this.timing = timing;
    this.ageLimit = Math.max(timing.delay, timing.timeout) + 1;
    this.phase = this.firstNode - EXTRA;
    this.ticks = Array.from({ length: this.nodes }, () => new StepCache());
  }

  protected expandSteps(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    const { suspect } = this.timing;
    if (state[this.phase] === 0) {
      for (let at = 0; at < this.nodes; at++) this.expandArrivals(state, at, next, visit);
    }
    if (this.overdueAt(state, () => true) >= 0) return;
    let isTickEnabled = true;
    for (let at = 0; at < this.nodes; at++) {
      const isDue = this.hasDue(state, at);
      isTickEnabled &&= !isDue;
      if (isDue || suspect) this.expandDue(state, at, next, visit);
    }
    if (isTickEnabled && this.isPending(state)) this.tick(state, next, visit);
  }

  protected override expandPersistentSteps(state: Uint16Array, next: Uint16Array, visit: Visit): boolean {
    if (this.timing.suspect) return false;
    if (state[this.phase] === 0) {
      const alone = this.overdueAt(
        state,
        (at) => !this.mayNotice(state, at) && !this.mayHideCrash(state, at),
      );
      if (alone >= 0) this.expandArrivals(state, alone, next, visit);
      return alone >= 0;
    }
    for (let at = 0; at < this.nodes; at++) {
      if (!this.hasDue(state, at)) continue;
      this.expandDue(state, at, next, visit);
      return true;
    }
    return false;
  }

  protected override elementOf(message: number): number {
    return message * this.ageLimit;
  }

  protected override messageOf(element: number): number {
    return Math.floor(element / this.ageLimit);
  }

  protected override isDeliverable(element: number): boolean {
    return this.ageOf(element) >= 1;
  }

  protected override isNoticeable(element: number): boolean {
    return this.ageOf(element) >= this.timing.timeout;
  }

  /** Fires the timers of a node, and gives it the notices, that are due. */
  private expandDue(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    const { suspect } = this.timing;
    const inTimerPhase: Visit = (step, violation, interrupted) => {
      // If nothing is pending, time does not matter until a node starts.
      next[this.phase] = this.isPending(next) ? 1 : 0;
      visit(step, violation, interrupted);
      next[this.phase] = state[this.phase];
    };
    this.expandTimers(state, at, (left) => suspect || left === 0, next, inTimerPhase);
    for (let link = 0; link < this.links && this.hasNotices; link++) {
      if (this.table.sender(link) === at) this.expandNotices(state, link, next, inTimerPhase);
    }
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
    next[this.phase] = 0;
    for (let at = 0; at < this.nodes; at++) {
      next[this.firstNode + at] = this.local.tick(this.ticks[at], at, state[this.firstNode + at]);
    }
    for (let place = this.firstLink; place < this.width; place++) next[place] = this.aged(state[place]);
    visit(stepNumber(TICK, 0), null);
    next.set(state);
  }

  /** The content of a link one unit later. */
  private aged(content: number): number {
    const known = this.older.get(content);
    if (known !== undefined) return known;
    let made = 0;
    for (const element of this.channels.list(content)) made = this.channels.push(made, element + 1);
    this.older.set(content, made);
    return made;
  }

  /** The greatest age of a message; −1 if there is none. */
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
    return element % this.ageLimit;
  }

  /** A wanted node with a message that must be delivered before the next tick; −1 if there is none. */
  private overdueAt(state: Uint16Array, isWanted: (at: number) => boolean): number {
    for (let link = 0; link < this.links; link++) {
      const content = state[this.firstLink + link];
      if (content === 0 || !isWanted(this.table.receivers[link])) continue;
      if (this.oldestIn(content) >= this.timing.delay) return this.table.receivers[link];
    }
    return -1;
  }

  /** True if a timer or a notice of the node is due before the next tick. */
  private hasDue(state: Uint16Array, at: number): boolean {
    if (this.stateOf(state, at).timers.includes(0)) return true;
    for (let link = 0; link < this.links && this.hasNotices; link++) {
      if (this.table.sender(link) !== at) continue;
      if (this.oldestIn(state[this.firstNotice + link]) >= this.timing.timeout) return true;
    }
    return false;
  }
}
