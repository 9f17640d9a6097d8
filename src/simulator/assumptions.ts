/**
 * Does a run meet what its algorithm assumes? One that does not is refused with the assumption's name and the
 * way out, unless the caller asked for it by that name.
 */

import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { AssumptionError, InputError } from '../kernel/errors.ts';
import { isTree } from '../kernel/topologies.ts';
import type { Topology } from '../kernel/topology.ts';
import type { Plan } from './plan.ts';
import { MOST_DELAY } from './random-delay.ts';
import { TICKS } from './schedule.ts';

export const ASSUMPTIONS = [
  'network',
  'timing',
  'ids',
  'fifo',
  'crash',
  'recover',
  'loss',
  'duplication',
  'partition',
  'termination',
] as const;

export type Assumption = (typeof ASSUMPTIONS)[number];

type PlanToCheck = Omit<Plan, 'replay' | 'broken'>;

/** Returns the assumptions that the run breaks because it was asked to. */
export function checkAssumptions(plan: PlanToCheck, anonymousRun: boolean): Assumption[] {
  const broken: Assumption[] = [];
  for (const name of plan.despite) {
    if (!(ASSUMPTIONS as readonly string[]).includes(name)) {
      throw new InputError(`'${name}' is no assumption: choose from ${ASSUMPTIONS.join(', ')}`);
    }
  }
  const refuse = (name: Assumption, problem: string): void => {
    if (plan.despite.includes(name)) {
      broken.push(name);
      return;
    }
    throw new AssumptionError(`${problem}, or run it all the same with --despite ${name}`, name);
  };
  const { algorithm } = plan;
  const { assumes } = algorithm;
  if (anonymousRun && assumes.ids === 'unique') {
    // Not to be had even despite: there would be nothing to compare.
    throw new AssumptionError(
      `${algorithm.name} needs unique ids: without them all nodes begin alike and, in lockstep, stay alike for ` +
        'ever, so that no deterministic algorithm can elect one of them (Angluin 1980); give --ids, or take an ' +
        'anonymous algorithm that draws lots',
      'ids',
    );
  }
  if (!algorithm.overlay) checkNetwork(algorithm, plan.topology, refuse);
  if (assumes.fifo && plan.schedule.kind !== 'lockstep' && !plan.schedule.fifo) {
    refuse('fifo', `${algorithm.name} assumes FIFO links: use --schedule random`);
  }
  checkTiming(plan, refuse);
  const { faults } = plan;
  const tolerates = new Set<string>(assumes.faults ?? []);
  const needs = (
    fault: 'crash' | 'recover' | 'loss' | 'duplication' | 'partition',
    present: boolean,
    what: string,
  ) => {
    if (present && !tolerates.has(fault)) refuse(fault, `${algorithm.name} assumes ${what}: leave that out`);
  };
  needs('crash', faults.crashes.length > 0, 'that no node crashes');
  needs('recover', faults.recoveries.length > 0, 'that no node comes back from a crash');
  needs('loss', faults.loss > 0, 'that no message is lost');
  needs('duplication', faults.duplication > 0, 'that no message comes twice');
  needs('partition', faults.partitions.length > 0, 'that the network never parts');
  return broken;
}

function checkNetwork(
  algorithm: AnyAlgorithm,
  topology: Topology,
  refuse: (name: Assumption, problem: string) => void,
): void {
  const { network } = algorithm.assumes;
  const needs = (what: string) =>
    refuse(
      'network',
      `${algorithm.name} assumes ${what}, not ${topology.name}: use --topology ${what.split(' ').at(-1)}`,
    );
  if (network === 'one-way ring' || network === 'ring') {
    // Ports 0 and 1 mean previous and next to these algorithms: elsewhere they would only fail.
    if (topology.kind !== 'ring') {
      throw new AssumptionError(
        `${algorithm.name} assumes a ${network}, not ${topology.name}: use --topology ring`,
        'network',
      );
    }
  } else if (network === 'tree') {
    if (!isTree(topology)) needs('a tree');
  } else if (network === 'complete') {
    if (topology.edges !== (topology.n * (topology.n - 1)) / 2) needs('a network that is complete');
  }
}

function checkTiming(plan: PlanToCheck, refuse: (name: Assumption, problem: string) => void): void {
  const { algorithm, schedule, timeout } = plan;
  if (algorithm.assumes.timing === 'rounds' && schedule.kind !== 'lockstep') {
    refuse('timing', `${algorithm.name} runs in rounds: use --schedule lockstep`);
  }
  if (algorithm.assumes.timing !== 'timely') return;
  const roundTrip =
    schedule.kind === 'lockstep' ? 2 : schedule.kind === 'random' ? (2 * MOST_DELAY) / TICKS : null;
  if (roundTrip === null) {
    refuse('timing', `${algorithm.name} assumes timely links: use --schedule lockstep`);
  } else if (timeout < roundTrip) {
    refuse(
      'timing',
      `${algorithm.name} assumes that a round trip, here up to ${roundTrip} units, is over within its time-out ` +
        `of ${timeout}: use --set timeout=${roundTrip}`,
    );
  }
}
