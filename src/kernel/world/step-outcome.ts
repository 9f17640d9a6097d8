import type { Breach } from '../decisions.ts';
import type { TraceEvent } from '../trace.ts';
import type { NodeSnapshot } from './node-step.ts';
import type { Step } from './step.ts';

/** The result of a step. */
export interface StepOutcome {
  /** The step with its random draws: applied to the same configuration it does the same. */
  readonly step: Step;
  /** In order; times are numbers of steps. */
  readonly events: readonly TraceEvent[];
  /** The error of a handler that threw. Its node is unchanged, and its messages are not sent. */
  readonly failure: { readonly node: number; readonly error: unknown } | null;
  /** A node changed its decision within a term. */
  readonly breach: Breach | null;
  /** Every call of a handler, in order: its node before and after it. A round calls many. */
  readonly changes: readonly {
    readonly node: number;
    readonly before: NodeSnapshot;
    readonly after: NodeSnapshot;
  }[];
}
