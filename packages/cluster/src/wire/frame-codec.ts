/**
 * Frames on a connection: u32 length of the rest, u8 version, u8 kind, then a JSON body and, after the handshake, a MAC if
 * the cluster has a secret. The length is checked as soon as its four bytes are there, before anything is kept for it.
 */
import { isRecord, show } from '@hustings/base';
import { PeerRefused } from './refusal.ts';

export const WIRE_VERSION = 1;
export const HEAD_BYTES = 6;
const LENGTH_BYTES = 4;

const KINDS = ['hello', 'ready', 'heartbeat', 'data', 'refusal'] as const;
export type FrameKind = (typeof KINDS)[number];

/** A whole frame as it arrived. */
export interface RawFrame {
  readonly kind: FrameKind;
  /** With the head. */
  readonly bytes: Buffer;
}

/** `mac` is called with the head and the body, and adds `macBytes`. */
export function encodeFrame(
  kind: FrameKind,
  body: string,
  macBytes = 0,
  mac?: (bytes: Buffer) => Buffer,
): Buffer {
  const signed = HEAD_BYTES + Buffer.byteLength(body);
  const bytes = Buffer.allocUnsafe(signed + macBytes);
  bytes.writeUInt32BE(bytes.length - LENGTH_BYTES, 0);
  bytes[4] = WIRE_VERSION;
  bytes[5] = KINDS.indexOf(kind) + 1;
  bytes.write(body, HEAD_BYTES);
  mac?.(bytes.subarray(0, signed)).copy(bytes, signed);
  return bytes;
}

/** Cuts a stream into frames, in whatever pieces it arrives. It keeps less than one frame and one chunk. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** `maxBytes` bounds the length prefix. */
  constructor(private maxBytes: number) {}

  /** For a peer that has proved who it is. */
  allow(maxBytes: number): void {
    this.maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The next whole frame, or null. Throws `PeerRefused`; the stream is of no use after that. */
  next(): RawFrame | null {
    if (this.#bytes < LENGTH_BYTES) return null;
    if (this.#chunks[0].length < LENGTH_BYTES) this.#join();
    const length = this.#chunks[0].readUInt32BE(0);
    if (length < HEAD_BYTES - LENGTH_BYTES || length > this.maxBytes) {
      // A record of TLS begins with its type, 22 for a handshake, and 3.
      if (length >>> 16 === 0x1603) {
        throw new PeerRefused(
          'frame',
          'the peer speaks TLS, and this member does not; give all members the same security',
        );
      }
      throw new PeerRefused('frame', `the length of a frame must be 2 to ${this.maxBytes}, not ${length}`);
    }
    if (this.#bytes < LENGTH_BYTES + length) return null;
    this.#join();
    const [all] = this.#chunks;
    const bytes = all.subarray(0, LENGTH_BYTES + length);
    this.#chunks = bytes.length < all.length ? [all.subarray(bytes.length)] : [];
    this.#bytes -= bytes.length;
    if (bytes[4] !== WIRE_VERSION) {
      throw new PeerRefused(
        'frame',
        `the wire version must be ${WIRE_VERSION}, not ${bytes[4]}; run the same release`,
      );
    }
    const kind = KINDS[bytes[5] - 1];
    if (kind === undefined) throw new PeerRefused('frame', `no kind of frame has the number ${bytes[5]}`);
    return { kind, bytes };
  }

  #join(): void {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
  }
}

/** Deeper values could overflow the stack of a recursive reader. */
const MAX_DEPTH = 32;

/** The body of a frame: an object of finite numbers and at most 32 levels, without a `__proto__`. */
export function parseBody(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new PeerRefused(
      'frame',
      'the body of a frame must be JSON; give all members the same secret, or none',
    );
  }
  if (!isRecord(value))
    throw new PeerRefused('frame', `the body of a frame must be an object, not ${show(value)}`);
  checkValue(value, 0);
  return value;
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new PeerRefused('frame', 'the numbers of a frame must be finite');
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    throw new PeerRefused('frame', `the body of a frame must have at most ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) {
    for (const each of value) checkValue(each, depth + 1);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    if (key === '__proto__') throw new PeerRefused('frame', 'a field of a frame must not be __proto__');
    checkValue(each, depth + 1);
  }
}
