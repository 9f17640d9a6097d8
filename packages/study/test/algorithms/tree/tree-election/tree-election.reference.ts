/**
 * Election on a tree in lockstep, without its messages: the cost of each phase from the number of links, and the
 * decision time of each node from distances.
 *
 * The explosion starts a node when the request of the nearest initiator can arrive. From then on its id travels to
 * all others, delayed only by nodes that start later and whose ids must be included. So a node knows the maximum when
 * the last id has arrived: max over all y of start(y) + hops(y, x).
 */

import { hopsFrom, type Neighbours } from '../../graph/graph.ts';
import { at, latest, type Outcome } from '../../reference-outcome.ts';

export function treeElectionClosed(
  neighbours: Neighbours,
  ids: readonly number[],
  initiators: readonly number[] = ids.map((_, position) => position),
): Outcome {
  const n = ids.length;
  const leader = ids.indexOf(Math.max(...ids));
  const wakesAt = hopsFrom(neighbours, initiators);
  const knewAt = new Array<number>(n).fill(0);
  wakesAt.forEach((wakes, y) => {
    hopsFrom(neighbours, [y]).forEach((hops, x) => {
      knewAt[x] = Math.max(at(knewAt, x), wakes + hops);
    });
  });
  // Over each of the n−1 links: one request, and one in each direction where the trees of two initiators meet, of which there
  // are as many as are needed to join k trees; one contraction, and one in each direction in the centre; one announcement,
  // and none in the centre.
  const links = n - 1;
  const meetings = initiators.length - 1;
  const centres = n > 1 ? 1 : 0;
  const byType = { explosion: links + meetings, contraction: links + centres, information: links - centres };
  return {
    leader,
    election: byType.explosion + byType.contraction,
    announcement: byType.information,
    byType,
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt: null,
  };
}
