/** One shard that this member owns, as its work sees it. An interface, so that a test of the work can pass a fake. */
import type { Lead } from '../elector/lead.ts';

/** The lease of one shard. What it shares with `Lead` has the same meaning. */
export interface ShardLead
  extends Pick<
    Lead,
    'term' | 'token' | 'fence' | 'signal' | 'isValid' | 'remainingMs' | 'assert' | 'guard' | 'progress'
  > {
  /** The shard. */
  readonly shard: string;
  /** What the latest owner has left; null if none has left anything. */
  readonly checkpoint: string | null;
  /**
   * Aborts when the shard is about to move, to be split or merged, or is lost: finish what you have begun, and return. The
   * lease is renewed meanwhile, for `drainMs`. Then `signal` aborts.
   */
  readonly draining: AbortSignal;
  /**
   * Leaves a text of at most 4,000 bytes for the next owner. Resolves when the store has it. It survives this process. The text
   * that the work returns is left in the same way.
   */
  saveCheckpoint(text: string): Promise<void>;
}

/** Called for each shard that this member owns. A text that it returns is left for the next owner as the checkpoint. */
export type ShardWork = (lead: ShardLead) => unknown;
