import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/transport.ts';
import { Link, MAX_QUEUED_BYTES, MAX_QUEUED_FRAMES } from '../../src/wire/link.ts';

const frame = (n: number): Frame => ({ type: 'message', n });

interface OnTheWay {
  readonly number: number;
  readonly ack: number;
  readonly n: number;
}

/** Two ends of a link, and a network that loses what is on its way when a connection breaks. */
class Pair {
  readonly ends: Link[];
  readonly incarnations = [0, 0];
  readonly sent: number[][] = [[], []];
  readonly delivered: number[][] = [[], []];
  /** Reported by `connect` or `reset`: may or may not have arrived. */
  readonly doubtful: Set<number>[] = [new Set(), new Set()];
  #wires: OnTheWay[][] = [[], []];
  #isConnected = false;
  #next = 1;

  constructor(private readonly kind: typeof Link = Link) {
    this.ends = [new kind(), new kind()];
  }

  send(from: number): void {
    const n = this.#next++;
    this.sent[from].push(n);
    this.ends[from].enqueue(frame(n), JSON.stringify(frame(n)));
    if (this.#isConnected) this.#write(from);
  }

  #write(from: number): void {
    const link = this.ends[from];
    for (const { number, text } of link.takeUnwritten()) {
      this.#wires[from].push({ number, ack: link.takeAcknowledgement(), n: JSON.parse(text).n });
    }
  }

  /** The first frame on its way arrives; an end that must acknowledge does. */
  deliver(from: number): void {
    const next = this.#wires[from].shift();
    if (next === undefined) return;
    const to = 1 - from;
    const link = this.ends[to];
    link.acknowledge(next.ack);
    if (next.number > 0 && link.accept(next.number)) this.delivered[to].push(next.n);
  }

  acknowledge(from: number): void {
    if (this.#isConnected)
      this.#wires[from].push({ number: 0, ack: this.ends[from].takeAcknowledgement(), n: 0 });
  }

  disconnect(): void {
    this.#isConnected = false;
    this.#wires = [[], []];
  }

  connect(): void {
    this.disconnect();
    const [a, b] = this.ends;
    const names = this.incarnations.map((each, end) => `${end}.${each}`);
    const [ofA, ofB] = [a.resumption(names[1]), b.resumption(names[0])];
    this.#doubt(0, a.connect(names[1], ofA, ofB) ?? []);
    this.#doubt(1, b.connect(names[0], ofB, ofA) ?? []);
    this.#isConnected = true;
    this.#write(0);
    this.#write(1);
  }

  #doubt(end: number, frames: readonly Frame[]): void {
    for (const { n } of frames) this.doubtful[end].add(n as number);
  }

  reset(end: number): void {
    this.#doubt(end, this.ends[end].reset());
    this.disconnect();
  }

  /** The process at this end starts again and has forgotten everything: what it had sent and not seen arrive is lost. */
  restart(end: number): void {
    this.disconnect();
    for (const n of this.sent[end]) this.doubtful[end].add(n);
    // What had been delivered to the old process counts, but the sender may not know it.
    this.ends[end] = new this.kind();
    this.incarnations[end]++;
  }

  settle(): void {
    this.connect();
    for (let moves = 0; moves < 10_000 && this.#wires.some(({ length }) => length > 0); moves++) {
      this.deliver(0);
      this.deliver(1);
    }
    this.acknowledge(0);
    this.acknowledge(1);
    this.deliver(0);
    this.deliver(1);
  }
}

const end = fc.constantFrom(0, 1);
const harmless = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send' as const), end }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('deliver' as const), end }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('acknowledge' as const), end }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('connect' as const), end }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('disconnect' as const), end }) },
);
const resets = fc.oneof(
  { weight: 16, arbitrary: harmless },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const), end }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const), end }) },
);

type Move = {
  readonly type: 'send' | 'deliver' | 'acknowledge' | 'connect' | 'disconnect' | 'reset' | 'restart';
  readonly end: number;
};

function play(moves: readonly Move[], kind?: typeof Link): Pair {
  const pair = new Pair(kind);
  for (const { type, end } of moves) pair[type](end);
  pair.settle();
  return pair;
}

/** With the property of the first test, for a kind of link. */
const onceInOrder = (kind: typeof Link) =>
  fc.property(fc.array(harmless, { maxLength: 200 }), (moves) => {
    const pair = play(moves, kind);
    for (const end of [0, 1]) {
      expect(pair.delivered[1 - end]).toEqual(pair.sent[end]);
      expect(pair.ends[end].queuedFrames).toBe(0);
    }
  });

