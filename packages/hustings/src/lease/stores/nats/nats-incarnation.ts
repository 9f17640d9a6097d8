/**
 * The incarnation of a bucket. A bucket that was deleted and created again numbers its messages from 1, so a sequence number alone
 * does not identify a message. The keys of elections therefore contain the time at which the server created the stream.
 *
 * Guaranteed: a key of one incarnation has no message in another one, except one that a paused process has created there with
 * its next write. A write counts only if the incarnation, read while or after the write was under way, is that of its key.
 *
 * Not guaranteed: a stream that is restored from a backup keeps its time of creation, so its incarnation is the same.
 */
import type { KV } from '@nats-io/kv';

export class NatsIncarnation {
  /** A part of each key. */
  readonly id: string;
  readonly #createdMs: number;
  readonly #seenMs = performance.now();
  #ageWhenSeenMs: Promise<number> | null = null;

  /** `created` is the time in RFC 3339 with up to nine digits of the second. */
  constructor(created: string) {
    this.id = created.replaceAll(/\W/g, '');
    this.#createdMs = Date.parse(created);
  }

  /** `before`: the incarnation that this process has seen before; null for none. It is returned if it is still the present one. */
  static async read(kv: KV, before: NatsIncarnation | null = null): Promise<NatsIncarnation> {
    const { streamInfo } = await kv.status();
    const incarnation = new NatsIncarnation(streamInfo.created);
    if (before === null) return incarnation;
    if (before.id === incarnation.id) return before;
    // Its age is what this process has seen of it: the clocks of servers may differ.
    incarnation.#ageWhenSeenMs = Promise.resolve(0);
    return incarnation;
  }

  /**
   * How long the bucket has certainly existed: as long as this process has seen it, and longer by the clock of the server if this
   * process has seen no other one before. The server is asked once: a bucket that a server created while its clock was ahead must
   * not look new without end.
   */
  async ageMs(serverMs: () => Promise<number>): Promise<number> {
    const observedMs = (): number => performance.now() - this.#seenMs;
    this.#ageWhenSeenMs ??= serverMs().then(
      (nowMs) => nowMs - this.#createdMs - observedMs(),
      (error: unknown) => {
        this.#ageWhenSeenMs = null;
        throw error;
      },
    );
    return Math.floor(observedMs() + Math.max(0, await this.#ageWhenSeenMs));
  }
}
