/**
 * An election on an asynchronous network: nothing is known of time. Any message may be next, and a timer that runs may
 * fire at any step.
 *
 * The reduction. Steps at different nodes commute: each changes its own node, takes from the links that end there and
 * adds to the ends of others. Let T be all the steps that are enabled at one node, and let no step elsewhere enable a
 * further one there. Then in every run the steps before the first of that node commute with it, so that it may as well
 * come first; and under weak fairness it does come, if nothing elsewhere disables it. So from this state it is
 * enough to go on with T, and the other steps wait. Every run has a run of the reduced graph that differs only in the
 * order of steps at different nodes: it ends in the same state, each node goes through the same states and draws the
 * same lots, and if no run of the reduced graph goes round, every fair run ends. What is judged must not see the order:
 * ends, what a handler does, and which terms a node has ever led do not; an invariant of the network, which reads all
 * nodes at one moment, does. So there is no reduction where one is checked, nor where a bound cuts states before the
 * steps that wait were taken.
 *
 * Invariants of one node are checked in the reduced graph. Such an invariant reads the state of one node before and
 * after one of its steps. The representative of a run takes every node through the same states by the same steps, so a
 * step that violates the invariant occurs in it too; where two messages of one node commute, Independence also requires
 * that both orders violate the same. A run has a representative in which all its steps occur only if no step waits for
 * ever. In a reduced graph with a cycle one may (the ignoring problem): a run can go round while steps elsewhere are
 * enabled and never taken. So check() accepts the verdict of a reduced graph only if that graph has no cycle, and
 * otherwise searches in full.
 *
 * So what a run sends does not depend on the order either, nor which message was sent because of which: what steps cost,
 * and how long chains of messages are, is the same in both. A message that commutes, see below, changes what came because
 * of what, and only the cost stays: where chains are measured, there are no swaps.
 *
 * A node's own crash, recovery and losses are among its steps. That their number is bounded for the whole network makes
 * no difference: one that comes later in a run, when fewer are left, could also have come first.
 *
 * No step elsewhere enables a further step at a node
 * - on links that keep their order, when something is under way on each link that ends there: what is sent later
 *   arrives later. On a one-way ring that is one link, with one writer and one reader, so that whole searches shrink
 *   to about one run for each choice of who starts before a message comes;
 * - when it has yet to start and nothing may reach it before;
 * - when it is dead for good: what arrives is dropped, one after the other.
 * Exceptions are told by what they need: where a death elsewhere can bring back a message, or be noticed, or a node
 * comes back whose death others have yet to notice, all steps are looked at. On links that keep no order a single message may stand for all, if it commutes with everything else
 * that may come to its receiver; see commuting.ts.
 */
import type { Setup } from '../../kernel/setup.ts';
import { Independence } from './independence.ts';
import type { InstanceOptions } from './network-state.ts';
import { NetworkSystem, type Visit } from './network-system.ts';

export class AsynchronousSystem extends NetworkSystem {
  private readonly independence: Independence | null;

  constructor(setup: Setup, options: InstanceOptions) {
    super(setup, options);
    const { crashes, dead, fifo, initiators, reductionLimits, reduce, swaps } = options;
    const isAble =
      reduce &&
      swaps &&
      !fifo &&
      crashes + dead.length === 0 &&
      !reductionLimits.isTooLarge &&
      this.timers === 0;
    const asleep = this.asleep.subarray(this.firstNode, this.firstLink);
    const independence = isAble
      ? new Independence(this.local, this.table, this.caches, asleep, initiators)
      : null;
    if (independence?.isSmall === false) reductionLimits.isTooLarge = true;
    this.independence = independence;
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    if (this.options.reduce) {
      const alone = this.standIn(state);
      if (alone >= 0) {
        this.expandNode(state, alone, next, visit);
        return;
      }
      if (this.independence !== null && this.expandFree(state, this.independence, next, visit)) return;
    }
    for (let at = 0; at < this.nodes; at++) this.expandNode(state, at, next, visit);
  }

  private expandNode(state: Uint16Array, at: number, next: Uint16Array, visit: Visit): void {
    const { firstOf } = this.table;
    this.expandStart(state, at, next, visit);
    this.expandTimers(state, at, anyTime, next, visit);
    this.expandFaults(state, at, next, visit);
    for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
      if (state[this.firstLink + link] !== 0) this.expandLink(state, link, next, visit);
      if (this.hasNotices) this.expandNotices(state, link, next, visit);
    }
  }

  /** Expands one message that commutes with all, if there is one; rather at a node that cannot start any more. */
  private expandFree(
    state: Uint16Array,
    independence: Independence,
    next: Uint16Array,
    visit: Visit,
  ): boolean {
    let found = -1;
    let taken = -1;
    for (let link = 0; link < this.links; link++) {
      const message = this.freeMessage(state, link, independence);
      if (message < 0) continue;
      found = link;
      taken = message;
      if (!this.mayStart(state, this.table.receivers[link])) break;
    }
    if (found < 0) return false;
    this.expandStart(state, this.table.receivers[found], next, visit);
    this.expandMessage(state, found, taken, next, visit);
    return true;
  }

  private freeMessage(state: Uint16Array, link: number, independence: Independence): number {
    const { channels } = this;
    for (let content = state[this.firstLink + link]; content !== 0; content = channels.tail(content)) {
      const message = channels.head(content);
      if (independence.isFree(link, message)) return message;
    }
    return -1;
  }

  /** A node whose steps may stand for all; one that cannot start, if there is one. −1 if there is none. */
  private standIn(state: Uint16Array): number {
    let found = -1;
    for (let at = 0; at < this.nodes; at++) {
      if (!this.isClosed(state, at)) continue;
      if (!this.mayStart(state, at)) return at;
      if (this.options.starts === 'first' && this.initiates[at] === 1) return at;
      if (found < 0) found = at;
    }
    return found;
  }

  /** Has a node steps, and none that another node could add to? */
  private isClosed(state: Uint16Array, at: number): boolean {
    const { firstOf } = this.table;
    const { awake, dead } = this.stateOf(state, at);
    if (this.hasNotices || this.mayNotice(state, at)) return false;
    if (dead && !this.mayRecover(state)) return this.hasMail(state, at);
    if (this.mayRevive(state, at)) return false;
    if (this.options.starts === 'first' && this.initiates[at] === 1 && !awake && this.mayStart(state, at))
      return true;
    if (!this.options.fifo || firstOf[at] === firstOf[at + 1]) return false;
    for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
      if (state[this.firstLink + link] === 0) return false;
    }
    return true;
  }

  private hasMail(state: Uint16Array, at: number): boolean {
    const { firstOf } = this.table;
    for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
      if (state[this.firstLink + link] !== 0) return true;
    }
    return false;
  }
}

function anyTime(): boolean {
  return true;
}
