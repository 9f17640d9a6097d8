/** The options of a sweep. All have defaults: `sweep([algorithm])` runs. */
import type { Setting } from '../kernel/params.ts';
import type { Order } from '../kernel/setup.ts';
import type { SimulateOptions } from '../simulator/plan/options.ts';
import type { SweepMeasure } from './sweep-measure.ts';

/** A schedule for many runs. A file or an adversary fits only one run. */
export type SweepSchedule = 'lockstep' | 'random' | 'random:nofifo';

/** Options of every run. */
export interface SweepOptions
  extends Omit<
    SimulateOptions,
    'nodes' | 'ids' | 'order' | 'schedule' | 'seed' | 'set' | 'observe' | 'states' | 'calledAs'
  > {
  /** Sizes (default: 16, 32, … 1,024). */
  readonly nodes?: readonly number[] | undefined;
  /** Runs for each algorithm, order, schedule and size (default: 200). */
  readonly runs?: number | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly schedule?: readonly SweepSchedule[] | undefined;
  /** Parameters, for the algorithms that have them. A list of values gives a series for each of them. */
  readonly set?: Readonly<Record<string, Setting | readonly Setting[]>> | undefined;
  readonly measure?: SweepMeasure | undefined;
  /** Growths such as 'n log n', for each of which the constant is fitted to every series. */
  readonly fit?: readonly string[] | undefined;
  /** The seed of each run follows from this one, the name of the algorithm, the size and the number of the run. */
  readonly seed?: number | undefined;
  /** The names of the algorithms on the command line, for the command that repeats a failed run. */
  readonly calledAs?: readonly string[] | undefined;
}

export const DEFAULT_SIZES: readonly number[] = [16, 32, 64, 128, 256, 512, 1024];
export const DEFAULT_RUNS = 200;
