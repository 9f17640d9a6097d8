/** When the initiators of an election start. */
import type { AnyAlgorithm } from '../algorithm.ts';

/** free: at any time, or never if a message comes first; first: before any delivery; together: before the first step. */
export type Starts = 'free' | 'first' | 'together';

/** The default: free in an asynchronous network, otherwise together. */
export function startsOf({ assumes }: AnyAlgorithm): Starts {
  return assumes.timing === 'asynchronous' ? 'free' : 'together';
}
