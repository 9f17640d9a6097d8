/** What a driver knows of a node, as bits of one byte. */

/** Woke by itself: `onStart` ran. */
export const STARTED = 1;
/** Woke, by itself or by a message: it can no longer initiate. */
export const AWAKE = 2;
/** Crashed, and not recovered. */
export const DEAD = 4;
