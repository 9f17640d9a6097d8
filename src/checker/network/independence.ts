/**
 * Which messages may be taken at once, because it makes no difference to their receiver whether they come before or
 * after anything else that may ever come: the other half of the reduction in async-system.ts, for links that keep no
 * order.
 *
 * What may ever come is taken generously: every message that some node sends in some state that it can get into if
 * any message that was ever sent to it arrives in any order, again and again. That is more than can happen, and small
 * where nodes have few states. Where it is not small, nothing is said to commute.
 *
 * Timers are not compared: where an algorithm has any, nothing is asked here. A message commutes if in each of these states, before and after each of these messages, it leads to the same state
 * of the node and to the same messages on the same links. Those at a node that may still start by itself need one
 * more word: a start comes before all messages or not at all. So a run goes on there with the start, which then is the
 * first of the node's steps, or without it, and then all its steps are deliveries, among which the message may come
 * first.
 */
import { CapacityError } from '../../kernel/errors.ts';
import type { Violation } from '../search/system.ts';
import type { LinkTable } from './link-table.ts';
import type { NodeTransition, NodeTransitions, StepCache } from './node-transitions.ts';

/** Handlers that are run before giving up. */
const MOST_STEPS = 200_000;

interface Memories {
  readonly start: readonly StepCache[];
  readonly deliver: readonly StepCache[];
}

export class Independence {
  private readonly local: NodeTransitions;
  private readonly table: LinkTable;
  private readonly caches: Memories;
  /** By position: the states that a node can get into. By link: the messages that can come. */
  private readonly states: readonly Set<number>[];
  private readonly messages: readonly Set<number>[];
  private readonly known: readonly Map<number, boolean>[];
  /** There was an end to it. */
  readonly isSmall: boolean;

  /** `asleep` holds the states in which nodes begin. */
  constructor(
    local: NodeTransitions,
    table: LinkTable,
    caches: Memories,
    asleep: ArrayLike<number>,
    initiators: readonly number[],
  ) {
    this.local = local;
    this.table = table;
    this.caches = caches;
    this.states = Array.from(local.states, (_, at) => new Set([asleep[at]]));
    this.messages = Array.from({ length: table.count }, () => new Set<number>());
    this.known = Array.from({ length: table.count }, () => new Map<number, boolean>());
    this.isSmall = this.hasEnd(initiators);
  }

  /** May this message, under way on this link, be taken before anything else that may come to its receiver? */
  isFree(link: number, message: number): boolean {
    if (!this.isSmall) return false;
    const known = this.known[link].get(message);
    if (known !== undefined) return known;
    const free = this.commutes(link, message);
    this.known[link].set(message, free);
    return free;
  }

  private hasEnd(initiators: readonly number[]): boolean {
    try {
      return this.close(initiators);
    } catch (error) {
      if (error instanceof CapacityError) return false;
      throw error;
    }
  }

  /** Finds all states and messages; false if there are too many. */
  private close(initiators: readonly number[]): boolean {
    const { local, caches } = this;
    const most = local.runs + MOST_STEPS;
    const learn = (at: number, ways: readonly NodeTransition[]): void => {
      for (const { state, sent } of ways) {
        this.states[at].add(state);
        for (let k = 0; k < sent.length; k += 2) this.messages[sent[k]].add(sent[k + 1]);
      }
    };
    for (let before = -1; before !== this.size(); ) {
      before = this.size();
      for (let at = 0; at < this.states.length; at++) {
        // A set's loop goes on through what is added meanwhile.
        for (const number of this.states[at]) {
          const { awake } = local.states[at].all[number];
          if (!awake && initiators.includes(at)) learn(at, local.start(caches.start[at], at, number));
          this.forEachMessage(at, (link, message) => {
            learn(at, this.deliver(link, number, message));
          });
          if (local.runs > most) return false;
        }
      }
    }
    return true;
  }

  private size(): number {
    return [...this.states, ...this.messages].reduce((sum, { size }) => sum + size, 0);
  }

  private forEachMessage(at: number, visit: (link: number, message: number) => void): void {
    const { firstOf } = this.table;
    for (let link = firstOf[at]; link < firstOf[at + 1]; link++) {
      for (const message of this.messages[link]) visit(link, message);
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
      for (const rival of this.messages[other]) {
        for (const state of this.states[at]) {
          if (!this.commutesIn(state, link, message, other, rival)) return false;
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
    const rival = this.deliver(otherLink, state, other);
    if (first.length > 1 || rival.length > 1) return false;
    const second = this.deliver(otherLink, first[0].state, other);
    const last = this.deliver(link, rival[0].state, message);
    if (second.length > 1 || last.length > 1 || second[0].state !== last[0].state) return false;
    if (first[0].violation !== null || last[0].violation !== null) return false;
    if (!isSameViolation(second[0].violation, rival[0].violation)) return false;
    return isSameMail(first[0].sent, second[0].sent, rival[0].sent, last[0].sent);
  }
}

function isSameViolation(one: Violation | null, other: Violation | null): boolean {
  return one?.property === other?.property && one?.text === other?.text;
}

type Mail = readonly number[];

/** Do two pairs of mailings come to the same, in whatever order? */
function isSameMail(a: Mail, b: Mail, c: Mail, d: Mail): boolean {
  if (a.length + b.length !== c.length + d.length) return false;
  if (isEqual(a, d) && isEqual(b, c)) return true;
  return sortedMail(a, b) === sortedMail(c, d);
}

function isEqual(a: Mail, b: Mail): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function sortedMail(a: Mail, b: Mail): string {
  const mail: string[] = [];
  for (const sent of [a, b]) for (let k = 0; k < sent.length; k += 2) mail.push(`${sent[k]} ${sent[k + 1]}`);
  return mail.sort().join();
}
