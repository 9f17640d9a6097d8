/**
 * A transport over messages that may be lost, delayed, duplicated and reordered, as those of Maelstrom.
 *
 * Guaranteed between two processes: each frame is delivered at most once, in the order of `send`; it is delivered once if the
 * link is not reset and messages get through again and again. Frames wait until the peer has said which process it is, so
 * that no frame reaches two processes of one node. A frame that was on its way at a reset may still arrive, but not after one
 * that was sent later.
 * Requires that a process of a node starts later, by the wall clock, than the one before it: messages of an older process are
 * recognised by that and dropped.
 */
import { isRecord, isWhole, show } from '@hustings/base';
import type { MemberClock } from '../runtime/member-clock.ts';
import type { Frame, Transport, TransportEvents } from '../transport.ts';
import { Link, MAX_QUEUED_FRAMES } from '../wire/link.ts';
import { PeerRefused } from '../wire/refusal.ts';

export interface LineTransportOptions {
  readonly self: number;
  readonly members: readonly number[];
  readonly heartbeatMs: number;
  readonly clock: MemberClock;
  /** Random text that no other process of this node has. */
  readonly nonce: string;
  write(to: number, body: object): void;
}

/** What every message between two nodes carries. */
interface Datagram {
  /** The process that sends, and the one that it knows at the other end; null before it has heard from it. */
  readonly process: string;
  readonly peer: string | null;
  /** The number of its oldest frame that is not acknowledged, and of the last one that it has received. */
  readonly next: number;
  readonly received: number;
  readonly number: number | null;
  readonly frame: Frame | null;
}

interface LinePeer {
  readonly id: number;
  readonly link: Link;
  process: string | null;
  /** Frames that came before their predecessors. */
  readonly early: Map<number, Frame>;
  hasReceived: boolean;
  hasSent: boolean;
  /** The oldest frame without an acknowledgement at the last heartbeat, and for how many heartbeats it has been that. */
  oldest: number;
  beatsWaited: number;
}

/** Heartbeats without progress after which frames are sent again. */
const RESEND_AFTER_BEATS = 2;

export class LineTransport implements Transport {
  readonly #options: LineTransportOptions;
  readonly #process: string;
  readonly #peers: ReadonlyMap<number, LinePeer>;
  #events: TransportEvents | null = null;
  #cancelBeat = (): void => {};

  constructor(options: LineTransportOptions) {
    this.#options = options;
    // Later processes of a node have larger names.
    this.#process = `${String(options.clock.wallMs()).padStart(15, '0')}-${options.nonce}`;
    this.#peers = new Map(options.members.filter((id) => id !== options.self).map((id) => [id, newPeer(id)]));
  }

  async open(events: TransportEvents): Promise<void> {
    this.#events = events;
    this.#beat();
  }

  send(to: number, frame: Frame): void {
    const peer = this.#peers.get(to);
    if (peer === undefined || this.#events === null) return;
    if (peer.link.enqueue(frame, JSON.stringify(frame))) this.#flush(peer);
    else this.reset(to);
  }

  reset(to: number): void {
    const peer = this.#peers.get(to);
    if (peer !== undefined) this.#events?.onReset(to, peer.link.reset());
  }

  async close(): Promise<void> {
    this.#events = null;
    this.#cancelBeat();
  }

  /** A message of another node. Throws `PeerRefused` if it is not one of this protocol. Before `open` it counts as lost. */
  receive(from: number, body: Readonly<Record<string, unknown>>): void {
    const peer = this.#peers.get(from);
    const events = this.#events;
    if (peer === undefined || events === null) return;
    const datagram = parseDatagram(body);
    if (peer.process !== null && datagram.process < peer.process) return;
    const isKnown = datagram.peer === this.#process;
    this.#resume(peer, datagram, isKnown, events);
    peer.hasReceived = true;
    events.onSignOfLife(from);
    // Otherwise the frame is meant for another process, or may have reached one.
    if (isKnown) this.#deliver(peer, datagram, events);
  }

  /** The link goes on where the sender says. */
  #resume(peer: LinePeer, datagram: Datagram, isKnown: boolean, events: TransportEvents): void {
    const { next, process } = datagram;
    const { link } = peer;
    const own = link.resumption(process);
    const isSame = process === peer.process;
    const received = isKnown ? datagram.received : 0;
    // Beyond the next number: the sender has reset the link.
    if (isSame && next <= own.received + 1) link.acknowledge(received);
    else {
      const dropped = link.connect(process, own, { next, received });
      peer.process = process;
      peer.early.clear();
      if (dropped !== null) events.onReset(peer.id, dropped);
      this.#flush(peer);
    }
  }

