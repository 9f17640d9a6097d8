/**
 * Watches the members of a running cluster while somebody looks at it. Every watcher gets the state of all members, the
 * steps that the members keep, and then what changes. When another one comes, the members send what they keep again.
 *
 * The members are those of the list that they use: one that is added is looked for in the member file, and one that is
 * removed is left out when its process has ended.
 */
import {
  type ClusterMessage,
  type MemberReport,
  type MemberSteps,
  newestList,
  type WatchedMember,
} from '../model/cluster/cluster-snapshot.ts';
import { MemberClient } from './member-client.ts';

/** A member as the member file has it. */
export interface FileMember {
  readonly id: number;
  readonly address: string;
  /** HOST:PORT on loopback; not if the file has none. */
  readonly http?: string | undefined;
}

/** What a member file has. */
export interface ClusterFile {
  /** The name of the cluster. */
  readonly cluster: string;
  readonly members: readonly FileMember[];
}

/** Changes that come together are told together. */
const GATHER_MS = 40;
/** The member file is not read more often. */
const READ_MS = 1_000;

export class ClusterWatch {
  readonly #read: () => ClusterFile;
  #file: ClusterFile;
  #readAt = 0;
  readonly #beganAt = Date.now();
  /** The members of the newest list; null before a member has sent one. */
  #list: readonly number[] | null = null;
  readonly #clients = new Map<number, MemberClient>();
  readonly #watchers = new Set<(message: ClusterMessage) => void>();
  #timer: NodeJS.Timeout | null = null;

  constructor(read: () => ClusterFile) {
    this.#read = read;
    this.#file = read();
  }

  /** Returns a function that ends the subscription. With the last one the connections to the members end. */
  subscribe(watcher: (message: ClusterMessage) => void): () => void {
    this.#watchers.add(watcher);
    for (const client of this.#clients.values()) client.repeatSteps();
    this.#connect();
    watcher(this.#snapshot());
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#disconnect();
    };
  }

  /** To the members that it is not connected to. */
  #connect(): void {
    for (const { http, id } of this.#file.members) {
      if (http === undefined || this.#clients.has(id)) continue;
      const onChange = (): void => this.#tellSoon();
      const onSteps = (steps: MemberSteps): void => this.#notify({ type: 'steps', id, ...steps });
      this.#clients.set(id, new MemberClient(http, { onChange, onSteps }));
    }
  }

  #disconnect(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#followList();
      this.#notify(this.#snapshot());
    }, GATHER_MS);
  }

  #followList(): void {
    this.#list = newestList(this.#reports()) ?? this.#list;
    const isReadable = (id: number): boolean => this.#clients.has(id);
    if ((this.#list ?? []).every(isReadable) || Date.now() - this.#readAt < READ_MS) return;
    this.#readAt = Date.now();
    try {
      this.#file = this.#read();
    } catch {
      // It may be half written. The next change reads it again.
      return;
    }
    this.#connect();
  }

  #reports(): MemberReport[] {
    return [...this.#clients.values()].flatMap(({ report }) => report ?? []);
  }

  #snapshot(): ClusterMessage {
    const file = new Map(this.#file.members.map((member) => [member.id, member]));
    const isUp = (id: number): boolean => this.#clients.get(id)?.state === 'up';
    const listed = this.#list ?? [...file.keys()];
    const ids = new Set([...listed, ...[...file.keys()].filter(isUp)]);
    const members = [...ids]
      .sort((a, b) => a - b)
      .map((id): WatchedMember => {
        const address = file.get(id)?.address ?? '';
        const client = this.#clients.get(id);
        if (client === undefined) return { id, address, state: 'hidden', since: this.#beganAt, report: null };
        const { report, since, state } = client;
        return { id, address, state, since, report };
      });
    return { type: 'members', cluster: this.#file.cluster, members, at: Date.now() };
  }

  #notify(message: ClusterMessage): void {
    for (const watcher of this.#watchers) watcher(message);
  }
}
