/** What `createShardGroup` returns. An interface, so that a test of a service can pass a fake. */
import type { SignalOptions } from '../elector/elector.ts';
import type { ShardMember } from './core/shard-plan.ts';
import type { ShardWork } from './shard-lead.ts';

/** A member of the group, with the shards that it owns. */
export interface ShardGroupMember extends ShardMember {
  readonly shards: readonly string[];
}

/** A live shard in the store. `JSON.stringify` writes the token as decimal text. */
export interface ShardState {
  readonly shard: string;
  /** The id of the member that holds its lease; null if nobody does. */
  readonly owner: string | null;
  /** The member for which the shard is reserved, between two owners. */
  readonly successor: string | null;
  /** The token of its latest term. */
  readonly token: bigint;
  /** On the store's clock; null if the store has none. */
  readonly remainingMs: number | null;
  readonly checkpoint: string | null;
}

/** All of a group. */
export interface ShardGroupState {
  readonly name: string;
  readonly members: readonly ShardGroupMember[];
  readonly shards: readonly ShardState[];
}

/** What a member has counted, since it was created. */
export interface ShardGroupMetrics {
  /** Shards that this member owns now. */
  readonly owned: number;
  /** Shards that it waits for now. */
  readonly claimed: number;
  /** Shards whose lease it has lost, and whose work still runs. */
  readonly overdue: number;
  /** Members, shards, and shards without an owner, when it last looked. */
  readonly members: number;
  readonly shards: number;
  readonly unowned: number;
  readonly acquired: number;
  /** Shards that it has handed over by plan. */
  readonly moved: number;
  readonly lost: number;
  /** Errors of the work, without those of work whose lease was lost before. */
  readonly workErrors: number;
  readonly storeErrors: number;
}

/** Takes part in a group of shards as one member. */
export interface ShardGroup extends AsyncDisposable {
  readonly name: string;
  /** The member's id. */
  readonly id: string;
  /** As of the moment when it is read. */
  readonly metrics: ShardGroupMetrics;

  /**
   * Joins the group, and calls `work` for every shard that this member owns, until `signal` aborts. Then leaves: the shards are
   * handed over, each when its work has finished. Resolves when all of them have ended. Rejects if work still runs when its
   * lease has ended: `drainMs`, `stopGraceMs` and two TTLs after the signal at the latest.
   *
   * The work runs as long as this member owns the shard. If it throws or returns before it is told to, it is called again
   * after a pause that doubles from 100 ms, up to 30 s after an error, up to 1 s after a return. Rejects if the store rejects
   * the member from the start.
   */
  run(work: ShardWork, options?: SignalOptions): Promise<void>;

  /** The members and the owner of every live shard, read from the store. */
  shards(): Promise<ShardGroupState>;

  /**
   * The live shard of a key, as of the last look at the store: a group that runs looks every `planEveryMs`, another one when
   * `shards` is called. Throws an `InputError` before the first look.
   */
  shardOf(key: string): string;

  /**
   * Splits a shard that this member owns into two, when its work has finished. Each begins with its checkpoint. Rejects if the
   * work has not finished within `drainMs`.
   */
  split(shard: string): Promise<void>;

  /**
   * Merges the two children of a shard into it, when their work has finished. This member takes the children that it does not
   * own. `combine` makes the checkpoint of the shard from those of its children; that of the first child by default. Rejects,
   * and changes nothing, if the work or `combine` has not finished within `drainMs`, or `combine` returns no checkpoint.
   */
  merge(shard: string, combine?: CombineCheckpoints): Promise<void>;

  /** Leaves, as an abort of the signal of `run` does, then closes the store if the group has opened it. */
  close(): Promise<void>;
}

/** Makes one checkpoint of two: a text of at most 4,000 bytes, or null for none. */
export type CombineCheckpoints = (
  first: string | null,
  second: string | null,
) => string | null | Promise<string | null>;
