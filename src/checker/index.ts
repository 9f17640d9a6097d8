/** Every schedule of an election, for small networks. */
export { type Chances, type ChancesOptions, chances, type Figure } from './chances.ts';
export { type CheckResult, type CheckViolation, check } from './check.ts';
export type { CheckOptions } from './check-options.ts';
export type { CostlyRun } from './costly-run.ts';
export { COST_MEASURES, type CostMeasure } from './message-price.ts';
export type { Extreme } from './priced-graph.ts';
export { type Replay, type ReplayOptions, replay } from './replay.ts';
export { costIn, type RunCost } from './run-cost.ts';
export type { Search, SearchLimits } from './search.ts';
export { type SystemResult, searchSystem } from './search-system.ts';
export { type Starts, startsOf } from './starts.ts';
export type { Initial, System, Violation } from './system.ts';
