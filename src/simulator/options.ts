/** What a caller may say about a run. Every option has a default: `simulate(algorithm)` runs. */
import type { SetupOptions } from '../kernel/setup.ts';
import type { Observer } from '../kernel/trace.ts';
import type { NodeFault, Partition } from './faults.ts';
import type { Adversary } from './schedules/adversary.ts';

/** Who wakes by itself: all, so many drawn from the seed, or these positions, at time 0 unless it says when. */
export type Initiators =
  | 'all'
  | { readonly random: number }
  | readonly (number | { readonly position: number; readonly time: number })[];

/** lockstep; random delays, on FIFO links or not; or somebody picks each delivery. */
export type ScheduleOption =
  | 'lockstep'
  | 'random'
  | 'random:nofifo'
  | { readonly pick: Adversary; readonly fifo?: boolean; readonly name?: string };

/** The setup, schedule and faults of a run. */
export interface SimulateOptions extends SetupOptions {
  readonly initiators?: Initiators | undefined;
  readonly schedule?: ScheduleOption | undefined;
  /** Who crashes when; 'none' keeps the coordinator alive where the algorithm would have it dead. */
  readonly crash?: readonly NodeFault[] | 'none' | undefined;
  readonly recover?: readonly NodeFault[] | undefined;
  /** The chance that a message is lost, and the time from which on, in units, none is any more. */
  readonly loss?: number | undefined;
  readonly lossUntil?: number | undefined;
  readonly duplicate?: number | undefined;
  readonly partition?: readonly Partition[] | undefined;
  /** Assumptions that may be broken; validity is then a result and not an error. */
  readonly despite?: readonly string[] | undefined;
  /** In units. */
  readonly until?: number | undefined;
  /** Events after which a run counts as endless. */
  readonly stepLimit?: number | undefined;
  readonly observe?: Observer | undefined;
  /** Lets the observer also hear the state of each node, at the beginning and after each event there. */
  readonly states?: boolean | undefined;
  /** What the command line calls the algorithm, for the replay line: its name, unless its file was named. */
  readonly calledAs?: string | undefined;
}
