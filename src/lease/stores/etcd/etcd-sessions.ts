/**
 * The leases of etcd that this process keeps alive: one for each TTL, for all elections with that TTL. The key of a holder is
 * tied to one, and etcd deletes it when the lease has not been kept alive for its whole duration, which is a quarter longer than
 * the TTL.
 *
 * A renewal counts only if the lease of its own key lives for the TTL from the time when the renewal began: otherwise etcd could
 * delete the key before the holder's own deadline. So of several renewals within a quarter of the TTL only one keeps it alive.
 */
import { type ClockReading, remainingOf } from '../../core/clock-reading.ts';
import type { EtcdClient } from './etcd-client.ts';

export class EtcdSessions {
  readonly #client: EtcdClient;
  /** By the seconds of its TTL: the lease to which new keys are tied. */
  readonly #leases = new Map<number, string>();
  readonly #grants = new Map<number, Promise<string>>();
  /** By id: the latest time from which etcd certainly counts its duration. */
  readonly #aliveFrom = new Map<string, ClockReading>();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /** The lease for this TTL, alive for that long from now on; a new one if the last has expired. */
  async fresh(ttlMs: number): Promise<string> {
    const seconds = secondsOf(ttlMs);
    for (;;) {
      const known = this.#leases.get(seconds);
      if (known !== undefined) {
        if (await this.kept(known, ttlMs)) return known;
        if (this.#leases.get(seconds) === known) this.#leases.delete(seconds);
      } else {
        const underWay = this.#grants.get(seconds);
        if (underWay === undefined) return await this.#grant(seconds, ttlMs);
        // It began before this call, so its TTL may end too early: kept alive in the next turn.
        await underWay;
      }
    }
  }

  /** Whether this lease lives, for the TTL from now on. */
  async kept(id: string, ttlMs: number): Promise<boolean> {
    const began = now();
    const from = this.#aliveFrom.get(id);
    if (from !== undefined && remainingOf(from, 1_000 * secondsOf(ttlMs), began) >= ttlMs) return true;
    const { result } = await this.#client.call<{ result?: { TTL?: string } }>(
      '/v3/lease/keepalive',
      { ID: id },
      { isRepeatable: true, ttlMs },
    );
    const lives = Number(result?.TTL ?? 0) > 0;
    if (lives) this.#aliveFrom.set(id, began);
    else this.#aliveFrom.delete(id);
    return lives;
  }

  /** etcd has none of these leases any more. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#aliveFrom.delete(id);
      for (const [seconds, known] of this.#leases) if (known === id) this.#leases.delete(seconds);
    }
  }

  /** One at a time for each TTL. Repeatable: a lease without a key expires. */
  async #grant(seconds: number, ttlMs: number): Promise<string> {
    const options = { isRepeatable: true, ttlMs };
    const began = now();
    const granting = this.#client
      .call<{ ID: string }>('/v3/lease/grant', { TTL: String(seconds) }, options)
      .then(({ ID }) => ID);
    this.#grants.set(seconds, granting);
    try {
      const id = await granting;
      this.#leases.set(seconds, id);
      this.#aliveFrom.set(id, began);
      return id;
    } finally {
      this.#grants.delete(seconds);
    }
  }
}

/** Whole seconds, the unit of etcd. */
const secondsOf = (ttlMs: number): number => Math.ceil((1.25 * ttlMs) / 1_000);

const now = (): ClockReading => ({ monoMs: performance.now(), wallMs: Date.now() });