  #deliver(peer: LinePeer, { number, frame }: Datagram, events: TransportEvents): void {
    const { early, link } = peer;
    const last = (): number => link.resumption(peer.process as string).received;
    // A frame beyond the longest queue is none of a sender that numbers without gaps.
    const isAhead = number !== null && number > last() && number <= last() + MAX_QUEUED_FRAMES;
    if (isAhead && frame !== null) early.set(number, frame);
    for (let next = early.get(last() + 1); next !== undefined; next = early.get(last() + 1)) {
      early.delete(last() + 1);
      link.accept(last() + 1);
      events.onFrame(peer.id, next);
    }
  }

  #flush(peer: LinePeer): void {
    if (peer.process === null) return;
    for (const { number, text } of peer.link.takeUnwritten()) {
      const frame = JSON.parse(text) as Frame;
      this.#write(peer, labelOf(frame), { number, frame });
    }
  }

  /** Sends again what a living peer has not acknowledged. To a silent one only heartbeats go. */
  #beat(): void {
    for (const peer of this.#peers.values()) {
      const { link, process } = peer;
      const oldest = link.resumption(process ?? '').next;
      const isWaiting = link.queuedFrames > 0 && oldest === peer.oldest;
      peer.beatsWaited = isWaiting ? peer.beatsWaited + 1 : 0;
      peer.oldest = oldest;
      if (process !== null && peer.hasReceived && peer.beatsWaited >= RESEND_AFTER_BEATS) {
        // To the link it is a new connection, on which nothing was written.
        link.connect(process, link.resumption(process), { next: 1, received: 0 });
        peer.beatsWaited = 0;
        this.#flush(peer);
      }
      if (!peer.hasSent) this.#write(peer, 'heartbeat', {});
      peer.hasReceived = peer.hasSent = false;
    }
    this.#cancelBeat = this.#options.clock.after(this.#options.heartbeatMs, () => this.#beat());
  }

  #write(peer: LinePeer, type: string, content: object): void {
    peer.hasSent = true;
    const { next, received } = peer.link.resumption(peer.process ?? '');
    const head = { process: this.#process, peer: peer.process, next, received };
    this.#options.write(peer.id, { type, ...head, ...content });
  }
}

const newPeer = (id: number): LinePeer => ({
  id,
  link: new Link(),
  process: null,
  early: new Map(),
  hasReceived: false,
  hasSent: false,
  oldest: 0,
  beatsWaited: 0,
});

/** The type of a message in the diagrams of Maelstrom. It has no other meaning. */
function labelOf({ body, type }: Frame): string {
  return isRecord(body) && typeof body.type === 'string' ? body.type : type;
}

function parseDatagram(body: Readonly<Record<string, unknown>>): Datagram {
  const { frame = null, next, number = null, peer, process, received } = body;
  if (typeof process !== 'string' || !/^\d{15}-\w+$/.test(process))
    throw new PeerRefused('frame', `it must name its process, not ${show(process)}`);
  if (peer !== null && typeof peer !== 'string')
    throw new PeerRefused('frame', `peer must be text or null, not ${show(peer)}`);
  if (!isWhole(next, 1) || !isWhole(received, 0))
    throw new PeerRefused('frame', 'next and received must be whole numbers');
  if ((frame !== null && !isRecord(frame)) || (number !== null && !isWhole(number, 1)))
    throw new PeerRefused('frame', 'a frame must be an object with a number from 1');
  return { process, peer, next, received, number, frame: frame as Frame | null };
}
