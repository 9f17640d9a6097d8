/** The code that runs in a world: the correct code, or a mutant with one planted fault. */
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';
import * as row from '../../../src/lease/core/lease-row.ts';
import * as queue from '../../../src/lease/core/queue.ts';
import type { Invariant } from './observers/invariant.ts';
import type { Fault, Plan } from './plan.ts';
import type { AfterLoss, Rules } from './simulated/simulated-store.ts';

export interface Make {
  readonly core: (options: CandidateOptions) => LeaseCore;
  readonly rules: Rules;
  /** Overdue work is killed, if it can be killed. */
  readonly kills: boolean;
  readonly isFenced: boolean;
  readonly writesAuditLate: boolean;
  readonly afterLoss: AfterLoss;
  /** Candidates believe that notifications arrive, whether or not they do. */
  readonly believesPush: boolean;
}

export interface Mutant extends Make {
  readonly name: string;
  /** The invariants that may catch it first. */
  readonly caughtBy: readonly Invariant[];
  /** The worlds that show it soon; all by default. */
  readonly within?: Omit<Partial<Plan>, 'faults'> & { readonly faults: readonly Fault[] };
}

export const RIGHT: Make = {
  core: (options) => new LeaseCore(options),
  rules: { ...row, ...queue },
  kills: true,
  isFenced: true,
  writesAuditLate: false,
  afterLoss: 'waits',
  believesPush: false,
};
