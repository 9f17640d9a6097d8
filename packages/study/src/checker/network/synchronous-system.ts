/**
 * The transition system of an election in synchronous rounds: all nodes start, and a message that is sent in one round arrives
 * in the next. A step is a whole round: every node handles its messages by port, then its due timers. Runs differ only in
 * random draws and in faults, which happen between rounds. With one step per round there is nothing to reduce.
 *
 * If nodes know the time, the round is part of the state, and handlers are cached per round; otherwise equal states of
 * different rounds are one state.
 *
 * The nodes of a round draw independently, so its outcomes are a product. A search cannot be interrupted within a round.
 */
import type { Setup } from '../../kernel/setup.ts';
import { MAX_OUTCOMES, tooManyOutcomes } from '../../kernel/world/random-outcomes.ts';
import type { Violation, Visit } from '../search/system.ts';
import type { InstanceOptions } from './network-state.ts';
import { NetworkSystem } from './network-system.ts';
import { type NodeTransition, StepCache } from './node-transition.ts';
import { ROUND, stepNumber } from './step-number.ts';

/** The round takes two numbers before the nodes, the lower one first: a run of more than 65,535 rounds is short for a search. */
const ROUND_WORDS = 2;
const WORD = 0x1_0000;

export class SynchronousSystem extends NetworkSystem {
  private readonly knowsTime: boolean;
  /** The place of the round, if nodes know the time. */
  private readonly lowRound: number;
  private readonly ticks: readonly StepCache[];
  /** By round and place. */
  private readonly cachesByRound = new Map<string, StepCache>();

  constructor(setup: Setup, options: InstanceOptions) {
    const knowsTime = setup.algorithm.assumes.knows?.includes('time') ?? false;
    super(setup, options, knowsTime ? ROUND_WORDS : 0);
    this.knowsTime = knowsTime;
    this.lowRound = this.firstNode - ROUND_WORDS;
    this.ticks = Array.from({ length: this.nodes }, () => new StepCache());
  }

  protected expandSteps(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    this.expandLosses(state, next, visit);
    for (let at = 0; at < this.nodes; at++) this.expandFaults(state, at, next, visit);
    if (!this.isPending(state)) return;
    const after = Uint16Array.from(state);
    const round = this.countRound(after);
    after.fill(0, this.firstLink);
    for (let at = 0; at < this.nodes; at++) {
      after[this.firstNode + at] = this.local.tick(this.ticks[at], at, state[this.firstNode + at]);
    }
    this.local.machine.context.clock = round;
    let outcomes = 0;
    this.deliver(state, 0, state[this.firstLink], after, null, (end, violation) => {
      if (++outcomes > MAX_OUTCOMES) throw tooManyOutcomes('round');
      next.set(end);
      visit(stepNumber(ROUND, 0), violation);
      next.set(state);
    });
  }

  /** The state is one round later. Returns its round, 0 if nodes do not know the time. */
  private countRound(state: Uint16Array): number {
    if (!this.knowsTime) return 0;
    const round = this.roundOf(state) + 1;
    state[this.lowRound] = round % WORD;
    state[this.lowRound + 1] = Math.floor(round / WORD);
    return round;
  }

  private roundOf(state: Uint16Array): number {
    return this.knowsTime ? state[this.lowRound] + WORD * state[this.lowRound + 1] : 0;
  }

  /** Delivers the first message of `content`, the rest of a link, and continues. */
  private deliver(
    state: Uint16Array,
    link: number,
    content: number,
    after: Uint16Array,
    violation: Violation | null,
    end: (after: Uint16Array, violation: Violation | null) => void,
  ): void {
    if (link === this.links) {
      this.fire(0, after, violation, end);
    } else if (content === 0) {
      this.deliver(state, link + 1, state[this.firstLink + link + 1], after, violation, end);
    } else {
      const at = this.table.receivers[link];
      const number = after[this.firstNode + at];
      const rest = this.channels.tail(content);
      const cache = this.cacheOf(this.roundOf(after), `link ${link}`);
      const message = this.channels.head(content);
      const transitions = this.stateOf(after, at).dead
        ? [{ state: number, sent: [], violation: null, restarted: [] }]
        : this.local.deliver(cache, at, this.table.ports[link], number, message);
      this.branch(after, at, transitions, violation, (one, found) =>
        this.deliver(state, link, rest, one, found, end),
      );
    }
  }

  /** Fires the due timers, from the given one on. */
  private fire(
    index: number,
    after: Uint16Array,
    violation: Violation | null,
    end: (after: Uint16Array, violation: Violation | null) => void,
  ): void {
    if (index === this.nodes * this.timers) {
      end(after, violation);
      return;
    }
    const at = Math.floor(index / this.timers);
    const timer = index % this.timers;
    if (this.stateOf(after, at).timers[timer] !== 0) {
      this.fire(index + 1, after, violation, end);
      return;
    }
    const cache = this.cacheOf(this.roundOf(after), `timer ${index}`);
    const transitions = this.local.fire(cache, at, timer, after[this.firstNode + at]);
    this.branch(after, at, transitions, violation, (one, found) => this.fire(index + 1, one, found, end));
  }

  private branch(
    after: Uint16Array,
    at: number,
    transitions: readonly NodeTransition[],
    violation: Violation | null,
    proceed: (after: Uint16Array, violation: Violation | null) => void,
  ): void {
    for (const transition of transitions) {
      const one = transitions.length > 1 ? Uint16Array.from(after) : after;
      this.take(one, at, transition);
      proceed(one, violation ?? transition.violation);
    }
  }

  private cacheOf(round: number, place: string): StepCache {
    const key = `${round} ${place}`;
    const known = this.cachesByRound.get(key);
    if (known !== undefined) return known;
    const made = new StepCache();
    this.cachesByRound.set(key, made);
    return made;
  }
}
