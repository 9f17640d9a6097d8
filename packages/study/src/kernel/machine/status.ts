/** The status of a node as bits of one byte. */

/** The node started by itself: `onStart` has run. */
export const STARTED = 1;
/** The node has started or received a message: it can no longer initiate. */
export const AWAKE = 2;
/** Crashed, and not recovered. */
export const DEAD = 4;
