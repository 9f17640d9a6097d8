/**
 * A transport in memory and in virtual time: delays, cuts, slow links, crashes, new incarnations, pauses; all by seed. Like
 * the real one it delivers frames once and in order between living processes, whatever happens to the link in between.
 */

import { Random } from '../../study/src/kernel/random.ts';
import type { Frame, Transport, TransportEvents } from '../src/transport.ts';
import type { FolderCheck } from '../src/wire/session.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface NetworkOptions {
  readonly seed: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly heartbeatMs: number;
}

interface Entry {
  readonly frame: Frame;
  readonly dueMs: number;
  isDelivered: boolean;
}

/** What one process has sent to another and knows no answer to. */
interface Link {
  readonly from: SimulatedTransport;
  readonly to: number;
  queue: Entry[];
  lastDueMs: number;
  isPumping: boolean;
}

export class SimulatedNetwork {
  readonly time: VirtualTime;
  readonly options: NetworkOptions;
  readonly random: Random;
  readonly processes = new Map<number, SimulatedTransport>();
  /** Every message of an algorithm that was sent, for counts. */
  readonly sent: { readonly from: number; readonly to: number; readonly frame: Frame }[] = [];
  private readonly cuts = new Set<string>();
  private readonly slowed = new Map<string, number>();

  constructor(time: VirtualTime, options: NetworkOptions) {
    this.time = time;
    this.options = options;
    this.random = new Random(options.seed, 'network');
  }

  /** The transport of a new process of this member. */
  transport(id: number): SimulatedTransport {
    return new SimulatedTransport(this, id);
  }

  delay(from: number, to: number): number {
    const { minDelayMs, maxDelayMs } = this.options;
    const span = maxDelayMs - minDelayMs;
    return minDelayMs + this.random.unit() * span + (this.slowed.get(`${from} ${to}`) ?? 0);
  }

  /** Nothing gets from `from` to `to`. */
  cut(from: number, to: number): void {
    this.cuts.add(`${from} ${to}`);
  }

  slow(from: number, to: number, delayMs: number): void {
    this.slowed.set(`${from} ${to}`, delayMs);
  }

  heal(): void {
    this.cuts.clear();
    this.slowed.clear();
    this.resume();
  }

  /** What waited for a cut, a pause or a process goes on. */
  resume(): void {
    for (const process of this.processes.values()) process.resume();
  }

  isUp(from: number, to: number): boolean {
    return !this.cuts.has(`${from} ${to}`);
  }
}

let processes = 0;

export class SimulatedTransport implements Transport {
  readonly incarnation = ++processes;
  isPaused = false;
  /** Where folders are compared. */
  folders: FolderCheck | null = null;
  private readonly links = new Map<number, Link>();
  /** The incarnations of peers that it is or was connected with. */
  private readonly known = new Map<number, number>();
  private events: TransportEvents | null = null;

  constructor(
    private readonly network: SimulatedNetwork,
    readonly id: number,
  ) {}

  async open(events: TransportEvents): Promise<void> {
    this.events = events;
    this.network.processes.set(this.id, this);
    this.beat();
    this.network.resume();
  }

  send(to: number, frame: Frame): void {
    if (this.events === null) return;
    const { time } = this.network;
    if (frame.type === 'message') this.network.sent.push({ from: this.id, to, frame });
    const link = this.linkTo(to);
    // Through JSON, as on a wire.
    const dueMs = Math.max(link.lastDueMs, time.nowMs + this.network.delay(this.id, to));
    link.lastDueMs = dueMs;
    link.queue.push({ frame: JSON.parse(JSON.stringify(frame)), dueMs, isDelivered: false });
    this.pump(link);
  }

  reset(to: number): void {
    const link = this.linkTo(to);
    const lost = link.queue.map(({ frame }) => frame);
    link.queue = [];
    this.events?.onReset(to, lost);
    // The next connection names the folder again.
    this.network.processes.get(to)?.nameFolder(this);
  }

