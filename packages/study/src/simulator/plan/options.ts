/** The options of a simulation. Every option has a default: `simulate(algorithm)` runs. */
import type { InvariantChoice } from '../../kernel/invariant.ts';
import type { SetupOptions } from '../../kernel/setup.ts';
import type { Observer } from '../../kernel/trace.ts';
import type { NodeFault, Partition } from '../faults/faults.ts';
import type { Adversary } from '../schedules/adversary.ts';

/** The nodes that start by themselves: all, a random set of this size, or these positions, at time 0 by default. */
export type Initiators =
  | 'all'
  | { readonly random: number }
  | readonly (number | { readonly position: number; readonly time: number })[];

/** Lockstep; random delays on FIFO or non-FIFO links; or an adversary that picks each delivery. */
export type ScheduleOption =
  | 'lockstep'
  | 'random'
  | 'random:nofifo'
  | { readonly pick: Adversary; readonly fifo?: boolean; readonly name?: string };

/** The setup, schedule and faults of a run. */
export interface SimulateOptions extends SetupOptions {
  readonly initiators?: Initiators | undefined;
  readonly schedule?: ScheduleOption | undefined;
  /** The crashes. With 'none' no node crashes, not even the coordinator whose crash is the trigger of the algorithm. */
  readonly crash?: readonly NodeFault[] | 'none' | undefined;
  readonly recover?: readonly NodeFault[] | undefined;
  /** The probability that a message is lost, and the time, in units, from which no message is lost. */
  readonly loss?: number | undefined;
  readonly lossUntil?: number | undefined;
  readonly duplicate?: number | undefined;
  readonly partition?: readonly Partition[] | undefined;
  /** Assumptions that the run may violate; an invalid election is then a result, not an error. */
  readonly despite?: readonly string[] | undefined;
  /** Which invariants of the algorithm are checked after every event: by default all, up to 32 nodes, and none above. */
  readonly invariants?: InvariantChoice | undefined;
  /** The time at which the run stops, in units. */
  readonly until?: number | undefined;
  /** The number of events after which termination counts as violated; a run with a time at which it stops is then stopped. */
  readonly stepLimit?: number | undefined;
  readonly observe?: Observer | undefined;
  /** The observer also gets the state of each node, at the start and after each of its events. */
  readonly states?: boolean | undefined;
  /** The name or the path of the algorithm for the replay command; its name by default. */
  readonly calledAs?: string | undefined;
}
