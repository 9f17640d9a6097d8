/** Epoch views of all members in virtual time: crashes, restarts and cuts by seed; views travel on links with delays. */

import { Random } from '../../../study/src/kernel/random.ts';
import type { Epoch } from '../../src/view/clique.ts';
import { EpochView } from '../../src/view/epoch-view.ts';
import { SentViews } from '../../src/view/sent-views.ts';
import { VirtualTime } from '../virtual-time.ts';

/** What a mutant leaves out. */
export interface ViewMutant {
  readonly damping?: false;
  readonly durable?: false;
  /** The proposer gets no more than the others. */
  readonly tellsProposer?: false;
}

interface Entry {
  readonly id: number;
  readonly epoch: Epoch;
  readonly incarnation: number;
}

const PAUSE_MS = 400;
const MAX_DELAY_MS = 50;
const DETECTION_MS = 500;

export class ViewSimulation {
  readonly time = new VirtualTime();
  readonly ids: readonly number[];
  /** Every entry into an epoch. */
  readonly entries: Entry[] = [];
  /** Views that were sent. */
  frames = 0;
  private readonly random: Random;
  private readonly living = new Map<
    number,
    { view: EpochView; incarnation: number; reachable: Set<number>; sent: SentViews; entered: string }
  >();
  private readonly disk = new Map<number, number>();
  private readonly cuts = new Set<string>();
  private readonly arrivals = new Map<string, number>();
  private incarnations = 0;

  constructor(
    n: number,
    seed: number,
    private readonly mutant: ViewMutant = {},
  ) {
    this.random = new Random(seed, 'views');
    this.ids = Array.from({ length: n }, (_, at) => at + 1);
    for (const id of this.ids) this.time.after(this.random.below(1_000), () => this.start(id));
  }

  start(id: number): void {
    if (this.living.has(id)) return;
    const { damping, durable } = this.mutant;
    const view = new EpochView({
      self: id,
      members: this.ids,
      entered: durable === false ? 0 : (this.disk.get(id) ?? 0),
      pauseMs: damping === false ? 0 : PAUSE_MS,
      maxPauseMs: damping === false ? 0 : 16 * PAUSE_MS,
    });
    this.living.set(id, {
      view,
      incarnation: ++this.incarnations,
      reachable: new Set(),
      sent: new SentViews(),
      entered: '',
    });
    this.publish(id);
    for (const other of this.living.keys()) this.connect(id, other);
    this.poll(id, this.incarnations);
  }

  crash(id: number): void {
    this.living.delete(id);
    for (const other of this.living.keys()) this.disconnect(other, id);
  }

  cut(a: number, b: number): void {
    this.cuts.add(linkOf(a, b));
    this.disconnect(a, b);
    this.disconnect(b, a);
  }

  heal(): void {
    const cut = [...this.cuts];
    this.cuts.clear();
    for (const link of cut) {
      const [a, b] = link.split(' ').map(Number);
      this.connect(a, b);
    }
  }

  epochOf(id: number): Epoch | null {
    return this.living.get(id)?.view.current ?? null;
  }

  get alive(): number[] {
    return [...this.living.keys()].sort((a, b) => a - b);
  }

  areConnected(a: number, b: number): boolean {
    return this.living.has(a) && this.living.has(b) && !this.cuts.has(linkOf(a, b));
  }

  /** Random faults, one after another; the last one may be undone by `heal`. */
  fault(): string {
    const pick = (): number => this.ids[this.random.below(this.ids.length)];
    const [a, b] = [pick(), pick()];
    const kind = this.random.below(5);
    if (kind === 0 && this.living.size > 1) {
      this.crash(a);
      return `crash ${a}`;
    }
    if (kind === 1) {
      this.start(a);
      return `restart ${a}`;
    }
    if (kind === 2 && a !== b) {
      this.cut(a, b);
      return `cut ${a} ${b}`;
    }
    if (kind === 3) {
      // Faster than any detector.
      this.crash(a);
      this.start(a);
      return `restart ${a} at once`;
    }
    this.heal();
    return 'heal';
  }

  /** Both ends hear each other after a short time, if the link is still up. */
  private connect(a: number, b: number): void {
    if (a === b) return;
    for (const [at, other] of [
      [a, b],
      [b, a],
    ]) {
      const member = this.living.get(at);
      this.time.after(this.random.below(MAX_DELAY_MS), () => {
        if (member === undefined || this.living.get(at) !== member || !this.areConnected(at, other)) return;
        member.reachable.add(other);
        member.view.setHears([...member.reachable]);
        // A new connection begins with the present view.
        this.sendTo(at, other);
        this.publish(at);
      });
    }
  }

  private disconnect(at: number, other: number): void {
    const member = this.living.get(at);
    this.time.after(DETECTION_MS + this.random.below(DETECTION_MS), () => {
      if (member === undefined || this.living.get(at) !== member || this.areConnected(at, other)) return;
      member.reachable.delete(other);
      member.view.setHears([...member.reachable]);
      this.publish(at);
    });
  }

  private poll(id: number, incarnation: number): void {
    const member = this.living.get(id);
    if (member?.incarnation !== incarnation) return;
    member.view.poll(this.time.nowMs);
    this.publish(id);
    this.time.after(this.mutant.damping === false ? 10 : 100, () => this.poll(id, incarnation));
  }

  /** Sends the view to those whom it concerns. The number is on disk before it leaves. */
  private publish(id: number): void {
    const member = this.living.get(id);
    if (member === undefined) return;
    const { current, own } = member.view;
    const text = JSON.stringify(current);
    if (current !== null && text !== member.entered) {
      this.entries.push({ id, epoch: current, incarnation: member.incarnation });
      this.disk.set(id, current.number);
    }
    member.entered = text;
    const chooses = this.mutant.tellsProposer === false ? id : own.chooses;
    for (const other of member.sent.peersToSend(this.ids, { ...own, chooses })) this.sendTo(id, other);
  }

  private sendTo(from: number, to: number): void {
    const [sender, receiver] = [this.living.get(from), this.living.get(to)];
    if (from === to || sender === undefined || receiver === undefined || !this.areConnected(from, to)) return;
    const view = sender.view.own;
    this.frames++;
    // A link keeps the order.
    const key = `${from} > ${to}`;
    const atMs = Math.max(this.arrivals.get(key) ?? 0, this.time.nowMs + 1 + this.random.below(MAX_DELAY_MS));
    this.arrivals.set(key, atMs);
    this.time.after(atMs - this.time.nowMs, () => {
      if (
        this.living.get(to) !== receiver ||
        this.living.get(from) !== sender ||
        !this.areConnected(from, to)
      )
        return;
      receiver.view.receive(from, view);
      this.publish(to);
    });
  }
}

function linkOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}
