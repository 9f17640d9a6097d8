/** Every schedule of an election, for small networks. */
export { type CheckOptions, type CheckResult, type CheckViolation, check } from './check.ts';
export { type Replay, type ReplayOptions, replay } from './replay.ts';
export { type Starts, startsOf } from './starts.ts';
