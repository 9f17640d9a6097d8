/**
 * Does a run meet what its algorithm assumes? If not, the run is refused: the error names the assumption
 * and what to do about it; unless the caller asked for the breach by that name.
 */

import { AssumptionError, InputError } from '../kernel/errors.ts';
import { networkNeeded, networkProblem, refuseAnonymous } from '../kernel/network/network-fit.ts';
import type { Plan } from './plan.ts';
import { MOST_DELAY } from './schedules/random-delay.ts';
import { TICKS } from './schedules/schedule.ts';

/** The names that `despite` accepts. */
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

/** An assumption that a run may violate on purpose. */
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
  if (anonymousRun) refuseAnonymous(algorithm);
  const needed = networkNeeded(algorithm, plan.topology);
  if (needed !== null) {
    const problem = networkProblem(algorithm, plan.topology, needed);
    // Ports 0 and 1 mean previous and next to ring algorithms: elsewhere they could only fail.
    if (needed === 'ring') throw new AssumptionError(problem, 'network');
    refuse('network', problem);
  }
  if (assumes.fifo && plan.schedule.type !== 'lockstep' && !plan.schedule.fifo) {
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

/** In units; null where somebody may take any time. */
function longestRoundTrip({ type }: Plan['schedule']): number | null {
  return type === 'lockstep' ? 2 : type === 'random' ? (2 * MOST_DELAY) / TICKS : null;
}

/** Is a round trip over within the time-out? */
export function hasBoundedDelay({ schedule, timeout }: Pick<Plan, 'schedule' | 'timeout'>): boolean {
  const roundTrip = longestRoundTrip(schedule);
  return roundTrip !== null && roundTrip <= timeout;
}

function checkTiming(plan: PlanToCheck, refuse: (name: Assumption, problem: string) => void): void {
  const { algorithm, schedule, timeout } = plan;
  if (algorithm.assumes.timing === 'synchronous' && schedule.type !== 'lockstep') {
    refuse('timing', `${algorithm.name} runs in rounds: use --schedule lockstep`);
  }
  if (algorithm.assumes.timing !== 'bounded-delay') return;
  const roundTrip = longestRoundTrip(schedule);
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
