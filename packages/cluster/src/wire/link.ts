/**
 * One direction-pair between two processes, over any number of connections: numbers what is sent, keeps it until the peer
 * acknowledges it, and sends it again on the next connection.
 *
 * Guaranteed between two incarnations: each frame is delivered at most once, in the order of `send`; it is delivered once if
 * the link is not reset and a connection lasts long enough. After a reset the numbers go on, so that nothing of before it is
 * delivered on a later connection. Another incarnation of the peer resets the link, also if it ran before.
 */
import type { Frame } from '../transport.ts';
import { PeerRefused } from './refusal.ts';

/** Where one side goes on: the number of the next frame that it may send, and of the last one that it has received. */
export interface Resumption {
  readonly next: number;
  readonly received: number;
}

interface Queued {
  readonly number: number;
  readonly frame: Frame;
  readonly text: string;
  readonly bytes: number;
}

export const MAX_QUEUED_FRAMES = 1_000;
export const MAX_QUEUED_BYTES = 1_000_000;
/** Incarnations of the peer that are remembered. */
const MAX_INCARNATIONS = 100;
/** Without traffic of its own a receiver acknowledges after this many frames. */
const ACKNOWLEDGE_EVERY = 64;

export class Link {
  #queue: Queued[] = [];
  #queuedBytes = 0;
  /** The number of the next frame that is queued. */
  #next = 1;
  /** The number of the next frame that is written to the present connection. */
  #unwritten = 1;
  #received = 0;
  #acknowledged = 0;
  #peerIncarnation: string | null = null;
  /** The number of the last frame that was received of each incarnation, from the oldest incarnation to the newest. */
  readonly #incarnations = new Map<string, number>();

  /** False if the queue is full: then the caller resets the link. The frame is queued in any case. */
  enqueue(frame: Frame, text: string): boolean {
    const bytes = Buffer.byteLength(text);
    this.#queue.push({ number: this.#next++, frame, text, bytes });
    this.#queuedBytes += bytes;
    return this.#queue.length <= MAX_QUEUED_FRAMES && this.#queuedBytes <= MAX_QUEUED_BYTES;
  }

  /** Drops what was not acknowledged. The present connection must be closed. */
  reset(): Frame[] {
    return this.#dropBelow(this.#next);
  }

  /** Whether a newer process has taken the place of this one. */
  isRetired(incarnation: string): boolean {
    const ages = [...this.#incarnations.keys()];
    const age = ages.indexOf(incarnation);
    return age >= 0 && age < ages.indexOf(this.#peerIncarnation!);
  }

  /** What this side says to that incarnation of the peer. It changes nothing, because the peer may not have proved itself. */
  resumption(incarnation: string): Resumption {
    if (incarnation === this.#peerIncarnation) return { next: this.#first, received: this.#received };
    // What was queued before the first contact is meant for the first incarnation.
    const next = this.#peerIncarnation === null ? this.#first : this.#next;
    return { next, received: this.#incarnations.get(incarnation) ?? 0 };
  }

  get #first(): number {
    return this.#queue.length > 0 ? this.#queue[0].number : this.#next;
  }

  /**
   * A connection to that incarnation begins; `own` is what this side has said on it. Returns the frames that were meant for
   * another incarnation, or null if the peer is the same or the first.
   */
  connect(incarnation: string, own: Resumption, theirs: Resumption): Frame[] | null {
    if (theirs.received >= this.#next)
      throw new PeerRefused('sequence', 'the peer has received what was not sent');
    let dropped: Frame[] | null = null;
    if (incarnation !== this.#peerIncarnation) {
      if (this.#peerIncarnation !== null) {
        this.#incarnations.set(this.#peerIncarnation, this.#received);
        dropped = this.#dropBelow(own.next);
      }
      this.#peerIncarnation = incarnation;
      this.#received = this.#incarnations.get(incarnation) ?? 0;
      this.#incarnations.set(incarnation, this.#received);
      const [oldest] = this.#incarnations.keys();
      if (this.#incarnations.size > MAX_INCARNATIONS) this.#incarnations.delete(oldest);
    }
    // The peer has reset the link: the numbers between were dropped.
    this.#received = Math.max(this.#received, theirs.next - 1);
    this.#acknowledged = this.#received;
    this.acknowledge(theirs.received);
    this.#unwritten = this.#first;
    return dropped;
  }

  /** Frames that the present connection has not carried yet. */
  takeUnwritten(): readonly { readonly number: number; readonly text: string }[] {
    const from = this.#unwritten - this.#first;
    this.#unwritten = this.#next;
    return this.#queue.slice(from);
  }

  /** Whether to deliver a frame with this number. */
  accept(number: number): boolean {
    if (number > this.#received + 1) {
      throw new PeerRefused('sequence', `the number of a frame must be ${this.#received + 1}, not ${number}`);
    }
    if (number <= this.#received) return false;
    this.#received = number;
    return true;
  }

  /** The peer has received all frames up to this number. */
  acknowledge(number: number): void {
    if (number >= this.#next) throw new PeerRefused('sequence', 'the peer acknowledges what was not sent');
    this.#dropBelow(number + 1);
  }

  /** What to acknowledge with the frame that is written next. */
  takeAcknowledgement(): number {
    this.#acknowledged = this.#received;
    return this.#received;
  }

  get mustAcknowledge(): boolean {
    return this.#received - this.#acknowledged >= ACKNOWLEDGE_EVERY;
  }

  get queuedFrames(): number {
    return this.#queue.length;
  }

  #dropBelow(number: number): Frame[] {
    // The numbers of the queue have no gap.
    const dropped = this.#queue.splice(0, Math.max(0, number - this.#first));
    for (const { bytes } of dropped) this.#queuedBytes -= bytes;
    this.#unwritten = Math.max(this.#unwritten, this.#first);
    return dropped.map(({ frame }) => frame);
  }
}
