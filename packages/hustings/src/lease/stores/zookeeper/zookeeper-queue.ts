/**
 * The processes that watch an election stand in a queue of ephemeral nodes with increasing numbers. Each watches the node of its
 * predecessor, and the first watches the node of the holder: when that vanishes, one process is notified and not all. If the
 * lease is still free some time later, because the first one only observes or may not lead, it goes to the end of the queue,
 * and the next one is notified. The process that holds the lease leaves the queue and watches its own node, which those who
 * evict it or ask it to hand over touch. A release in favor of a successor notifies all, because the successor may stand anywhere.
 */
import { randomUUID } from 'node:crypto';
import { afterWatching, watchedNode } from '../../core/watch-queue.ts';
import { Watchers } from '../watchers.ts';
import type { ZookeeperClient } from './zookeeper-client.ts';
import type { NodeEvent } from './zookeeper-events.ts';
import type { ZookeeperNodes } from './zookeeper-nodes.ts';
import { NO_NODE, ZookeeperAnswerError, type ZookeeperRequest } from './zookeeper-protocol.ts';
import type { ZookeeperSession } from './zookeeper-session.ts';

const AGAIN_MS = 1_000;
/** How long the first one may take to acquire a lease that is free. It doubles with each turn. */
const FIRST_TURN_MS = 200;
const LONGEST_TURN_MS = 5_000;

interface Place {
  readonly name: string;
  /** In the name of its nodes: shows a node as its own although the answer to its creation was lost. */
  readonly nonce: string;
  /** The session that its node belongs to. */
  session: ZookeeperSession | null;
  /** Its node; null if there is none. */
  node: string | null;
  /** Whether the server reports changes now. */
  isWatching: boolean;
  isArranging: boolean;
  /** Something has changed since the arrangement began. */
  isOutdated: boolean;
  turnMs: number;
  timer: NodeJS.Timeout | null;
}

/** What the queue needs of the server. */
interface QueueOwner {
  /** Whether this process holds the lease, as far as it knows. */
  holds(name: string): boolean;
  /** Creates the nodes above all queues. */
  prepare(): Promise<unknown>;
}

export class ZookeeperQueue {
  readonly #client: ZookeeperClient;
  readonly #nodes: ZookeeperNodes;
  readonly #owner: QueueOwner;
  readonly #watchers = new Watchers();
  readonly #places = new Map<string, Place>();
  /** The place that watches a node. */
  readonly #watched = new Map<string, Place>();

  constructor(client: ZookeeperClient, nodes: ZookeeperNodes, owner: QueueOwner) {
    this.#client = client;
    this.#nodes = nodes;
    this.#owner = owner;
    client.listener = {
      onConnection: (isConnected) => this.#onConnection(isConnected),
      onEvent: (path, event) => this.#onEvent(path, event),
    };
  }

  get isPushing(): boolean {
    return this.#places.size > 0 && [...this.#places.values()].every(({ isWatching }) => isWatching);
  }

  add(name: string, onNotification: () => void): () => void {
    const end = this.#watchers.add(name, onNotification, () => this.#leave(name));
    if (!this.#places.has(name)) {
      const nothing = { session: null, node: null, timer: null, isWatching: false } as const;
      const state = { ...nothing, isArranging: false, isOutdated: false, turnMs: FIRST_TURN_MS };
      this.#places.set(name, { name, nonce: randomUUID(), ...state });
      this.arrange(name);
    }
    return end;
  }

  /** Notifies all that watch the election. */
  call(name: string): void {
    this.#client.ask(this.#client.requests.set(this.#nodes.queue(name), '')).catch(() => undefined);
  }

  /** Looks again whom the place of this process has to watch. */
  arrange(name: string): void {
    const place = this.#places.get(name);
    if (place === undefined) return;
    place.isOutdated = true;
    if (!place.isArranging) void this.#arrange(place);
  }

  async close(): Promise<void> {
    const ended = [...this.#places.values()].map((place) => this.#end(place));
    this.#watchers.clear();
    await Promise.all(ended);
  }

  #leave(name: string): void {
    const place = this.#places.get(name);
    if (place !== undefined) void this.#end(place);
  }

  async #end(place: Place): Promise<void> {
    this.#places.delete(place.name);
    this.#stopTimer(place);
    for (const [path, each] of this.#watched) if (each === place) this.#watched.delete(path);
    await this.#removeNode(place);
  }

