/**
 * The leases of etcd that this process keeps alive: one for each TTL, for all elections with that TTL. The key of a holder is
 * tied to one, and etcd deletes it when the TTL has passed since the latest keep-alive.
 *
 * A renewal counts only if its keep-alive was acknowledged after the renewal began: otherwise etcd could delete the key before
 * the holder's own deadline.
 */
import type { EtcdClient } from './etcd-client.ts';

export class EtcdSessions {
  readonly #client: EtcdClient;
  readonly #leases = new Map<number, string>();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /** The lease for this TTL, alive for that long from now on; a new one if the last has expired. */
  async fresh(ttlMs: number): Promise<string> {
    const seconds = secondsOf(ttlMs);
    const known = this.#leases.get(seconds);
    if (known !== undefined && (await this.#keepAlive(known, ttlMs))) return known;
    // Repeatable: a lease without a key expires.
    const { ID } = await this.#client.call<{ ID: string }>(
      '/v3/lease/grant',
      { TTL: String(seconds) },
      { isRepeatable: true, ttlMs },
    );
    this.#leases.set(seconds, ID);
    return ID;
  }

  /** The lease for this TTL if it still lives, kept alive from now on; null if there is none. */
  async kept(ttlMs: number): Promise<string | null> {
    const seconds = secondsOf(ttlMs);
    const known = this.#leases.get(seconds);
    if (known === undefined || (await this.#keepAlive(known, ttlMs))) return known ?? null;
    this.#leases.delete(seconds);
    return null;
  }

  async #keepAlive(id: string, ttlMs: number): Promise<boolean> {
    const { result } = await this.#client.call<{ result?: { TTL?: string } }>(
      '/v3/lease/keepalive',
      { ID: id },
      { isRepeatable: true, ttlMs },
    );
    return Number(result?.TTL ?? 0) > 0;
  }
}

const secondsOf = (ttlMs: number): number => Math.max(1, Math.ceil(ttlMs / 1_000));
