/**
 * Watches the members of a running cluster while somebody looks at it. Every watcher gets the state of all members, the
 * latest steps that are known, and then what changes.
 */
import type { ClusterMessage, MemberSteps, WatchedMember } from '../model/cluster/cluster-snapshot.ts';
import { MemberClient } from './member-client.ts';

/** A member as the member file has it. */
export interface FileMember {
  readonly id: number;
  readonly address: string;
  /** HOST:PORT on loopback; null if the file has none. */
  readonly http: string | null;
}

/** For a watcher that comes later. */
const MOST_LINES = 512;
/** Changes that come together are told together. */
const GATHER_MS = 40;

export class ClusterWatch {
  readonly #cluster: string;
  readonly #members: readonly FileMember[];
  readonly #clients = new Map<number, MemberClient>();
  readonly #steps = new Map<number, MemberSteps>();
  readonly #watchers = new Set<(message: ClusterMessage) => void>();
  #timer: NodeJS.Timeout | null = null;

  constructor(cluster: string, members: readonly FileMember[]) {
    this.#cluster = cluster;
    this.#members = members;
  }

  /** Returns a function that ends the subscription. With the last one the connections to the members end. */
  subscribe(watcher: (message: ClusterMessage) => void): () => void {
    this.#watchers.add(watcher);
    if (this.#clients.size === 0) this.#connect();
    watcher(this.#snapshot());
    for (const [id, steps] of this.#steps) watcher({ type: 'steps', id, ...steps });
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#disconnect();
    };
  }

  #connect(): void {
    for (const { http, id } of this.#members) {
      if (http === null) continue;
      const onChange = (): void => {
        this.#timer ??= setTimeout(() => {
          this.#timer = null;
          this.#tell(this.#snapshot());
        }, GATHER_MS);
      };
      this.#clients.set(id, new MemberClient(http, { onChange, onSteps: (steps) => this.#add(id, steps) }));
    }
  }

  #disconnect(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
    this.#steps.clear();
  }

  #add(id: number, steps: MemberSteps): void {
    const { lines = [] } = this.#steps.get(id) ?? {};
    const all = [...lines, ...steps.lines];
    // Without its first line a process is unknown.
    const begin = all.findLast(({ type }) => type === 'begin');
    const kept = all.slice(-MOST_LINES);
    const isCut = begin !== undefined && !kept.includes(begin);
    this.#steps.set(id, { dropped: 0, lines: isCut ? [begin, ...kept] : kept });
    this.#tell({ type: 'steps', id, ...steps });
  }

  #snapshot(): ClusterMessage {
    const members = this.#members.map(({ address, id }): WatchedMember => {
      const client = this.#clients.get(id);
      return { id, address, state: client?.state ?? 'hidden', report: client?.report ?? null };
    });
    return { type: 'members', cluster: this.#cluster, members, at: Date.now() };
  }

  #tell(message: ClusterMessage): void {
    for (const watcher of this.#watchers) watcher(message);
  }
}
