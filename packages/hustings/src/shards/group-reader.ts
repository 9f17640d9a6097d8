/** Reads a shard group from its store: its members, and the records of its shards. */
import { within } from '../elector/timeouts.ts';
import type { LeaseRecord } from '../lease/core/lease-record.ts';
import { ObservedLeases } from '../lease/core/observed-leases.ts';
import { type LeaseTiming, scaledTiming } from '../lease/core/timing.ts';
import { type Clock, processClock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import {
  type GroupDefinition,
  layoutOf,
  layoutOfMember,
  numberedShards,
  parseDefinition,
  shardsIn,
} from './core/shard-layout.ts';
import { parseMark } from './core/shard-mark.ts';
import { electionOf, groupElection } from './core/shard-name.ts';
import type { ShardMember } from './core/shard-plan.ts';
import { liveShards, type ShardRecord } from './core/shard-tree.ts';

/** A server that answers one record per request gets this many requests at once. */
const MAX_AT_ONCE = 50;
const MAX_ITEMS = 1_000;

export interface GroupMembers {
  readonly members: readonly ShardMember[];
  readonly presences: readonly MemberPresence[];
  /** Null before the first member. */
  readonly definition: GroupDefinition | null;
}

/** One process that takes part, as the store lists it. */
export interface MemberPresence {
  readonly id: string;
  /** The identity of the process: two processes may have one id. */
  readonly identity: string;
  readonly layout: string;
  /** Falls when the process has been heard of again. */
  readonly ageMs: number;
  /** The TTL of the holder's lease; 0 for a candidate that waits. */
  readonly ttlMs: number;
}

/** The shards of a group, as the store has them. */
export interface ShardRecords {
  readonly live: ReadonlySet<string>;
  /** By shard. */
  readonly records: ReadonlyMap<string, LeaseRecord>;
}

export class GroupReader {
  private reading: Promise<GroupDefinition | null> | null = null;
  /** The held leases that a store without a clock cannot judge. */
  private readonly observed: ObservedLeases;

  constructor(
    private readonly store: LeaseStore,
    private readonly name: string,
    private readonly timeoutMs: number,
    private readonly clock: Clock = processClock,
    timing: LeaseTiming = scaledTiming(timeoutMs),
  ) {
    this.observed = new ObservedLeases(timing);
  }

  /**
   * The candidates that wait for the group's own lease, and its holder. Candidates are read before the holder: one that is
   * granted the lease in between is then seen twice rather than never.
   */
  async members(): Promise<GroupMembers> {
    const waiting = await within(
      this.timeoutMs,
      this.store.candidates(groupElection(this.name)),
      this.store.label,
      this.clock,
    );
    const [record] = await this.read([groupElection(this.name)]);
    const { holder, checkpoint, remainingMs, version } = record;
    const listed = waiting.map(({ seenMs, ...candidate }) => ({ ...candidate, ageMs: seenMs, ttlMs: 0 }));
    if (holder !== null && !this.isOver(record)) {
      listed.push({ ...holder, ageMs: remainingMs === null ? -Number(version) : holder.ttlMs - remainingMs });
    }
    const members = new Map<string, ShardMember>();
    const presences: MemberPresence[] = [];
    for (const { id, nonce, priority, ageMs, ttlMs } of listed) {
      // A nonce without the number of the attempt.
      const identity = nonce.slice(0, nonce.lastIndexOf('.'));
      const layout = layoutOfMember(identity);
      if (layout === null) continue;
      presences.push({ id, identity, layout, ageMs, ttlMs });
      members.set(id, { id, weight: Math.max(1, priority) });
    }
    const sorted = [...members.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return { members: sorted, presences, definition: parseDefinition(checkpoint) };
  }

  /** What the store has after this call. Calls that come together take one read. */
  definition(): Promise<GroupDefinition | null> {
    this.reading ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.reading = null;
        this.read([groupElection(this.name)]).then(
          ([{ checkpoint }]) => resolve(parseDefinition(checkpoint)),
          reject,
        );
      });
    });
    return this.reading;
  }

  /** A lease of a shard is held, of any layout. */
  async isHeld(): Promise<boolean> {
    const records = await this.recordsOf(await this.names());
    const held = [...records.values()].filter(({ holder }) => holder !== null);
    // All of them, also after the first that is held: each is observed from now on.
    return held.map((record) => this.isOver(record)).includes(false);
  }

  /** On a store without a clock: this reader has seen the record unchanged until its lease had to be over. */
  private isOver(record: LeaseRecord): boolean {
    if (record.remainingMs !== null) return false;
    const now = this.clock.now();
    this.observed.see(record, now);
    return this.observed.untilFreeMs(record.name, { id: '', nonce: '' }, now) === 0;
  }

  /** The shards of a layout before any split. In a list of names, the shards that have or had an owner. */
  async rootsOf({ layout, generation }: GroupDefinition): Promise<readonly string[]> {
    const numbered = numberedShards(shardsIn(layout));
    if (layoutOf(numbered) === layout) return numbered;
    const names = (await this.names()).filter((shard) => !shard.includes('/')).sort();
    const records = await this.recordsOf(names);
    return names.filter((shard) => {
      const { checkpoint, holder } = records.get(shard)!;
      return holder !== null || parseMark(checkpoint)?.parent === generation;
    });
  }

  /** All shards that ever had an owner. */
  private async names(): Promise<string[]> {
    const prefix = electionOf(this.name, '');
    const elections = await within(this.timeoutMs, this.store.names(), this.store.label, this.clock);
    return elections.flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : []));
  }

  /** The live shards below these roots. `expected` are the shards that were known before: they are read in one round trip. */
  async shards(
    roots: readonly string[],
    generation: bigint,
    expected: Iterable<string> = [],
  ): Promise<ShardRecords> {
    const records = new Map<string, LeaseRecord>();
    for (let missing = [...new Set([...roots, ...expected])]; missing.length > 0; ) {
      const read = await this.recordsOf(missing);
      for (const [shard, record] of read) records.set(shard, record);
      const { known } = liveShards(roots, generation, (shard) => shardRecord(records.get(shard)));
      missing = known.flatMap((shard) => (records.has(shard) ? [] : [shard]));
    }
    const { live } = liveShards(roots, generation, (shard) => shardRecord(records.get(shard)));
    return { live: new Set(live), records };
  }

  async recordsOf(shards: readonly string[]): Promise<Map<string, LeaseRecord>> {
    const read = await this.read(shards.map((shard) => electionOf(this.name, shard)));
    return new Map(shards.map((shard, at) => [shard, read[at]]));
  }

  private async read(names: readonly string[]): Promise<readonly LeaseRecord[]> {
    const { store } = this;
    const size = Math.min(MAX_ITEMS, store.maxItems ?? MAX_ITEMS);
    const parts: LeaseRecord[] = [];
    for (let first = 0; first < names.length; first += size * MAX_AT_ONCE) {
      const round = names.slice(first, first + size * MAX_AT_ONCE);
      const lists = Array.from({ length: Math.ceil(round.length / size) }, (_, at) =>
        store.read(round.slice(at * size, (at + 1) * size)),
      );
      for (const part of await within(this.timeoutMs, Promise.all(lists), store.label, this.clock))
        parts.push(...part);
    }
    return parts;
  }
}

export function shardRecord(record: LeaseRecord | undefined): ShardRecord | undefined {
  if (record === undefined) return undefined;
  return { mark: parseMark(record.checkpoint), token: record.token, isHeld: record.holder !== null };
}
