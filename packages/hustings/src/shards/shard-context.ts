/** What a shard that a member holds shares with its group. */
import type { LeaseStore } from '../lease/lease-store.ts';
import type { GroupReader } from './group-reader.ts';
import type { ShardGroupEvent } from './shard-group-event.ts';
import type { ShardGroupSettings } from './shard-group-options.ts';
import type { ShardWork } from './shard-lead.ts';

/** What the group of a shard gives to it. */
export interface ShardContext {
  readonly settings: ShardGroupSettings;
  readonly store: LeaseStore;
  readonly reader: GroupReader;
  readonly work: ShardWork;
  emit(event: ShardGroupEvent): void;
  /** The generation of the layout under which this member works. */
  generation(): bigint | null;
  /** The member leaves: no work is called again. */
  isLeaving(): boolean;
  /** The lease is over, and the work goes on. */
  onAbandoned(): void;
  /** The holding has ended: the shard is not held. `cooldownMs`: this member was evicted, and stays out for this time. */
  onEnded(shard: string, cooldownMs: number): void;
}
