/**
 * The MAC of frames, HMAC-SHA256. The key of a connection is derived from the secret, the cluster, and the ids, incarnations
 * and nonces of both sides; the MAC of a frame also covers its direction and its number on the connection. So a frame is
 * valid once: not on another connection, after a restart, in another cluster, in the other direction or at another place.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import type { Direction, Hello, WirePolicy } from './policy.ts';

export const MAC_BYTES = 32;

/** Unambiguous: no part can continue into the next. */
const joined = (parts: readonly string[]): string => JSON.stringify(parts);

export class FrameMac {
  readonly #key: Buffer;
  readonly #sequences: Record<Direction, number> = { 'to-listener': 0, 'to-dialler': 0 };

  constructor(
    secret: KeyObject,
    cluster: string,
    dialler: Hello,
    listener: Hello,
    private readonly policy: WirePolicy,
  ) {
    const parts = joined(['hustings-wire-1', ...policy.sessionParts(cluster, dialler, listener)]);
    this.#key = createHmac('sha256', secret).update(parts).digest();
  }

  /** The MAC of the next frame in this direction. */
  next(direction: Direction, bytes: Buffer): Buffer {
    const parts = joined(this.policy.frameParts(direction, this.#sequences[direction]++));
    return createHmac('sha256', this.#key).update(parts).update(bytes).digest();
  }

  isNext(direction: Direction, bytes: Buffer, given: Buffer): boolean {
    return this.policy.isSameMac(this.next(direction, bytes), given);
  }
}
