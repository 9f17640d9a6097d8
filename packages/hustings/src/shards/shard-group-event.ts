/** The events of a shard group, for logs and metrics. */
import type { EndReason, LossReason } from '../lease/core/end-reason.ts';
import type { ShardMember } from './core/shard-plan.ts';

/** `JSON.stringify` cannot write tokens: convert them to text. */
export type ShardGroupEvent =
  /** The members that this one sees have changed. */
  | { readonly type: 'members'; readonly members: readonly ShardMember[] }
  /** Another live process takes part with the id of this member: give each its own. Told once. */
  | { readonly type: 'same-id'; readonly id: string }
  /** This member owns the shard, and calls the work. */
  | { readonly type: 'acquired'; readonly shard: string; readonly token: bigint }
  /** The work is told to finish. `to` is the next owner; null if there is none yet. */
  | { readonly type: 'draining'; readonly shard: string; readonly token: bigint; readonly to: string | null }
  /** The work has stopped, and the lease has ended. `released` is false if it could not be released, and expires. */
  | {
      readonly type: 'ended';
      readonly shard: string;
      readonly token: bigint;
      readonly reason: EndReason;
      readonly released: boolean;
    }
  /** The lease was lost, not by choice: the work is told to stop. */
  | { readonly type: 'lost'; readonly shard: string; readonly token: bigint; readonly reason: LossReason }
  /**
   * The lease is about to expire, or has expired, and the work still runs. The shard goes to another member; this one takes it
   * again only when that work has settled.
   */
  | { readonly type: 'overdue'; readonly shard: string; readonly token: bigint }
  /**
   * The work threw, or returned a checkpoint that cannot be kept: the latest one before it stays. The work is called again in
   * `retryMs`; null if it is not, because the shard moves. `afterLoss`: the lease was lost before.
   */
  | {
      readonly type: 'work-failed';
      readonly shard: string;
      readonly error: unknown;
      readonly retryMs: number | null;
      readonly afterLoss: boolean;
    }
  /** The shard was split into its two children. */
  | { readonly type: 'split'; readonly shard: string }
  /** The children of the shard were merged into it. */
  | { readonly type: 'merged'; readonly shard: string }
  /** A call to the store failed. The group repeats it. */
  | { readonly type: 'store-error'; readonly error: unknown };
