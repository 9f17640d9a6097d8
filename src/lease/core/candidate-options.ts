/** Who stands for which election, and under what conditions. */
import type { LeaseTiming } from './timing.ts';

export interface CandidateOptions {
  readonly name: string;
  /** The candidate's name. */
  readonly id: string;
  /** New with each start of a process, and of no other candidate: a restart never inherits a term. */
  readonly identity: string;
  /** Larger is preferred. */
  readonly priority: number;
  /** What proves to others on the same host that this candidate is gone; '' for nothing. */
  readonly processProof: string;
  readonly timing: LeaseTiming;
  /** The store judges expiry by a clock of its own. */
  readonly storeHasClock: boolean;
  /** The store pushes notifications, so that a waiting candidate need not ask each second. */
  readonly storePushes: boolean;
  readonly seed: number;
}