  async #removeNode(place: Place): Promise<void> {
    const { node, session } = place;
    place.node = null;
    // Without a connection the node stays until its session ends.
    if (node === null || !session?.isConnected) return;
    await session.request(this.#client.requests.delete(node)).catch(() => undefined);
  }

  #onConnection(isConnected: boolean): void {
    this.#watched.clear();
    for (const place of this.#places.values()) {
      place.isWatching = false;
      if (isConnected) this.arrange(place.name);
    }
    // What happened meanwhile is not known.
    if (isConnected) this.#watchers.notifyAll();
  }

  #onEvent(path: string, event: NodeEvent): void {
    const place = this.#watched.get(path);
    if (place === undefined) return;
    this.#watched.delete(path);
    place.isWatching = false;
    const { name } = place;
    const isNews =
      event !== 'created' && (path === this.#nodes.holder(name) || path === this.#nodes.queue(name));
    this.arrange(name);
    if (isNews) this.#watchers.notify(name);
  }

  async #arrange(place: Place): Promise<void> {
    place.isArranging = true;
    try {
      while (place.isOutdated && this.#places.get(place.name) === place) {
        place.isOutdated = false;
        await this.#takePlace(place);
      }
    } catch {
      this.#later(place, AGAIN_MS, () => this.arrange(place.name));
    }
    place.isArranging = false;
    if (this.#places.get(place.name) !== place) await this.#removeNode(place);
  }

  async #takePlace(place: Place): Promise<void> {
    const { session, requests } = this.#client;
    const holder = this.#nodes.holder(place.name);
    const watch = (path: string): Promise<boolean> => {
      this.#watched.set(path, place);
      return exists(session, requests.exists(path, true));
    };
    if (place.session !== session) place.node = null;
    place.session = session;
    if (this.#owner.holds(place.name)) {
      await this.#removeNode(place);
      await watch(holder);
      place.isWatching = true;
      return;
    }
    place.node ??= await this.#join(session, place);
    const queue = this.#nodes.queue(place.name);
    const nodes = await session.request(requests.children(queue));
    const watched = watchedNode(nodes, place.node.slice(queue.length + 1));
    if (watched === null) {
      place.node = null;
      place.isOutdated = true;
      return;
    }
    this.#watched.set(queue, place);
    await session.request(requests.watchData(queue));
    const isThere = await watch(watched.type === 'first' ? holder : `${queue}/${watched.node}`);
    const next = afterWatching(watched, isThere);
    if (next === 'look again') {
      place.isOutdated = true;
      return;
    }
    place.isWatching = true;
    if (next === 'ask' && place.timer === null) {
      this.#watchers.notify(place.name);
      if (nodes.length === 1) return;
      this.#later(place, place.turnMs, () => this.#passOn(place));
      place.turnMs = Math.min(LONGEST_TURN_MS, 2 * place.turnMs);
    } else if (next === 'wait' && watched.type === 'first') {
      place.turnMs = FIRST_TURN_MS;
      this.#stopTimer(place);
    }
  }

  /** The lease was free for a whole turn of this place: it goes to the end of the queue. */
  #passOn(place: Place): void {
    void this.#removeNode(place).then(() => this.arrange(place.name));
  }

  /** Its node, perhaps one that was created already. */
  async #join(session: ZookeeperSession, { name, nonce }: Place): Promise<string> {
    const { requests } = this.#client;
    const queue = this.#nodes.queue(name);
    const create = (): Promise<string> => session.request(requests.create(`${queue}/${nonce}-`, 3));
    try {
      const nodes = await session.request(requests.children(queue));
      const own = nodes.find((node) => node.startsWith(nonce));
      return own === undefined ? await create() : `${queue}/${own}`;
    } catch (error) {
      if (!isNoNode(error)) throw error;
      await this.#owner.prepare();
      await session.request(requests.createContainer(queue)).catch(() => undefined);
      return create();
    }
  }

  #later(place: Place, ms: number, act: () => void): void {
    this.#stopTimer(place);
    place.timer = setTimeout(() => {
      place.timer = null;
      if (this.#places.get(place.name) === place) act();
    }, ms);
    place.timer.unref();
  }

  #stopTimer(place: Place): void {
    if (place.timer !== null) clearTimeout(place.timer);
    place.timer = null;
  }
}

const isNoNode = (error: unknown): boolean => error instanceof ZookeeperAnswerError && error.code === NO_NODE;

async function exists(session: ZookeeperSession, request: ZookeeperRequest<unknown>): Promise<boolean> {
  try {
    await session.request(request);
    return true;
  } catch (error) {
    if (isNoNode(error)) return false;
    throw error;
  }
}