  nameFolder(to: SimulatedTransport): void {
    if (this.folders !== null && this.known.has(to.id)) to.events?.onFolder?.(this.id, this.folders.id);
  }

  async close(): Promise<void> {
    this.crash();
  }

  /** The process ends at once. */
  crash(): void {
    this.events = null;
    if (this.network.processes.get(this.id) === this) this.network.processes.delete(this.id);
  }

  resume(): void {
    for (const link of this.links.values()) this.pump(link);
  }

  get isAlive(): boolean {
    return this.events !== null;
  }

  private linkTo(to: number): Link {
    const known = this.links.get(to);
    if (known !== undefined) return known;
    const link: Link = { from: this, to, queue: [], lastDueMs: 0, isPumping: false };
    this.links.set(to, link);
    return link;
  }

  /** Delivers the oldest frame that has not arrived when it is due, then the next. */
  private pump(link: Link): void {
    const entry = link.queue.find(({ isDelivered }) => !isDelivered);
    if (link.isPumping || entry === undefined || !this.isAlive) return;
    link.isPumping = true;
    this.network.time.after(entry.dueMs - this.network.time.nowMs, () => {
      link.isPumping = false;
      if (!link.queue.includes(entry)) this.pump(link);
      else if (this.arrive(link, entry)) this.pump(link);
    });
  }

  /** False if it has to wait. */
  private arrive(link: Link, entry: Entry): boolean {
    const peer = this.network.processes.get(link.to);
    if (peer === undefined || peer.isPaused || !this.isAlive || !this.network.isUp(this.id, link.to))
      return false;
    if (!this.isConnected(peer)) return false;
    // The sender may have found a new incarnation of the peer, and dropped the frame.
    if (!link.queue.includes(entry)) return true;
    entry.isDelivered = true;
    this.acknowledge(link, entry);
    peer.events?.onSignOfLife(this.id);
    peer.events?.onFrame(this.id, entry.frame);
    return true;
  }

  /** A connection needs both directions. Each side finds out whether the other is a new incarnation. */
  private isConnected(peer: SimulatedTransport): boolean {
    if (!this.network.isUp(peer.id, this.id) || this.isPaused) {
      return this.known.get(peer.id) === peer.incarnation && peer.known.get(this.id) === this.incarnation;
    }
    if (this.refuses(peer) || peer.refuses(this)) return false;
    this.meet(peer);
    peer.meet(this);
    return true;
  }

  private meet(peer: SimulatedTransport): void {
    const before = this.known.get(peer.id);
    if (before === peer.incarnation) return;
    this.known.set(peer.id, peer.incarnation);
    if (before !== undefined) this.reset(peer.id);
    if (peer.folders !== null) this.events?.onFolder?.(peer.id, peer.folders.id);
  }

  private refuses({ folders, id }: SimulatedTransport): boolean {
    return folders !== null && (this.folders?.refusal(id, folders.id) ?? null) !== null;
  }

  private acknowledge(link: Link, entry: Entry): void {
    this.network.time.after(this.network.delay(link.to, this.id), () => {
      const isBack = this.network.isUp(link.to, this.id) && this.network.processes.has(link.to);
      // Without an acknowledgement the frame stays, and is not delivered again.
      if (isBack) link.queue = link.queue.filter((other) => other !== entry);
      else this.network.time.after(this.network.options.heartbeatMs, () => this.acknowledge(link, entry));
    });
  }

  private beat(): void {
    const { network } = this;
    if (!this.isAlive) return;
    for (const peer of this.isPaused ? [] : network.processes.values()) {
      if (peer === this || !network.isUp(this.id, peer.id)) continue;
      network.time.after(network.delay(this.id, peer.id), () => {
        if (!peer.isAlive || peer.isPaused || !this.isAlive || !network.isUp(this.id, peer.id)) return;
        if (this.isConnected(peer)) peer.events?.onSignOfLife(this.id);
      });
    }
    network.time.after(network.options.heartbeatMs, () => this.beat());
  }
}
