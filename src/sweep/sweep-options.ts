/** What a caller may say about a sweep. Every option has a default: `sweep([algorithm])` runs. */
import type { Order } from '../kernel/setup.ts';
import type { SimulateOptions } from '../simulator/options.ts';
import type { SweepMeasure } from './sweep-measure.ts';

/** What a file or a function picks fits one run, not many. */
export type SweepSchedule = 'lockstep' | 'random' | 'random:nofifo';

/** What holds for every run. A parameter in `set` goes to the algorithms that have it. */
export interface SweepOptions
  extends Omit<
    SimulateOptions,
    'nodes' | 'ids' | 'order' | 'schedule' | 'seed' | 'observe' | 'states' | 'calledAs'
  > {
  /** Sizes; 16 to 1,024 by doubling unless it says otherwise. */
  readonly nodes?: readonly number[] | undefined;
  /** Of each algorithm, order, schedule and size; 200 by default. */
  readonly runs?: number | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly schedule?: readonly SweepSchedule[] | undefined;
  readonly measure?: SweepMeasure | undefined;
  /** Every run has a seed of its own, which follows from this one, the algorithm's name, the size and its number. */
  readonly seed?: number | undefined;
  /** What the command line calls each algorithm, for the line that replays a run that fails. */
  readonly calledAs?: readonly string[] | undefined;
}

export const DEFAULT_SIZES: readonly number[] = [16, 32, 64, 128, 256, 512, 1024];
export const DEFAULT_RUNS = 200;
