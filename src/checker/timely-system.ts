/**
 * An election on a timely network as a system: a message takes 1 to `delay` units, timers run out on time, and time is
 * part of the state, as the age of each message and what is left of each timer. No clock is: states that differ only
 * in when they are reached are one.
 *
 * Within a unit messages come first; once a timer has fired or a notice was given, nothing arrives any more until the
 * next tick. A tick is enabled only when nothing is overdue. With `suspect` a timer may fire early, at any step: as if
 * the network were not as timely as the algorithm assumes.
 */
import { NONE } from '../kernel/field.ts';
import type { Stage } from '../kernel/stage.ts';
import { type ElectionOptions, ElectionSystem, stepNumber, type Visit } from './election-system.ts';
import type { Memory } from './local-steps.ts';

export interface Timing {
  /** The longest delay, in units. */
  readonly delay: number;
  /** Units after which the sender of a message to a dead node is told. */
  readonly timeout: number;
  readonly suspect: boolean;
}

/** One number stands before the nodes: 0 while messages arrive, 1 when it is the timers' turn. */
const EXTRA = 1;

export class TimelySystem extends ElectionSystem {
  private readonly timing: Timing;
  /** Ages are below this. */
  private readonly span: number;
  private readonly phase: number;
  private readonly ticks: readonly Memory[];
  private readonly older = new Map<number, number>();

  constructor(stage: Stage, options: ElectionOptions, timing: Timing) {
    super(stage, options, EXTRA);
    this.timing = timing;
    this.span = Math.max(timing.delay, timing.timeout) + 1;
    this.phase = this.firstNode - EXTRA;
    this.ticks = Array.from({ length: this.nodes }, () => new Map());
  }

  override expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    if (state[this.phase] === 0) this.expandMessages(state, next, visit);
    if (this.isOverdue(state)) return;
    const inTimersTurn: Visit = (step, violation) => {
      next[this.phase] = 1;
      visit(step, violation);
    };
    const { suspect } = this.timing;
    for (let at = 0; at < this.nodes; at++) {
      this.expandTimers(state, at, (left) => suspect || left === 0, next, inTimersTurn);
    }
    let mayTick = !this.hasTimerDue(state);
    for (let link = 0; link < this.links && this.hasNotices; link++) {
      if (!this.isNoticeDue(state, link)) continue;
      mayTick = false;
      this.expandNotice(state, link, next, inTimersTurn);
    }
    if (mayTick && this.isPending(state)) this.tick(state, next, visit);
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

  private expandMessages(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    for (let at = 0; at < this.nodes; at++) {
      this.expandStart(state, at, next, visit);
      this.expandFaults(state, at, next, visit);
    }
    for (let link = 0; link < this.links; link++) {
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
    visit(stepNumber('tick', 0), null);
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

  private ageOf(element: number): number {
    return element % this.span;
  }

  private isOverdue(state: Uint16Array): boolean {
    for (let place = this.firstLink; place < this.firstLink + this.links; place++) {
      if (state[place] === 0) continue;
      if (this.channels.list(state[place]).some((element) => this.ageOf(element) >= this.timing.delay))
        return true;
    }
    return false;
  }

  private isNoticeDue(state: Uint16Array, link: number): boolean {
    const content = state[this.firstNotice + link];
    return content !== 0 && this.ageOf(this.channels.at(content, 0)) >= this.timing.timeout;
  }

  private hasTimerDue(state: Uint16Array): boolean {
    for (let at = 0; at < this.nodes; at++) if (this.stateOf(state, at).timers.includes(0)) return true;
    return false;
  }

  private isPending(state: Uint16Array): boolean {
    for (let place = this.firstLink; place < this.width; place++) if (state[place] !== 0) return true;
    for (let at = 0; at < this.nodes; at++) {
      if (this.stateOf(state, at).timers.some((left) => left !== NONE)) return true;
    }
    return false;
  }
}
