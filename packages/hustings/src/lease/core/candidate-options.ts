/** The election, the candidate and its conditions. */
import type { LeaderMetadata } from './term-data.ts';
import type { LeaseTiming } from './timing.ts';

export interface CandidateOptions {
  /** The election. */
  readonly name: string;
  /** The name of the candidate. */
  readonly id: string;
  /** Unique to this start of this process: a restart never inherits a term. */
  readonly identity: string;
  /** Larger is preferred. */
  readonly priority: number;
  /** Proves to others on the same host that this candidate has ended; '' for no proof. */
  readonly processProof: string;
  readonly timing: LeaseTiming;
  /** No new term begins for this time after this candidate was elected, even if its term ends earlier; 0 for no such time. */
  readonly holdAtLeastMs: number;
  /** First come, first served. */
  readonly fair?: boolean;
  /** The metadata of each term, until an update replaces it. */
  readonly metadata?: LeaderMetadata;
  readonly seed: number;
}
