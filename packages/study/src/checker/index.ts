/** Model checking of elections on small networks: every schedule, every configuration. */

export type * from '../kernel/driver.ts';
export type { InvariantChoice } from '../kernel/invariant.ts';
export { type Starts, startsOf } from '../kernel/world/rules.ts';
export {
  type CheckResult,
  type CheckViolation,
  check,
  checkInSlices,
  type Reduction,
} from './check.ts';
export { type CheckOptions, DEFAULT_CHECK_NODES } from './check-options.ts';
export { type CheckPlan, defaultCheckNodes, type NamedPreset, planCheck } from './check-plan.ts';
export type { Checkpoint, Facts, InstanceTally, SavedSearch, Termination } from './checkpoint/checkpoint.ts';
export { checkpointBytes, type ReadBytes, readCheckpoint } from './checkpoint/checkpoint-format.ts';
export type { Extreme } from './cost/cost-graph.ts';
export type { ExtremeRun } from './cost/extreme-run.ts';
export { COST_MEASURES, type CostMeasure } from './cost/message-cost.ts';
export { costIn, type RunCost } from './cost/run-cost.ts';
export { formatDot } from './graph/dot.ts';
export * from './graph/node-machine.ts';
export { type Reachability, reachabilityFrom } from './graph/reachability.ts';
export { type GraphEdge, type GraphState, type StateGraph, stateGraph } from './graph/state-graph.ts';
export type { FoundRun } from './network/instances.ts';
export { serveTask } from './parallel/search-threads.ts';
export type { RoundMemory, StoreMemory } from './parallel/search-worker.ts';
export type { SearchThreads, ThreadTask } from './parallel/thread-task.ts';
export type { SearchThread, ThreadStart, WorkerPoolPace } from './parallel/worker-pool.ts';
export {
  type ExactValue,
  type Probabilities,
  type ProbabilityOptions,
  probabilities,
} from './probability/probabilities.ts';
export { type RoundChain, type RoundState, roundChain } from './probability/round-chain.ts';
export * from './replay/counterexample-file.ts';
export { isReproduced, narrateReplay, replayCounterexample } from './replay/counterexample-replay.ts';
export { type Replay, type ReplayOptions, replay } from './replay/replay.ts';
export type { Counts, FoundViolation } from './search/explorer.ts';
export type { PairMemory } from './search/pair-set.ts';
export type { RowMemory } from './search/row-set.ts';
export type { Search, SearchLimits, SearchPosition } from './search/search.ts';
export { type SystemResult, searchSystem } from './search/search-system.ts';
export type { Slices } from './search/slices.ts';
export type { SavedStates, SeenStates } from './search/state-store.ts';
export type {
  Initial,
  InternedValues,
  NumberedValues,
  NumberSharing,
  System,
  Violation,
  Visit,
} from './search/system.ts';