describe('a link', () => {
  it('delivers each frame once and in order, over any sequence of disconnects, losses and reconnects', () => {
    fc.assert(onceInOrder(Link), { numRuns: 300 });
  });

  it.each([
    [
      'delivers again what it has received',
      class extends Link {
        override resumption(incarnation: string) {
          return { ...super.resumption(incarnation), received: 0 };
        }
        override accept() {
          return true;
        }
      },
    ],
    [
      'does not send again what was on its way',
      class extends Link {
        override resumption(incarnation: string) {
          this.reset();
          return super.resumption(incarnation);
        }
      },
    ],
    [
      'delivers frames in the reverse order',
      class extends Link {
        override takeUnwritten() {
          return [...super.takeUnwritten()].reverse();
        }
      },
    ],
  ])('is caught by that test if it %s', (_, kind) => {
    expect(fc.check(onceInOrder(kind as typeof Link), { numRuns: 300 }).failed).toBe(true);
  });

  it('over resets and restarts delivers at most once and in order, and reports what is not delivered', () => {
    fc.assert(
      fc.property(fc.array(resets, { maxLength: 200 }), (moves) => {
        const pair = play(moves);
        for (const end of [0, 1]) {
          const arrived = pair.delivered[1 - end];
          expect(arrived).toEqual([...new Set(arrived)].sort((a, b) => a - b));
          const missing = pair.sent[end].filter((n) => !arrived.includes(n));
          expect(missing.filter((n) => !pair.doubtful[end].has(n))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('delivers nothing of before a reset on a later connection', () => {
    const pair = new Pair();
    pair.connect();
    pair.send(0);
    pair.reset(0);
    pair.send(0);
    pair.settle();
    expect(pair.delivered[1]).toEqual([2]);
  });

  it('keeps what was queued before the first contact', () => {
    const pair = new Pair();
    pair.send(0);
    pair.settle();
    expect(pair.delivered[1]).toEqual([1]);
    expect(pair.doubtful[0].size).toBe(0);
  });

  it('is full after 1,000 frames or 1 MB', () => {
    const many = new Link();
    for (let n = 0; n < MAX_QUEUED_FRAMES; n++) expect(many.enqueue(frame(n), '{}')).toBe(true);
    expect(many.enqueue(frame(0), '{}')).toBe(false);
    expect(many.reset()).toHaveLength(1_001);
    expect(many.enqueue(frame(0), '{}')).toBe(true);
    // Bytes, not characters.
    const large = new Link();
    const text = 'é'.repeat(MAX_QUEUED_BYTES / 20);
    for (let n = 0; n < 10; n++) expect(large.enqueue(frame(n), text)).toBe(true);
    expect(large.enqueue(frame(0), text)).toBe(false);
  });

  it('refuses numbers and acknowledgements that cannot be right', () => {
    const link = new Link();
    link.connect('a', link.resumption('a'), { next: 1, received: 0 });
    expect(() => link.accept(2)).toThrow('must be 1, not 2');
    expect(() => link.acknowledge(1)).toThrow('not sent');
    expect(() => link.connect('a', link.resumption('a'), { next: 1, received: 5 })).toThrow('not sent');
  });

  it('remembers which incarnations a newer one has replaced', () => {
    const link = new Link();
    for (const name of ['a', 'b']) link.connect(name, link.resumption(name), { next: 1, received: 0 });
    expect([link.isRetired('a'), link.isRetired('b'), link.isRetired('c')]).toEqual([true, false, false]);
    // The newer one stays newer when the older one comes back.
    link.connect('a', link.resumption('a'), { next: 1, received: 0 });
    expect([link.isRetired('a'), link.isRetired('b')]).toEqual([false, false]);
    link.connect('b', link.resumption('b'), { next: 1, received: 0 });
    expect([link.isRetired('a'), link.isRetired('b')]).toEqual([true, false]);
  });

  it('to an incarnation that comes back delivers nothing twice, and nothing that was meant for another one', () => {
    const [here, older, newer] = [new Link(), new Link(), new Link()];
    const connect = (name: string, there: Link) => {
      const [own, theirs] = [here.resumption(name), there.resumption('here')];
      there.connect('here', theirs, own);
      return here.connect(name, own, theirs)?.map(({ n }) => n);
    };
    /** All that one end has not written yet arrives; without an acknowledgement. */
    const carry = (from: Link, to: Link): number[] =>
      from.takeUnwritten().flatMap(({ number, text }) => (to.accept(number) ? [JSON.parse(text).n] : []));
    const send = (from: Link, n: number): boolean => from.enqueue(frame(n), JSON.stringify(frame(n)));
    connect('older', older);
    send(here, 1);
    send(older, 2);
    expect([carry(here, older), carry(older, here)]).toEqual([[1], [2]]);
    send(here, 3);
    send(older, 4);
    expect(connect('newer', newer)).toEqual([1, 3]);
    send(here, 5);
    send(newer, 6);
    expect([carry(here, newer), carry(newer, here)]).toEqual([[5], [6]]);
    expect(connect('older', older)).toEqual([5]);
    send(here, 7);
    expect([carry(here, older), carry(older, here)]).toEqual([[7], [4]]);
  });

  it('acknowledges at the latest after 64 frames', () => {
    const link = new Link();
    link.connect('a', link.resumption('a'), { next: 1, received: 0 });
    for (let n = 1; n < 64; n++) link.accept(n);
    expect(link.mustAcknowledge).toBe(false);
    link.accept(64);
    expect(link.mustAcknowledge).toBe(true);
    expect(link.takeAcknowledgement()).toBe(64);
    expect(link.mustAcknowledge).toBe(false);
  });
});
