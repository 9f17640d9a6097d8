/**
 * An election together with one chain of messages in it, each sent by a node that the one before had reached: where the
 * chain has come to is part of the state. The longest chain of any run is then the way through the states on which the
 * chain grows most often, and neither times nor depths are kept.
 *
 * The chain is at a node, or in a message under way. From a node it may go on in anything that the node sends from then
 * on, or stay; in a message it comes to the receiver, or is lost. It grows when its message is heard. Of equal messages on
 * a link that keeps no order, either may be the one that comes.
 */
import type { NetworkSystem } from '../network/network-system.ts';
import type { Initial, System, Violation } from '../search/system.ts';

/** A place: a node, or one of what is under way on a link; and which, by its number in the link's content. */
const PLACE = 2;

export class ChainSystem implements System {
  readonly width: number;
  readonly mustTerminate = true;
  readonly draws = false;
  private readonly inner: NetworkSystem;
  private readonly at: number;
  private readonly gone: number;
  /** By position. */
  private readonly linksFrom: readonly (readonly number[])[];

  constructor(inner: NetworkSystem) {
    this.inner = inner;
    this.at = inner.width;
    this.width = inner.width + PLACE;
    this.gone = inner.nodes + inner.links;
    this.linksFrom = Array.from({ length: inner.nodes }, (_, from) =>
      Array.from({ length: inner.links }, (_, link) => link).filter(
        (link) => inner.table.sender(link) === from,
      ),
    );
  }

  get isReduced(): boolean {
    return this.inner.isReduced;
  }

  /** The chain may begin anywhere: those that have started together have sent already. */
  initials(): Initial[] {
    const { inner } = this;
    return inner.initials().flatMap(({ state }) => {
      const places: [number, number][] = Array.from({ length: inner.nodes }, (_, node) => [node, 0]);
      for (let link = 0; link < inner.links; link++) {
        const contents = inner.underWay(state, link);
        for (const [k, element] of contents.entries()) {
          if (inner.options.fifo || contents.indexOf(element) === k) places.push([inner.nodes + link, k]);
        }
      }
      return places.map((place) => {
        const whole = new Uint16Array(this.width);
        whole.set(state);
        whole.set(place, this.at);
        return { state: whole, violation: null };
      });
    });
  }

  /** An odd step is one in which the chain grows. */
  expand(
    state: Uint16Array,
    next: Uint16Array,
    visit: (step: number, violation: Violation | null) => void,
  ): void {
    const { at, inner } = this;
    const before = state.subarray(0, at);
    const after = next.subarray(0, at);
    const place = state[at];
    const emit = (step: number, grows: boolean, where: number, which: number): void => {
      next[at] = where;
      next[at + 1] = which;
      visit(2 * step + (grows ? 1 : 0), null);
    };
    inner.expand(before, after, (step) => {
      if (place === this.gone) emit(step, false, place, 0);
      else if (place < inner.nodes) {
        emit(step, false, place, 0);
        if (inner.actor(step) === place) this.goOn(before, after, step, false, emit);
      } else this.ride(before, after, step, place - inner.nodes, state[at + 1], emit);
    });
  }

  isFault(step: number): boolean {
    return this.inner.isFault(stepOf(step));
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

  /** The chain goes on in each message that the step sends. */
  private goOn(before: Uint16Array, after: Uint16Array, step: number, grows: boolean, emit: Emit): void {
    const { inner } = this;
    const [taken] = inner.takenBy(before, step);
    for (const link of this.linksFrom[inner.actor(step)]) {
      const now = inner.underWay(after, link);
      const rest = [...inner.underWay(before, link)];
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

  /** The chain is in the message number `which` of a link. */
  private ride(
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
    const contents = inner.underWay(before, link);
    const place = inner.nodes + link;
    if (taken === undefined) {
      // Whether something was sent here or all has aged: what lies before it on the link tells.
      const element = contents[which];
      const now = inner.underWay(after, link);
      emit(step, false, place, fifo || now.length === contents.length ? which : now.indexOf(element));
      return;
    }
    const isHere = taken[0] === link;
    const element = contents[which];
    const gone = isHere ? contents.indexOf(taken[1]) : -1;
    const isIt = isHere && (fifo ? gone === which : taken[1] === element);
    if (isIt) {
      if (inner.isHeard(before, step)) {
        emit(step, true, inner.actor(step), 0);
        this.goOn(before, after, step, true, emit);
      } else emit(step, false, this.gone, 0);
    }
    if (isIt && (fifo || count(contents, element) === 1)) return;
    const moved = gone >= 0 && gone < which ? which - 1 : which;
    emit(step, false, place, fifo ? moved : inner.underWay(after, link).indexOf(element));
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
