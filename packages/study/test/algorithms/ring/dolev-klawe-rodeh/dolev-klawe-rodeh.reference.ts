/**
 * Dolev, Klawe and Rodeh 1982 on a unidirectional FIFO ring, in the form of the well-known Promela model.
 *
 * A node has active, maximum, neighbour, knows, done and leader. It starts with one(own id). On one(x), active: if x
 * differs from maximum, neighbour := x and it sends two(x); otherwise it knows, and sends winner(x). On two(y),
 * active: if neighbour > y and neighbour > maximum, maximum := neighbour and it sends one(neighbour); otherwise it
 * becomes passive. Passive nodes forward one and two. On winner(x): done, leader if x is its own id, forwarded unless
 * it knows. A node that does not initiate is passive from the start.
 *
 * The node that knows first is not the leader but the last holder of the largest id, unless there is only one
 * initiator. It starts the announcement, so the leader learns the result from a winner message. A node decides when
 * it sets knows or done, whichever is first. The first node to know sets the flags done and leader of the model only
 * when winner returns: with one initiator it sets leader at 2n, although it decides at n.
 */

import { at, clockwise, initiatorFlags, largestInitiator, type Outcome } from '../../reference-outcome.ts';

export interface DolevKlaweRodehOutcome extends Outcome {
  /** Phases that began with more than one active node: E = n(2 * contested + 1). */
  contested: number;
  /** The position of the node that knew first and announced. */
  knower: number;
  /** The time of its decision. */
  knows: number;
}

/** The bound on E: 2n * floor(log2 k) + n for k initiators. */
export function dolevKlaweRodehBound(n: number, k: number = n): number {
  let log = 0;
  while (2 ** (log + 1) <= k) log++;
  return 2 * n * log + n;
}

/**
 * The whole outcome in closed form, phase by phase: a contested phase costs n one and n two messages; a node stays
 * active if its predecessor's id is larger than its own and its pre-predecessor's, when the latter's id has arrived.
 * The last active node sends its id once around the ring: n one messages.
 */
export function dolevKlaweRodehClosed(
  ids: readonly number[],
  initiators?: readonly number[],
): DolevKlaweRodehOutcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const leader = largestInitiator(ids, initiates);
  let active: { position: number; id: number; start: number }[] = [];
  for (let i = 0; i < n; i++)
    if (at(initiates, i) === 1) active.push({ position: i, id: at(ids, i), start: 0 });

  let contested = 0;
  while (active.length > 1) {
    contested++;
    const survivors: typeof active = [];
    for (let j = 0; j < active.length; j++) {
      const own = at(active, j);
      const before = at(active, (j - 1 + active.length) % active.length);
      const beforeThat = at(active, (j - 2 + active.length) % active.length);
      const distance =
        clockwise(n, beforeThat.position, before.position) + clockwise(n, before.position, own.position);
      if (before.id > own.id && before.id > beforeThat.id) {
        survivors.push({ position: own.position, id: before.id, start: beforeThat.start + distance });
      }
    }
    active = survivors;
  }
  const last = at(active, 0);
  const knows = last.start + n;
  const one = n * (contested + 1);
  const two = n * contested;
  return {
    leader,
    election: one + two,
    announcement: n,
    byType: { one, two, winner: n },
    electedAt: knows + clockwise(n, last.position, leader),
    agreedAt: knows + n - 1,
    announcementReturnedAt: knows + n,
    contested,
    knower: last.position,
    knows,
  };
}
