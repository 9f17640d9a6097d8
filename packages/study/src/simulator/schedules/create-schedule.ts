/** Creates the schedule of a plan. */
import { Random } from '../../kernel/random.ts';
import type { Plan } from '../plan/plan.ts';
import { AdversarySchedule } from './adversary.ts';
import { Lockstep } from './lockstep.ts';
import { RandomDelay } from './random-delay.ts';
import type { Schedule } from './schedule.ts';

export function createSchedule(plan: Plan, width: number, keepSent: boolean): Schedule {
  const { schedule, topology, seed } = plan;
  if (schedule.type === 'lockstep') return new Lockstep(topology.n, width);
  if (schedule.type === 'adversary')
    return new AdversarySchedule(width, topology, schedule.fifo, schedule.pick);
  const delays = new Random(seed, 'delay');
  return new RandomDelay(width, delays, topology.links, schedule.fifo, keepSent, plan.initiators.length);
}
