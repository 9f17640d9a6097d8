/** The election, the candidate and its conditions. */
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
  /** The store judges expiry on its own clock. */
  readonly storeHasClock: boolean;
  /** The store sends notifications, so a waiting candidate asks less often. */
  readonly storePushes: boolean;
  readonly seed: number;
}
