/** The plan of a run: all options resolved. */
import type { InvariantChoice } from '../../kernel/invariant.ts';
import type { Setup } from '../../kernel/setup.ts';
import type { Observer } from '../../kernel/trace.ts';
import type { FaultPlan } from '../faults/faults.ts';
import type { Adversary } from '../schedules/adversary.ts';

/** The schedule of a run, resolved. */
export type ScheduleChoice =
  | { readonly type: 'lockstep'; readonly name: string }
  | { readonly type: 'random'; readonly name: string; readonly fifo: boolean }
  | { readonly type: 'adversary'; readonly name: string; readonly fifo: boolean; readonly pick: Adversary };

/** An overlay of several rings: an announcement returns on each of them. */
export function isRingOverlay({ algorithm, topology }: Pick<Setup, 'algorithm' | 'topology'>): boolean {
  return topology.kind !== 'ring' && algorithm.assumes.network.endsWith('ring');
}

/** A run with all defaults filled in. */
export interface Plan extends Setup {
  readonly initiators: Int32Array;
  /** The start of each initiator, in units; null if all start at 0. */
  readonly wakeTimes: Float64Array | null;
  readonly schedule: ScheduleChoice;
  readonly faults: FaultPlan;
  readonly despite: readonly string[];
  /** The assumptions in `despite` that this run violates. */
  readonly broken: readonly string[];
  readonly invariants: InvariantChoice;
  /** The time after which the sender of a message to a crashed node is notified, in units. */
  readonly timeout: number;
  /** The time at which the run stops, in units; null if it runs until nothing is pending. */
  readonly until: number | null;
  /** The caller set `until`; otherwise it is the horizon of the algorithm. */
  readonly cutShort: boolean;
  readonly stepLimit: number;
  readonly observe: Observer | null;
  /** The observer also gets states. */
  readonly states: boolean;
  /** The command that repeats the run. */
  readonly replay: string;
}
