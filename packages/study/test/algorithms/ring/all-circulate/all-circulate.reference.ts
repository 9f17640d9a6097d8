/**
 * Karnapke, Election Algorithms, 2015/16, slides 10 to 12: every node that competes sends a message around the whole
 * ring, which collects the largest id of the competing nodes.
 *
 * In lockstep the outcome depends only on distances. With compete=all a node starts when the first message of the
 * nearest initiator before it arrives, and decides n units later; so the last to decide is the node farthest behind
 * an initiator. With compete=initiators the initiators decide at n, and the others by the announcement.
 */

import {
  at,
  clockwise,
  initiatorFlags,
  largestInitiator,
  latest,
  type Outcome,
} from '../../reference-outcome.ts';

export function allCirculateClosed(ids: readonly number[], initiators?: readonly number[]): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const leader = ids.indexOf(Math.max(...ids));
  const knewAt = ids.map((_, i) => {
    let hops = 0;
    while (at(initiates, (i - hops + n) % n) === 0) hops++;
    return hops + n;
  });
  return {
    leader,
    election: n * n,
    announcement: 0,
    byType: { circuit: n * n, elected: 0 },
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt: null,
  };
}

/** Only initiators compete. */
export function initiatorsCirculateClosed(ids: readonly number[], initiators?: readonly number[]): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const leader = largestInitiator(ids, initiates);
  const circuit = initiates.reduce((sum, flag) => sum + flag, 0) * n;
  const knewAt = ids.map((_, i) => (at(initiates, i) === 1 ? n : n + clockwise(n, leader, i)));
  return {
    leader,
    election: circuit,
    announcement: n,
    byType: { circuit, elected: n },
    electedAt: n,
    agreedAt: latest(knewAt),
    announcementReturnedAt: 2 * n,
  };
}
