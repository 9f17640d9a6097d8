/** The elections on which laws are measured: sizes, orders of ids, initiators and schedules, in all combinations. */
import type { Setting } from '../kernel/params.ts';
import type { Order } from '../kernel/setup.ts';
import type { Initiators, ScheduleOption, SimulateOptions } from '../simulator/options.ts';
import type { Experiment } from './experiment.ts';

export type ParameterGrid = (experiment: Experiment) => Iterable<SimulateOptions>;

export interface Axes {
  readonly sizes: readonly number[];
  readonly orders?: readonly Order[];
  readonly initiators?: (n: number) => readonly Initiators[];
  readonly schedules?: readonly ScheduleOption[];
  readonly topologies?: (n: number) => readonly string[];
  readonly sets?: (n: number) => readonly Readonly<Record<string, Setting>>[];
  /** Options of every election. */
  readonly all?: SimulateOptions;
}

export const SMALL_SIZES = [1, 2, 3, 4, 5, 8, 13, 16, 32, 33, 64];

/** All nodes, one node, and a random third. */
export function allOneSome(n: number): Initiators[] {
  return ['all', [n - 1], { random: Math.max(1, Math.ceil(n / 3)) }];
}

/** Small sizes, and larger ones in a full run. */
export function sizesFor(experiment: Experiment, larger: readonly number[] = [256, 1000]): number[] {
  return experiment.quick ? SMALL_SIZES : [...SMALL_SIZES, ...larger];
}

export function* elections(experiment: Experiment, axes: Axes): Generator<SimulateOptions> {
  const none = () => [undefined];
  const { orders = ['ascending', 'descending', 'random'], schedules = ['lockstep'] } = axes;
  let index = 0;
  for (const nodes of axes.sizes) {
    for (const order of orders) {
      for (const initiators of (axes.initiators ?? none)(nodes)) {
        for (const schedule of schedules) {
          for (const topology of (axes.topologies ?? none)(nodes)) {
            for (const set of (axes.sets ?? none)(nodes)) {
              const seed = experiment.seedOf(index++);
              yield { nodes, order, initiators, schedule, topology, set, seed, ...axes.all };
            }
          }
        }
      }
    }
  }
}

/** `runs` random orders of each size. */
export function* randomOrders(
  experiment: Experiment,
  sizes: readonly number[],
  runs: number,
  all: SimulateOptions = {},
): Generator<SimulateOptions> {
  let index = 500_000;
  for (const nodes of sizes) {
    for (let k = 0; k < runs; k++) yield { nodes, seed: experiment.seedOf(index++), ...all };
  }
}
