/** A run, decided down to the last detail. */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import type { Setting } from '../kernel/params.ts';
import type { Topology } from '../kernel/topology.ts';
import type { Adversary } from './adversary.ts';
import type { FaultPlan } from './faults.ts';
import type { Observer } from './trace.ts';

export type ScheduleChoice =
  | { readonly kind: 'lockstep'; readonly name: string }
  | { readonly kind: 'random'; readonly name: string; readonly fifo: boolean }
  | { readonly kind: 'adversary'; readonly name: string; readonly fifo: boolean; readonly pick: Adversary };

export interface Plan {
  readonly algorithm: AnyAlgorithm;
  readonly params: Readonly<Record<string, Setting>>;
  readonly topology: Topology;
  /** What the algorithm calls n; an overlay may have positions beyond it. */
  readonly nodes: number;
  readonly diameter: number;
  /** By position. */
  readonly ids: Int32Array;
  readonly anonymous: boolean;
  readonly initiators: Int32Array;
  /** In units, one for each initiator; null if all wake at 0. */
  readonly wakeTimes: Float64Array | null;
  readonly schedule: ScheduleChoice;
  readonly seed: number;
  readonly faults: FaultPlan;
  readonly despite: readonly string[];
  /** In units: when the sender of a message to a dead node is told. */
  readonly timeout: number;
  /** In units; null runs until nothing is pending. */
  readonly until: number | null;
  readonly stepLimit: number;
  readonly observe: Observer | null;
  /** The options that give this run again, as the command line takes them. */
  readonly replay: string;
}
