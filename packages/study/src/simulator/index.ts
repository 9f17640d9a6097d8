/** Simulation of elections: runs one schedule, and counts its cost exactly. */

export type * from '../kernel/driver.ts';
export type { InvariantChoice } from '../kernel/invariant.ts';
export { DEFAULT_TIMEOUT } from '../kernel/params.ts';
export {
  formatEvent,
  formatMessage,
  type Observer,
  type TracedMessage,
  type TraceEvent,
} from '../kernel/trace.ts';
export type { Judgement, Validity } from '../properties/validity.ts';
export type { DeliveryProgress } from './delivery.ts';
export type { FaultPlan, NodeFault, Partition } from './faults/faults.ts';
export type { Observation } from './observation.ts';
export { ASSUMPTIONS, type Assumption } from './plan/assumptions.ts';
export type { Initiators, ScheduleOption, SimulateOptions } from './plan/options.ts';
export type { Plan, ScheduleChoice } from './plan/plan.ts';
export type { Adversary, Choice } from './schedules/adversary.ts';
export { fileSchedule } from './schedules/schedule-file.ts';
export { measured, type Outcome, Run, simulate } from './simulate.ts';
export type { Simulation } from './simulation.ts';
export * from './symmetric-run.ts';
export type { Tally } from './tally.ts';
