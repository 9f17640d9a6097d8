/**
 * The steps of an election on a network: a start, a delivery, a timer, a notice, a crash, a recovery or a loss, each run to
 * completion. The subclasses decide which steps are enabled in their timing model.
 */
import { NONE } from '../../kernel/field.ts';
import type { System, Visit } from '../search/system.ts';
import { CRASHES, LOSSES, NetworkState, RECOVERIES } from './network-state.ts';
import type { NodeTransition } from './node-transition.ts';
import { CRASH, DELIVER, LOSE, NOTICE, RECOVER, START, SUSPECT, stepNumber, TIMER } from './step-number.ts';

/**
 * In all methods here `next` equals `state` before and after the call: a step changes a few places, which is faster to undo than
 * to copy the state.
 */
export abstract class NetworkSystem extends NetworkState implements System {
  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    next.set(state);
    this.expandSteps(state, next, visit);
  }

  protected abstract expandSteps(state: Uint16Array, next: Uint16Array, visit: Visit): void;

  expandPersistent(state: Uint16Array, next: Uint16Array, visit: Visit): boolean {
    if (!this.options.reduce) return false;
    next.set(state);
    return this.expandPersistentSteps(state, next, visit);
  }

  /** Every persistent set has a step that is not a fault, as search/expansion.ts requires. */
  protected expandPersistentSteps(_state: Uint16Array, _next: Uint16Array, _visit: Visit): boolean {
    return false;
  }

  protected expandStart(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    if (!this.mayStart(state, at)) return;
    const { local, caches } = this;
    const steps = local.start(caches.start[at], at, state[this.firstNode + at]);
    const kind = this.isSuspicion(state, at) ? SUSPECT : START;
    this.step(state, at, steps, stepNumber(kind, at), next, visit);
  }

  protected expandFaults(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    if (!this.faulty) return;
    const { local, caches } = this;
    const number = state[this.firstNode + at];
    const isDead = local.states[at].all[number].dead;
    if (isDead && state[RECOVERIES] > 0) {
      const steps = local.recover(caches.recover[at], at, number);
      this.step(state, at, steps, stepNumber(RECOVER, at), next, visit, RECOVERIES, state[RECOVERIES] - 1);
    }
    if (!isDead && state[CRASHES] > 0) {
      const steps = local.crash(caches.crash[at], at, number);
      this.step(state, at, steps, stepNumber(CRASH, at), next, visit, CRASHES, state[CRASHES] - 1);
    }
  }

  /** Fires the timers of a node for which `isDue` is true. */
  protected expandTimers(
    state: Uint16Array,
    at: number,
    isDue: (left: number) => boolean,
    next: Uint16Array,
    visit: Visit,
  ): void {
    if (this.timers === 0) return;
    const { local, caches } = this;
    const number = state[this.firstNode + at];
    const node = local.states[at].all[number];
    for (let timer = 0; timer < this.timers; timer++) {
      if (node.timers[timer] === NONE || !isDue(node.timers[timer])) continue;
      const index = at * this.timers + timer;
      const steps = local.fire(caches.timer[index], at, timer, number);
      this.step(state, at, steps, stepNumber(TIMER, index), next, visit);
    }
  }

  /** Delivers or loses the first message of a FIFO link, or any message of a non-FIFO link. */
  protected expandLink(state: Uint16Array, link: number, next: Uint16Array, visit: Visit): void {
    const { channels, options } = this;
    const place = this.firstLink + link;
    const at = this.table.receivers[link];
    const { awake, dead } = this.stateOf(state, at);
    if (options.starts === 'first' && this.initiates[at] === 1 && !awake && !dead) return;
    let last = -1;
    for (let content = state[place]; content !== 0; content = channels.tail(content)) {
      const element = channels.head(content);
      // Equal messages are adjacent, and delivering either gives the same state.
      if (element !== last && this.isDeliverable(element))
        this.expandMessage(state, link, element, next, visit);
      if (options.fifo) return;
      last = element;
    }
  }

  /** Loses any message in flight. */
  protected expandLosses(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    if (!this.faulty || state[LOSSES] === 0) return;
    for (let link = 0; link < this.links; link++) {
      for (const element of new Set(this.channels.list(state[this.firstLink + link]))) {
        this.loseMessage(state, link, element, next, visit);
      }
    }
  }

  /** Notifies the sender of a message that its receiver had crashed. */
  protected expandNotices(state: Uint16Array, link: number, next: Uint16Array, visit: Visit): void {
    const { channels, options } = this;
    let last = -1;
    for (let content = state[this.firstNotice + link]; content !== 0; content = channels.tail(content)) {
      const element = channels.head(content);
      if (element !== last && this.isNoticeable(element))
        this.expandNotice(state, link, element, next, visit);
      if (options.fifo) return;
      last = element;
    }
  }

  /** True if this message can be delivered now. */
  protected isDeliverable(_element: number): boolean {
    return true;
  }

  /** True if the sender of this message can be notified now. */
  protected isNoticeable(_element: number): boolean {
    return true;
  }

  protected expandMessage(
    state: Uint16Array,
    link: number,
    element: number,
    next: Uint16Array,
    visit: Visit,
  ): void {
    const { channels, local, caches, options } = this;
    const place = this.firstLink + link;
    const at = this.table.receivers[link];
    const number = state[this.firstNode + at];
    const rest = options.fifo ? channels.tail(state[place]) : channels.without(state[place], element);
    const index = element * this.links + link;
    const step = stepNumber(DELIVER, options.fifo ? link : index);
    if (local.states[at].all[number].dead) {
      const notice = this.firstNotice + link;
      next[place] = rest;
      if (this.hasNotices) next[notice] = channels.push(state[notice], element);
      visit(step, null);
      next[place] = state[place];
      if (this.hasNotices) next[notice] = state[notice];
    } else {
      const message = this.messageOf(element);
      const transitions = local.deliver(caches.deliver[link], at, this.table.ports[link], number, message);
      this.step(state, at, transitions, step, next, visit, place, rest);
    }
    if (this.faulty && state[LOSSES] > 0) this.loseMessage(state, link, element, next, visit);
  }

  private loseMessage(
    state: Uint16Array,
    link: number,
    element: number,
    next: Uint16Array,
    visit: Visit,
  ): void {
    const place = this.firstLink + link;
    next[place] = this.channels.without(state[place], element);
    next[LOSSES] = state[LOSSES] - 1;
    visit(stepNumber(LOSE, element * this.links + link), null);
    next[place] = state[place];
    next[LOSSES] = state[LOSSES];
  }

  private expandNotice(
    state: Uint16Array,
    link: number,
    element: number,
    next: Uint16Array,
    visit: Visit,
  ): void {
    const { channels, local, caches, table } = this;
    const place = this.firstNotice + link;
    const at = table.sender(link);
    const number = state[this.firstNode + at];
    const step = stepNumber(NOTICE, element * this.links + link);
    const rest = channels.without(state[place], element);
    if (local.states[at].all[number].dead) {
      next[place] = rest;
      visit(step, null);
      next[place] = state[place];
      return;
    }
    const back = table.senderPort(link);
    const transitions = local.undelivered(caches.notice[link], at, back, number, this.messageOf(element));
    this.step(state, at, transitions, step, next, visit, place, rest);
  }

  private undo(state: Uint16Array, at: number, { sent }: NodeTransition, next: Uint16Array): void {
    next[this.firstNode + at] = state[this.firstNode + at];
    for (let k = 0; k < sent.length; k += 2) {
      next[this.firstLink + sent[k]] = state[this.firstLink + sent[k]];
    }
  }

  /** Visits the state after each transition. The number at `place`, if there is one, becomes `value`. */
  private step(
    state: Uint16Array,
    at: number,
    transitions: readonly NodeTransition[],
    step: number,
    next: Uint16Array,
    visit: Visit,
    place = -1,
    value = 0,
  ): void {
    for (let k = 0; k < transitions.length; k++) {
      const transition = transitions[k];
      if (place >= 0) next[place] = value;
      this.take(next, at, transition);
      visit(step, transition.violation, transition.restarted);
      this.undo(state, at, transition, next);
    }
    if (place >= 0) next[place] = state[place];
  }
}
