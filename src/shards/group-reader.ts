/** Reads a shard group from its store: its members, and the records of its shards. */
import { within } from '../elector/timeouts.ts';
import type { LeaseRecord } from '../lease/core/lease-record.ts';
import { type Clock, processClock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { parseMark } from './core/shard-mark.ts';
import { electionOf } from './core/shard-name.ts';
import type { ShardMember } from './core/shard-plan.ts';
import { liveShards, type ShardRecord } from './core/shard-tree.ts';
import { textHash } from './core/text-hash.ts';

/** A server that answers one record per request gets this many requests at once. */
const MOST_AT_ONCE = 50;
const MOST_ITEMS = 1_000;

export interface GroupMembers {
  readonly members: readonly ShardMember[];
  readonly presences: readonly MemberPresence[];
  /** The shards of which the group consists, as `definitionOf` writes them; null before the first member. */
  readonly definition: string | null;
}

/** One process that takes part, as the store lists it. */
export interface MemberPresence {
  readonly id: string;
  /** Of the process: two processes may have one id. */
  readonly identity: string;
  /** Falls when the process has been heard of again. */
  readonly ageMs: number;
}

/** All members must give the same shards: a key would otherwise have two owners. */
export const definitionOf = (roots: readonly string[]): string =>
  `hustings-shards ${roots.length} ${textHash(roots.join('\0')).toString(16)}`;

/** The shards of a group, as the store has them. */
export interface ShardRecords {
  readonly live: ReadonlySet<string>;
  /** By shard. */
  readonly records: ReadonlyMap<string, LeaseRecord>;
}

export class GroupReader {
  constructor(
    private readonly store: LeaseStore,
    private readonly name: string,
    private readonly timeoutMs: number,
    private readonly clock: Clock = processClock,
  ) {}

  /**
   * The candidates that wait for the group's own lease, and its holder. In this order: a candidate that is granted the lease
   * meanwhile is seen twice, and never not at all.
   */
  async members(): Promise<GroupMembers> {
    const waiting = await within(
      this.timeoutMs,
      this.store.candidates(this.name),
      this.store.label,
      this.clock,
    );
    const [{ holder, checkpoint, remainingMs, version }] = await this.read([this.name]);
    const members = new Map<string, ShardMember>();
    for (const { id, priority } of [...waiting, ...(holder === null ? [] : [holder])]) {
      members.set(id, { id, weight: Math.max(1, priority) });
    }
    const sorted = [...members.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const presences = waiting.map(({ id, nonce, seenMs }) => ({
      id,
      identity: identityOf(nonce),
      ageMs: seenMs,
    }));
    if (holder !== null) {
      const { id, nonce, ttlMs } = holder;
      const ageMs = remainingMs === null ? -Number(version) : ttlMs - remainingMs;
      presences.push({ id, identity: identityOf(nonce), ageMs });
    }
    return { members: sorted, presences, definition: checkpoint };
  }

  /** The live shards below these roots. `expected` are the shards that were known before: they are read in one round trip. */
  async shards(roots: readonly string[], expected: Iterable<string> = []): Promise<ShardRecords> {
    const records = new Map<string, LeaseRecord>();
    for (let missing = [...new Set([...roots, ...expected])]; missing.length > 0; ) {
      const read = await this.recordsOf(missing);
      for (const [shard, record] of read) records.set(shard, record);
      const { known } = liveShards(roots, (shard) => shardRecord(records.get(shard)));
      missing = known.flatMap((shard) => (records.has(shard) ? [] : [shard]));
    }
    const { live } = liveShards(roots, (shard) => shardRecord(records.get(shard)));
    return { live: new Set(live), records };
  }

  async recordsOf(shards: readonly string[]): Promise<Map<string, LeaseRecord>> {
    const read = await this.read(shards.map((shard) => electionOf(this.name, shard)));
    return new Map(shards.map((shard, at) => [shard, read[at]]));
  }

  private async read(names: readonly string[]): Promise<readonly LeaseRecord[]> {
    const { store } = this;
    const size = Math.min(MOST_ITEMS, store.mostItems ?? MOST_ITEMS);
    const parts: LeaseRecord[] = [];
    for (let first = 0; first < names.length; first += size * MOST_AT_ONCE) {
      const round = names.slice(first, first + size * MOST_AT_ONCE);
      const lists = Array.from({ length: Math.ceil(round.length / size) }, (_, at) =>
        store.read(round.slice(at * size, (at + 1) * size)),
      );
      for (const part of await within(this.timeoutMs, Promise.all(lists), store.label, this.clock))
        parts.push(...part);
    }
    return parts;
  }
}

/** A nonce without the number of the attempt. */
const identityOf = (nonce: string): string => nonce.slice(0, nonce.lastIndexOf('.'));

export function shardRecord(record: LeaseRecord | undefined): ShardRecord | undefined {
  if (record === undefined) return undefined;
  return { mark: parseMark(record.checkpoint), token: record.token, isHeld: record.holder !== null };
}
