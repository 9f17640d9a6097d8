/**
 * Compares a run with the assumptions of its algorithm.
 *
 * Guarantees: a run that violates an assumption is refused by an error that names the assumption and its remedies, unless
 * the caller names it in `despite`. Does not check an adversary's choices, which it makes during the run.
 */
import { AssumptionError, InputError, type Remedy } from '../../kernel/errors.ts';
import { networkMismatch, refuseAnonymous } from '../../kernel/network/network-fit.ts';
import type { FaultPlan } from '../faults/faults.ts';
import { MAX_DELAY } from '../schedules/random-delay.ts';
import { TICKS } from '../schedules/schedule.ts';
import type { Plan } from './plan.ts';

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
type Refuse = (name: Assumption, text: string, remedy?: Remedy) => void;

/** Returns the assumptions of `despite` that the run does violate. */
export function checkAssumptions(plan: PlanToCheck, anonymousRun: boolean): Assumption[] {
  const broken: Assumption[] = [];
  for (const name of plan.despite) {
    if (!(ASSUMPTIONS as readonly string[]).includes(name)) {
      throw new InputError(`despite must be one of ${ASSUMPTIONS.join(', ')}, not '${name}'`);
    }
  }
  const refuse: Refuse = (name, text, remedy) => {
    if (plan.despite.includes(name)) {
      broken.push(name);
      return;
    }
    const anyway = { option: 'despite', value: name };
    throw new AssumptionError(text, name, remedy === undefined ? [anyway] : [remedy, anyway]);
  };
  const { algorithm } = plan;
  const { assumes } = algorithm;
  if (anonymousRun) refuseAnonymous(algorithm);
  const mismatch = networkMismatch(algorithm, plan.topology);
  if (mismatch !== null) {
    const { text, remedy } = mismatch;
    // A ring algorithm uses ports 0 and 1 as previous and next, which other networks do not have.
    if (remedy.value === 'ring') throw new AssumptionError(text, 'network', [remedy]);
    refuse('network', text, remedy);
  }
  if (assumes.fifo && plan.schedule.type !== 'lockstep' && !plan.schedule.fifo) {
    refuse('fifo', `${algorithm.name} assumes FIFO links`, { option: 'schedule', value: 'random' });
  }
  checkTiming(plan, refuse);
  const { faults } = plan;
  const tolerates = new Set<string>(assumes.faults ?? []);
  const check = (fault: Assumption, present: boolean, what: string): void => {
    if (present && !tolerates.has(fault)) refuse(fault, `${algorithm.name} assumes that ${what}`);
  };
  check('crash', faults.crashes.length > 0, 'no node crashes');
  const limit = algorithm.crashLimit?.(plan.nodes, plan.params, deadAtEnd(faults)) ?? null;
  if (limit !== null) refuse('crash', limit.text, limit.remedy);
  check('recover', faults.recoveries.length > 0, 'no node recovers from a crash');
  check('loss', faults.loss > 0, 'no message is lost');
  check('duplication', faults.duplication > 0, 'no message is duplicated');
  check('partition', faults.partitions.length > 0, 'the network is never partitioned');
  return broken;
}

/** A node that crashes and recovers at the same time is alive. */
function deadAtEnd({ crashes, recoveries }: FaultPlan): ReadonlySet<number> {
  const back = (position: number, time: number) =>
    recoveries.some((recovery) => recovery.position === position && recovery.time >= time);
  return new Set(
    crashes.filter(({ position, time }) => !back(position, time)).map(({ position }) => position),
  );
}

/** In units; null if an adversary decides. */
function longestRoundTrip({ type }: Plan['schedule']): number | null {
  return type === 'lockstep' ? 2 : type === 'random' ? (2 * MAX_DELAY) / TICKS : null;
}

/** True if every round trip ends within the timeout. */
export function hasBoundedDelay({ schedule, timeout }: Pick<Plan, 'schedule' | 'timeout'>): boolean {
  const roundTrip = longestRoundTrip(schedule);
  return roundTrip !== null && roundTrip <= timeout;
}

function checkTiming(plan: PlanToCheck, refuse: Refuse): void {
  const { algorithm, schedule, timeout } = plan;
  const lockstep = { option: 'schedule', value: 'lockstep' };
  if (algorithm.assumes.timing === 'synchronous' && schedule.type !== 'lockstep') {
    refuse('timing', `${algorithm.name} assumes synchronous rounds`, lockstep);
  }
  if (algorithm.assumes.timing !== 'bounded-delay') return;
  const roundTrip = longestRoundTrip(schedule);
  if (roundTrip === null) {
    refuse('timing', `${algorithm.name} assumes links with bounded delay`, lockstep);
  } else if (timeout < roundTrip) {
    refuse(
      'timing',
      `${algorithm.name} assumes that a round trip, which takes up to ${roundTrip} units here, ends within its ` +
        `timeout of ${timeout}`,
      { option: 'set', value: `timeout=${roundTrip}` },
    );
  }
}
