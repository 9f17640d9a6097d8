/**
 * The product of an election with one causal chain of messages: each message of the chain is sent by a node after it
 * received the message before. The end of the chain is part of the state. The longest chain of all runs is then the path
 * with the most steps in which the chain grows, and a state has neither times nor depths.
 *
 * The end of the chain is at a node or in a message in flight. From a node it moves into any message that the node sends
 * later, or stays; from a message it moves to the receiver, or is lost. The chain grows when its message is received. Of
 * equal messages on a non-FIFO link, any one may be delivered.
 */
import { CapacityError } from '../../kernel/errors.ts';
import type { NetworkSystem } from '../network/network-system.ts';
import { type Initial, MAX_NUMBER, type System, type Visit } from '../search/system.ts';

/** The end of the chain: a node, or a link and the index of a message in its content. */
const PLACE = 2;

export class ChainSystem implements System {
  readonly width: number;
  readonly mustTerminate = true;
  readonly draws = false;
  private readonly at: number;
  private readonly lost: number;
  /** By position. */
  private readonly linksFrom: readonly (readonly number[])[];

  constructor(private readonly inner: NetworkSystem) {
    this.at = inner.width;
    this.width = inner.width + PLACE;
    this.lost = inner.nodes + inner.links;
    if (this.lost > MAX_NUMBER) {
      throw new CapacityError(
        `a causal chain is followed among at most ${MAX_NUMBER} nodes and links, not ${this.lost}`,
      );
    }
    this.linksFrom = Array.from({ length: inner.nodes }, (_, from) =>
      Array.from({ length: inner.links }, (_, link) => link).filter(
        (link) => inner.table.sender(link) === from,
      ),
    );
  }

  /** The chain begins at any node, or in any message that was sent by nodes that start together. */
  *initials(): Generator<Initial> {
    const { inner } = this;
    for (const { state } of inner.initials()) {
      const places: [number, number][] = Array.from({ length: inner.nodes }, (_, node) => [node, 0]);
      for (let link = 0; link < inner.links; link++) {
        const contents = inner.inFlight(state, link);
        for (const [k, element] of contents.entries()) {
          if (inner.options.fifo || contents.indexOf(element) === k) places.push([inner.nodes + link, k]);
        }
      }
      for (const place of places) {
        const whole = new Uint16Array(this.width);
        whole.set(state);
        whole.set(place, this.at);
        yield { state: whole, violation: null };
      }
    }
  }

  expand(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    const { at, inner } = this;
    inner.expand(state.subarray(0, at), next.subarray(0, at), this.visitChains(state, next, visit));
  }

  expandPersistent(state: Uint16Array, next: Uint16Array, visit: Visit): boolean {
    const { at, inner } = this;
    return inner.expandPersistent(
      state.subarray(0, at),
      next.subarray(0, at),
      this.visitChains(state, next, visit),
    );
  }

  /** Visits a step of the election once for each way in which the chain continues. Its number is odd if the chain grows. */
  private visitChains(state: Uint16Array, next: Uint16Array, visit: Visit): (step: number) => void {
    const { at, inner } = this;
    const before = state.subarray(0, at);
    const after = next.subarray(0, at);
    const place = state[at];
    const emit = (step: number, grows: boolean, where: number, which: number): void => {
      next[at] = where;
      next[at + 1] = which;
      visit(2 * step + (grows ? 1 : 0), null);
    };
    return (step) => {
      if (place === this.lost) emit(step, false, place, 0);
      else if (place < inner.nodes) {
        emit(step, false, place, 0);
        if (inner.actor(step) === place) this.extend(before, after, step, false, emit);
      } else this.follow(before, after, step, place - inner.nodes, state[at + 1], emit);
    };
  }

  isOptional(step: number): boolean {
    return this.inner.isOptional(stepOf(step));
  }

  actor(step: number): number {
    return this.inner.actor(stepOf(step));
  }

  exceedsBound(state: Uint16Array): boolean {
    return this.inner.exceedsBound(state.subarray(0, this.at));
  }

  inspect(): null {
    return null;
  }

  judgeEnd(): null {
    return null;
  }

  describe(state: Uint16Array, step: number): string {
    return this.inner.describe(state.subarray(0, this.at), stepOf(step));
  }

  /** The chain continues in each message that the step sends. */
  private extend(before: Uint16Array, after: Uint16Array, step: number, grows: boolean, emit: Emit): void {
    const { inner } = this;
    const [taken] = inner.takenBy(before, step);
    for (const link of this.linksFrom[inner.actor(step)]) {
      const now = inner.inFlight(after, link);
      const rest = [...inner.inFlight(before, link)];
      if (taken?.[0] === link) rest.splice(rest.indexOf(taken[1]), 1);
      if (now.length === rest.length) continue;
      for (const [k, element] of now.entries()) {
        const isNew = inner.options.fifo
          ? k >= rest.length
          : now.indexOf(element) === k && count(now, element) > count(rest, element);
        if (isNew) emit(step, grows, inner.nodes + link, k);
      }
    }
  }

  /** The chain is in the message with index `which` of a link. */
  private follow(
    before: Uint16Array,
    after: Uint16Array,
    step: number,
    link: number,
    which: number,
    emit: Emit,
  ): void {
    const { inner } = this;
    const { fifo } = inner.options;
    const [taken] = inner.takenBy(before, step);
    const contents = inner.inFlight(before, link);
    const place = inner.nodes + link;
    if (taken === undefined) {
      // The step sent a message on this link, or all messages have aged: the order on the link is the same.
      const element = contents[which];
      const now = inner.inFlight(after, link);
      emit(step, false, place, fifo || now.length === contents.length ? which : now.indexOf(element));
      return;
    }
    const isOnThisLink = taken[0] === link;
    const element = contents[which];
    const takenIndex = isOnThisLink ? contents.indexOf(taken[1]) : -1;
    const isTheMessage = isOnThisLink && (fifo ? takenIndex === which : taken[1] === element);
    if (isTheMessage) {
      if (inner.isReceived(before, step)) {
        emit(step, true, inner.actor(step), 0);
        this.extend(before, after, step, true, emit);
      } else emit(step, false, this.lost, 0);
    }
    if (isTheMessage && (fifo || count(contents, element) === 1)) return;
    const moved = takenIndex >= 0 && takenIndex < which ? which - 1 : which;
    emit(step, false, place, fifo ? moved : inner.inFlight(after, link).indexOf(element));
  }
}

type Emit = (step: number, grows: boolean, where: number, which: number) => void;

export function growsIn(step: number): boolean {
  return step % 2 === 1;
}

function stepOf(step: number): number {
  return Math.floor(step / 2);
}

function count(contents: readonly number[], element: number): number {
  return contents.filter((one) => one === element).length;
}
