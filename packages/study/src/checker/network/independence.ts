/**
 * Finds deliveries that commute with every other delivery to the same node: the part of the partial-order reduction in
 * asynchronous-system.ts for non-FIFO links.
 *
 * The other deliveries are over-approximated: the states of each node, and the messages on each link, are closed under
 * delivering any message to any state of its receiver. This is more than can happen, and small if nodes have few states. If
 * it is not small, no delivery counts as independent.
 *
 * A delivery is independent if, in each of these states and with each of these messages, both orders lead to the same state of
 * the node, send the same messages on the same links, and have the same violations. Timers are not compared: an algorithm with
 * timers has no independent deliveries. A node that may still start needs one more argument: a start comes before all
 * deliveries or not at all. So the start is expanded too; runs with the start are covered by it, and in runs without it all
 * steps of the node are deliveries, among which the independent one can come first.
 */
import { CapacityError } from '../../kernel/errors.ts';
import type { Violation } from '../search/system.ts';
import type { LinkTable } from './link-table.ts';
import type { NodeTransition, StepCache } from './node-transition.ts';
import type { NodeTransitions } from './node-transitions.ts';
import { isEqual } from './snapshot-index.ts';

/** The closure is abandoned after this number of steps of nodes. */
const MAX_STEPS = 200_000;

interface Caches {
  readonly start: readonly StepCache[];
  readonly deliver: readonly StepCache[];
}

export class Independence {
  /** The closure: states by position, and messages by link. */
  private readonly states: readonly Collection[];
  private readonly messages: readonly Collection[];
  private readonly verdicts: readonly Map<number, boolean>[];
  /** The number of steps in the closure so far. */
  private steps = 0;
  /** The closure was completed. */
  readonly isSmall: boolean;

  /** `initial` are the initial states of the nodes. */
  constructor(
    private readonly local: NodeTransitions,
    private readonly table: LinkTable,
    private readonly caches: Caches,
    initial: ArrayLike<number>,
    initiators: readonly number[],
  ) {
    this.states = Array.from(local.states, (_, at) => new Collection([initial[at]]));
    this.messages = Array.from({ length: table.count }, () => new Collection());
    this.verdicts = Array.from({ length: table.count }, () => new Map<number, boolean>());
    this.isSmall = this.isClosureSmall(initiators);
  }

  /** True if this delivery commutes with every other delivery to its receiver. */
  isIndependent(link: number, message: number): boolean {
    if (!this.isSmall) return false;
    const known = this.verdicts[link].get(message);
    if (known !== undefined) return known;
    const isIndependent = this.commutes(link, message);
    this.verdicts[link].set(message, isIndependent);
    return isIndependent;
  }

  private isClosureSmall(initiators: readonly number[]): boolean {
    try {
      return this.close(initiators);
    } catch (error) {
      if (error instanceof CapacityError) return false;
      throw error;
    }
  }

  /** Computes the closure; false if it is too large. */
  private close(initiators: readonly number[]): boolean {
    const started = this.states.map(() => 0);
    // By link: the first `messages` messages were delivered to the first `states` states of the receiver.
    const delivered = this.messages.map(() => ({ states: 0, messages: 0 }));
    for (let isClosed = false; !isClosed; ) {
      isClosed = true;
      for (let at = 0; at < this.states.length; at++) {
        const states = this.states[at].all;
        for (; started[at] < states.length; started[at]++) {
          isClosed = false;
          if (initiators.includes(at)) this.start(at, states[started[at]]);
        }
        for (let link = this.table.firstOf[at]; link < this.table.firstOf[at + 1]; link++) {
          const before = delivered[link];
          const now = { states: states.length, messages: this.messages[link].all.length };
          if (now.states === before.states && now.messages === before.messages) continue;
          isClosed = false;
          delivered[link] = now;
          for (let k = 0; k < now.states; k++) {
            const first = k < before.states ? before.messages : 0;
            for (let m = first; m < now.messages; m++) {
              this.add(at, this.deliver(link, states[k], this.messages[link].all[m]));
            }
            if (this.steps > MAX_STEPS) return false;
          }
        }
      }
    }
    return true;
  }

  private start(at: number, state: number): void {
    const { local, caches } = this;
    if (!local.states[at].all[state].awake) this.add(at, local.start(caches.start[at], at, state));
  }

  private add(at: number, transitions: readonly NodeTransition[]): void {
    this.steps += transitions.length;
    for (const { state, sent } of transitions) {
      this.states[at].add(state);
      for (let k = 0; k < sent.length; k += 2) this.messages[sent[k]].add(sent[k + 1]);
    }
  }

  private deliver(link: number, state: number, message: number): readonly NodeTransition[] {
    const { receivers, ports } = this.table;
    return this.local.deliver(this.caches.deliver[link], receivers[link], ports[link], state, message);
  }

  private commutes(link: number, message: number): boolean {
    const at = this.table.receivers[link];
    const { firstOf } = this.table;
    for (let other = firstOf[at]; other < firstOf[at + 1]; other++) {
      for (const otherFirst of this.messages[other].all) {
        for (const state of this.states[at].all) {
          if (!this.commutesIn(state, link, message, other, otherFirst)) return false;
        }
      }
    }
    return true;
  }

  private commutesIn(
    state: number,
    link: number,
    message: number,
    otherLink: number,
    other: number,
  ): boolean {
    const first = this.deliver(link, state, message);
    const otherFirst = this.deliver(otherLink, state, other);
    if (first.length > 1 || otherFirst.length > 1) return false;
    const second = this.deliver(otherLink, first[0].state, other);
    const last = this.deliver(link, otherFirst[0].state, message);
    if (second.length > 1 || last.length > 1 || second[0].state !== last[0].state) return false;
    if (first[0].violation !== null || last[0].violation !== null) return false;
    if (!isSameViolation(second[0].violation, otherFirst[0].violation)) return false;
    return sendSame(first[0].sent, second[0].sent, otherFirst[0].sent, last[0].sent);
  }
}

/** Different numbers, in the order in which they were added. */
class Collection {
  readonly all: number[] = [];
  private readonly known = new Set<number>();

  constructor(first: readonly number[] = []) {
    for (const number of first) this.add(number);
  }

  add(number: number): void {
    if (this.known.has(number)) return;
    this.known.add(number);
    this.all.push(number);
  }
}

function isSameViolation(one: Violation | null, other: Violation | null): boolean {
  return one?.property === other?.property && one?.text === other?.text;
}

type SentMessages = readonly number[];

/** True if both pairs send the same messages, regardless of order. */
function sendSame(a: SentMessages, b: SentMessages, c: SentMessages, d: SentMessages): boolean {
  if (a.length + b.length !== c.length + d.length) return false;
  if (isEqual(a, d) && isEqual(b, c)) return true;
  return sortedMessages(a, b) === sortedMessages(c, d);
}

function sortedMessages(a: SentMessages, b: SentMessages): string {
  const messages: string[] = [];
  for (const sent of [a, b])
    for (let k = 0; k < sent.length; k += 2) messages.push(`${sent[k]} ${sent[k + 1]}`);
  return messages.sort().join();
}
