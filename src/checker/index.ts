/** Every schedule of an election, for small networks. */
export { type CheckOptions, type CheckResult, type CheckViolation, check } from './check.ts';
export type { Starts } from './election-system.ts';
