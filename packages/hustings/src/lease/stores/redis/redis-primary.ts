/**
 * Finds the primary that keeps the leases: by Sentinels, or in a Redis Cluster. All keys of a store are in one slot of a
 * Cluster, so one primary has all of them.
 *
 * Not guaranteed: that the answer is the latest. A server is asked for its role after it was connected, and a node of a
 * Cluster redirects to another one.
 */
import { StoreError } from '../../core/store-error.ts';
import type { Credentials } from '../../lease-store.ts';
import type {
  RedisAddress,
  RedisLibrary,
  RedisPlace,
  RedisServerConnection,
  RedisTarget,
} from './redis-connection.ts';

/** A range in the answer to CLUSTER SLOTS: the first and the last slot, the primary, its replicas. */
type SlotRange = [first: string, last: string, ...members: [host: string | null, port: string][]];

/** Some may be down. The next search asks others. */
const ASKED_AT_ONCE = 5;

export class RedisPrimary {
  readonly #library: RedisLibrary;
  readonly #place: RedisPlace;
  readonly #label: string;
  /** A key in the slot of the store. */
  readonly #key: string;
  /** The nodes of the Cluster, by `host:port`: those of the configuration and those that others named. */
  readonly #nodes = new Map<string, RedisAddress>();
  readonly #asked = new Set<RedisServerConnection>();
  #redirect: RedisAddress | null = null;

  constructor(
    library: RedisLibrary,
    { place, label, prefix }: { place: RedisPlace; label: string; prefix: string },
  ) {
    this.#library = library;
    this.#place = place;
    this.#label = label;
    this.#key = prefix;
    if (place.type === 'cluster') this.#remember(place.nodes);
  }

  /** Null: the address that the library was configured with. */
  async find(login: Credentials | null): Promise<RedisAddress | null> {
    const place = this.#place;
    if (place.type === 'server') return null;
    const redirect = this.#redirect;
    this.#redirect = null;
    if (redirect !== null) return redirect;
    if (place.type === 'sentinel') {
      const targets = place.sentinels.map((address) => ({ address, type: 'sentinel', login: null }) as const);
      return this.#first(targets, (connection) => this.#bySentinel(connection, place.group));
    }
    const nodes = [...this.#nodes.values()].sort(() => Math.random() - 0.5).slice(0, ASKED_AT_ONCE);
    const targets = nodes.map((address) => ({ address, type: 'server', login }) as const);
    return this.#first(targets, (connection, { address }) => this.#bySlot(connection, address!));
  }

  /** The address at which a server can be reached from here. */
  reachable(address: RedisAddress): RedisAddress {
    return (this.#place.type === 'server' ? undefined : this.#place.mapped?.(address)) ?? address;
  }

  /** The next search answers with this address, which a node of the Cluster named. */
  redirect(address: RedisAddress): void {
    this.#redirect = address;
    this.#remember([address]);
  }

  /** Ends a search. */
  stop(): void {
    for (const connection of this.#asked) this.#library.destroy(connection);
    this.#asked.clear();
  }

  #remember(addresses: readonly RedisAddress[]): void {
    for (const address of addresses) this.#nodes.set(`${address.host}:${address.port}`, address);
  }

  /** The first answer of several servers, or the first error if none has an answer. */
  async #first(
    targets: readonly RedisTarget[],
    ask: (connection: RedisServerConnection, target: RedisTarget) => Promise<RedisAddress>,
  ): Promise<RedisAddress> {
    try {
      return await Promise.any(targets.map((target) => this.#askOne(target, ask)));
    } catch (error) {
      const { errors } = error as AggregateError;
      throw errors.find((each) => each instanceof StoreError) ?? errors[0];
    } finally {
      this.stop();
    }
  }

  async #askOne(
    target: RedisTarget,
    ask: (connection: RedisServerConnection, target: RedisTarget) => Promise<RedisAddress>,
  ): Promise<RedisAddress> {
    const connection = this.#library.create(target);
    this.#asked.add(connection);
    let failure: unknown;
    connection.on('error', (error) => {
      failure ??= error;
    });
    try {
      await connection.connect();
      return await ask(connection, target);
    } catch (error) {
      throw error instanceof StoreError ? error : (failure ?? error);
    }
  }

  async #bySentinel(connection: RedisServerConnection, group: string): Promise<RedisAddress> {
    const answer = await connection.call('SENTINEL', 'get-master-addr-by-name', group);
    if (Array.isArray(answer)) return this.reachable({ host: String(answer[0]), port: Number(answer[1]) });
    throw new StoreError(
      'unusable',
      `${this.#label}: the Sentinels know no primary named ${JSON.stringify(group)}; give the name of their configuration`,
    );
  }

  async #bySlot(connection: RedisServerConnection, asked: RedisAddress): Promise<RedisAddress> {
    const slot = Number(await connection.call('CLUSTER', 'KEYSLOT', this.#key));
    const ranges = (await connection.call('CLUSTER', 'SLOTS')) as SlotRange[];
    let found: RedisAddress | null = null;
    for (const [first, last, ...members] of ranges) {
      const addresses = members.map(([host, port]) =>
        // A node that does not know its own address is the one that was asked.
        this.reachable({ host: host === null || host === '' ? asked.host : host, port: Number(port) }),
      );
      this.#remember(addresses);
      if (Number(first) <= slot && slot <= Number(last)) [found] = addresses;
    }
    if (found !== null) return found;
    throw new StoreError(
      'busy',
      `${this.#label}: no node of the Cluster serves slot ${slot}, in which the leases are; see CLUSTER INFO`,
    );
  }
}

/** The node to which a Cluster redirects a command that it did not execute. */
export interface RedisRedirect {
  /** `moved`: for this and all later commands. `ask`: for this command alone, while the slot is being moved. */
  readonly type: 'moved' | 'ask';
  readonly address: RedisAddress;
}

/** Null for every other error. */
export function redirectOf(error: unknown): RedisRedirect | null {
  const [, word, host, port] =
    /^(MOVED|ASK) \d+ (.*):(\d+)$/.exec(error instanceof Error ? error.message : '') ?? [];
  if (word === undefined) return null;
  return { type: word === 'ASK' ? 'ask' : 'moved', address: { host, port: Number(port) } };
}
