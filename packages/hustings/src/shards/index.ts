/** Shards: each has one owner among the members of a group, with a token of its own. */
export type { ShardMember } from './core/shard-plan.ts';
export { createShardGroup } from './create-shard-group.ts';
export type {
  CombineCheckpoints,
  ShardGroup,
  ShardGroupMember,
  ShardGroupMetrics,
  ShardGroupState,
  ShardState,
} from './shard-group.ts';
export type { ShardGroupEvent } from './shard-group-event.ts';
export type { ShardGroupOptions } from './shard-group-options.ts';
export type { ShardLead, ShardWork } from './shard-lead.ts';
