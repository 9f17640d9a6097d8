/**
 * The transition system of an election on an asynchronous network: any message in flight may be delivered next, and a running
 * timer may fire at any step.
 *
 * Partial-order reduction. Two steps are independent if neither enables or disables the other and both orders lead to the
 * same state. Steps of different nodes are independent, except for the cases below: a step changes its own node, removes
 * messages from links to this node, and appends messages to links to others. `expandPersistent` visits only the enabled steps
 * T of one node, if T is a persistent set (an ample set): no sequence of steps of other nodes enables another step of this
 * node, or disables one of T.
 *
 * Soundness. Take a run from a state with persistent set T. Under weak fairness it contains a step of T, because T has a step
 * that is not optional, and it stays enabled. The steps before the first step of T are independent of it, so it can be moved to
 * the front. Whether a suspicion is optional may depend on the order, but its effect does not. By induction every run has a representative in the reduced graph that differs only in the order of independent steps. It reaches the
 * same terminal state, and every node goes through the same states with the same random draws. So the reduced graph has the
 * same deadlocks and terminal states, the same handler failures, and the same led terms per node, and if it has no cycle, every
 * fair run terminates. An invariant of the network reads all nodes of one configuration, and intermediate configurations
 * differ between orders, so there is no reduction if one is checked. There is none with a bound either: a state beyond the
 * bound is not expanded, and would cut off postponed steps.
 *
 * Invariants of one node are checked in the reduced graph: such an invariant reads the state of one node before and after
 * one of its steps, and the representative has the same steps of each node. For two deliveries to one node that commute,
 * Independence requires that both orders violate the same invariants.
 *
 * Ignoring problem. A representative has all steps of its run only if no step is postponed forever. On a cycle of the reduced
 * graph a step of another node may be ignored: it stays enabled and is never visited. The proviso in search/expansion.ts
 * prevents that where termination is not checked. Where it is, check() accepts the verdict of a reduced graph only if the
 * graph has no cycle, and searches the full graph otherwise.
 *
 * Cost. Independent steps send the same messages in both orders, and messages have the same causes, so the cost of a run and
 * its longest chain of messages do not depend on the order. Commuting deliveries to one node (see independence.ts) change the
 * causes, but not the cost: they are not reduced if chains are measured.
 *
 * Crashes, recoveries and losses at a node are steps of that node. Their limits apply to the whole network, but that does not
 * disable a step of T that occurs in the run: if it is allowed later, when fewer faults are left, it is allowed first.
 *
 * The enabled steps of a node are a persistent set if
 * - links are FIFO, and every link to the node has a message: a message that is sent later is delivered later. On a one-way
 *   ring each node has one such link, and the search shrinks to about one run per choice of which initiators start before
 *   their first message;
 * - or the node must start before it receives anything, and has not started;
 * - or the node has crashed and cannot recover: its messages are dropped in any order.
 * There is no reduction where a crash of another node can affect this node: notices of undelivered messages, failure detection, or a
 * recovery that hides a crash from a failure detector. On non-FIFO links a single delivery may be a persistent set, if it
 * commutes with every other delivery to the same node; see independence.ts.
 */
import type { Setup } from '../../kernel/setup.ts';
import type { Visit } from '../search/system.ts';
import { Independence } from './independence.ts';
import type { InstanceOptions } from './network-state.ts';
import { NetworkSystem } from './network-system.ts';

export class AsynchronousSystem extends NetworkSystem {
  private readonly independence: Independence | null;

  constructor(setup: Setup, options: InstanceOptions) {
    super(setup, options);
    const { crashes, dead, fifo, initiators, reductionLimits, reduce, commuting } = options;
    const isAble =
      reduce &&
      commuting &&
      !fifo &&
      crashes + dead.length === 0 &&
      !reductionLimits.isTooLarge &&
      this.timers === 0;
    const initial = this.initial.subarray(this.firstNode, this.firstLink);
    const independence = isAble
      ? new Independence(this.local, this.table, this.caches, initial, initiators)
      : null;
    if (independence?.isSmall === false) reductionLimits.isTooLarge = true;
    this.independence = independence;
  }

  protected expandSteps(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    for (let at = 0; at < this.nodes; at++) this.expandNode(state, at, next, visit);
  }

  protected override expandPersistentSteps(state: Uint16Array, next: Uint16Array, visit: Visit): boolean {
    const node = this.persistentNode(state);
    if (node >= 0) this.expandNode(state, node, next, visit);
    return node >= 0 || this.expandIndependent(state, next, visit);
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

  /** Expands one delivery that commutes with all others, if there is one; prefers a node that cannot start any more. */
  private expandIndependent(state: Uint16Array, next: Uint16Array, visit: Visit): boolean {
    const { independence } = this;
    if (independence === null) return false;
    let found = -1;
    let taken = -1;
    for (let link = 0; link < this.links; link++) {
      const message = this.independentMessage(state, link, independence);
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

  private independentMessage(state: Uint16Array, link: number, independence: Independence): number {
    const { channels } = this;
    for (let content = state[this.firstLink + link]; content !== 0; content = channels.tail(content)) {
      const message = channels.head(content);
      if (independence.isIndependent(link, message)) return message;
    }
    return -1;
  }

  /** A node whose enabled steps are a persistent set, preferably one that cannot start; −1 if there is none. */
  private persistentNode(state: Uint16Array): number {
    let found = -1;
    for (let at = 0; at < this.nodes; at++) {
      if (!this.isPersistent(state, at)) continue;
      if (!this.mayStart(state, at)) return at;
      if (this.options.starts === 'first' && this.initiates[at] === 1) return at;
      if (found < 0) found = at;
    }
    return found;
  }

  /** True if the node has enabled steps, and they are a persistent set. */
  private isPersistent(state: Uint16Array, at: number): boolean {
    const { firstOf } = this.table;
    const { awake, dead } = this.stateOf(state, at);
    if (this.hasNotices || this.mayNotice(state, at)) return false;
    if (dead && !this.mayRecover(state)) return this.hasMessages(state, at);
    if (this.mayHideCrash(state, at)) return false;
    if (this.options.starts === 'first' && this.initiates[at] === 1 && !awake && this.mayStart(state, at))
      return true;
    if (!this.options.fifo || firstOf[at] === firstOf[at + 1]) return false;
    for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
      if (state[this.firstLink + link] === 0) return false;
    }
    return true;
  }

  private hasMessages(state: Uint16Array, at: number): boolean {
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
