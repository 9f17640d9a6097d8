/** Fences: a resource that uses one never accepts the token of an older term. */
export type * from '../index.ts';
export { type Fence, parseToken, plainFence, type ReadFence } from './fence.ts';
export {
  FenceBusyError,
  FenceError,
  type FenceRefusal,
  FenceRejections,
  type RefusalOptions,
} from './fence-error.ts';
export { FenceGate, type GateOptions, newestIn, type Passage } from './fence-gate.ts';
export type { FenceKey, FenceKeys } from './fence-key.ts';
export { type FenceMarks, MemoryFenceMarks } from './fence-marks.ts';
export { type FencedFileOptions, fencedAppend, fencedWrite } from './fenced-file.ts';
export { FileFenceMarks, type MarkFileOptions } from './file-fence-marks.ts';
export type { LockOptions } from './file-lock.ts';
export * from './http-fence.ts';
export * from './redis-fence.ts';
export { readFence, signFence } from './signed-fence.ts';
export * from './sql-fence.ts';
