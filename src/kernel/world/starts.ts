/** How the initiators of an election begin. */
import type { AnyAlgorithm } from '../algorithm.ts';

/** free: a message may wake an initiator; first: nothing reaches it before its start; together: all have started. */
export type Starts = 'free' | 'first' | 'together';

/** Where time is known, elections begin together unless said otherwise. */
export function startsOf({ assumes }: AnyAlgorithm): Starts {
  return assumes.timing === 'asynchronous' ? 'free' : 'together';
}
