/**
 * Election on a tree in lockstep, without its messages: what each phase must cost by counting links, and when each
 * node must know by how far word has to come.
 *
 * The explosion wakes a node when the nearest initiator's request can be there. From then on its id is under way to
 * all others, held up by nothing but by those that wake later and whose ids must come along. So a node knows the
 * maximum when the id that is last to come to it has come: max over all y of wake(y) + hops(y, x).
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
  // Over each of the n−1 links: a request once, and both ways where the trees of two initiators meet, of which there
  // are as many as it takes to join k trees; a contraction once, and both ways in the centre; word of the winner once,
  // and not at all in the centre.
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
