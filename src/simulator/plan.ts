/** A run, decided down to the last detail. */
import type { Setup } from '../kernel/setup.ts';
import type { Observer } from '../kernel/trace.ts';
import type { FaultPlan } from './faults.ts';
import type { Adversary } from './schedules/adversary.ts';

/** The schedule of a run, resolved. */
export type ScheduleChoice =
  | { readonly type: 'lockstep'; readonly name: string }
  | { readonly type: 'random'; readonly name: string; readonly fifo: boolean }
  | { readonly type: 'adversary'; readonly name: string; readonly fifo: boolean; readonly pick: Adversary };

/** Rings upon a ring: an announcement has a home on each of them. */
export function isRingOverlay({ algorithm, topology }: Pick<Setup, 'algorithm' | 'topology'>): boolean {
  return topology.kind !== 'ring' && algorithm.assumes.network.endsWith('ring');
}

/** A run with all defaults filled in. */
export interface Plan extends Setup {
  readonly initiators: Int32Array;
  /** In units, one for each initiator; null if all wake at 0. */
  readonly wakeTimes: Float64Array | null;
  readonly schedule: ScheduleChoice;
  readonly faults: FaultPlan;
  readonly despite: readonly string[];
  /** Those of them that this run really breaks. */
  readonly broken: readonly string[];
  /** In units: when the sender of a message to a dead node is told. */
  readonly timeout: number;
  /** In units; null runs until nothing is pending. */
  readonly until: number | null;
  /** The run ends before its time because the caller said so, and not where its algorithm would have it end. */
  readonly cutShort: boolean;
  readonly stepLimit: number;
  readonly observe: Observer | null;
  /** The observer hears of the states too. */
  readonly states: boolean;
  /** The options that give this run again, as the command line takes them. */
  readonly replay: string;
}
