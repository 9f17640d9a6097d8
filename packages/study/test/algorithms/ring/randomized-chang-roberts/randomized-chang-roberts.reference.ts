/**
 * Chang–Roberts with a direction for each initiator (Karnapke, slides 49 to 51), in lockstep: all tokens move one hop
 * per unit. A token stops at a node that it reaches together with a larger one, or that a larger one has passed
 * before.
 *
 * If two tokens reach a node at the same time, the clockwise one is handled first: it arrives by port 0. A
 * ring of one sends its token to itself in either direction: E = 1, A = 1.
 */

import { at, initiatorFlags, largestInitiator, type Outcome } from '../../reference-outcome.ts';

/** `ways` by position: 1 clockwise, −1 counterclockwise; used only for initiators. */
export function randomizedChangRobertsLockstep(
  ids: readonly number[],
  ways: readonly number[],
  initiators?: readonly number[],
): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const best = ids.map((id, i) => (at(initiates, i) === 1 ? id : -1));
  let tokens = ids
    .map((id, i) => ({ id, place: i, way: at(ways, i) }))
    .filter((_, i) => at(initiates, i) === 1)
    .sort((one, other) => other.way - one.way);
  let election = 0;
  let leader = -1;
  while (tokens.length > 0) {
    election += tokens.length;
    tokens = tokens
      .map(({ id, place, way }) => ({ id, place: (place + way + n) % n, way }))
      .filter(({ id, place }) => {
        if (id === at(ids, place)) leader = place;
        if (id <= at(best, place)) return false;
        best[place] = id;
        return true;
      });
  }
  if (leader !== largestInitiator(ids, initiates)) throw new Error('the largest has not won');
  return {
    leader,
    election,
    announcement: n,
    byType: { token: election, elected: n },
    electedAt: n,
    agreedAt: 2 * n - 1,
    announcementReturnedAt: 2 * n,
  };
}
