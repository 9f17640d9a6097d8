/** The elections on which laws are measured: sizes, orders of ids, initiators and schedules, in all combinations. */

import type { Order } from '@hustings/study/driver';
import type { AnyAlgorithm, Setting } from '@hustings/study/kernel';
import type { Initiators, ScheduleOption, SimulateOptions } from '@hustings/study/simulator';
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

/** Schedules whose links deliver in order, and all kinds of schedule. */
export const FIFO = ['lockstep', 'random'] as const;
export const ANY_SCHEDULE = ['lockstep', 'random', 'random:nofifo'] as const;

/** Six kinds of network. */
export function networks(n: number): string[] {
  return ['ring', 'star', 'line', 'random-tree', 'complete', `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`];
}

const SMALL_SIZES = [1, 2, 3, 4, 5, 8, 13, 16, 32, 33, 64];

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

/** Consecutively numbered elections, each with its own seed. */
export function* numbered(
  experiment: Experiment,
  runs: number,
  options: (index: number) => SimulateOptions,
): Generator<SimulateOptions> {
  for (let index = 0; index < runs; index++) yield { seed: experiment.seedOf(index), ...options(index) };
}

/** The election messages of `runs` random orders of n ids. */
export function electionCosts(
  experiment: Experiment,
  algorithm: AnyAlgorithm,
  n: number,
  runs: number,
  all: SimulateOptions = {},
): number[] {
  return [...randomOrders(experiment, [n], runs, all)].map(
    (options) => experiment.outcome(algorithm, options).messages.election,
  );
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
