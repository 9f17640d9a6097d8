/**
 * Peterson 1982 on a bidirectional FIFO ring (Karnapke, slides 26 to 32): an active node has one queue per side and
 * waits until both contain an id.
 *
 * - n = 1: both links lead to the node itself. Both ids return at time 1; the first makes it the leader, the second
 * is discarded: E = 2.
 * - n = 2: each node receives the other's id over both links, so one phase decides; the larger needs a second phase
 * to receive its own id: E = 8.
 * - The phases of active nodes may overlap: a node that loses may find the id of the next phase in a queue before it
 * has both of this one. It forwards that id when it becomes passive.
 */

import { at, initiatorFlags, latest, type Outcome } from '../../reference-outcome.ts';

/** The number of phases, including the last one, in which the winner is the only active node. */
export function petersonPhases(ids: readonly number[], initiators?: readonly number[]): number {
  const initiates = initiatorFlags(ids.length, initiators);
  let active = ids.filter((_, i) => at(initiates, i) === 1);
  let phases = 1;
  while (active.length > 1) {
    const round = active;
    active = round.filter((id, j) => {
      const before = at(round, (j + round.length - 1) % round.length);
      const after = at(round, (j + 1) % round.length);
      return id > before && id > after;
    });
    phases++;
  }
  return phases;
}

/** The algorithm in lockstep, message by message. With eager a node becomes passive at the first larger id. */
export function petersonBidirectionalLockstep(
  ids: readonly number[],
  initiators?: readonly number[],
  eager = false,
): Outcome {
  const n = ids.length;
  const active = initiatorFlags(n, initiators);
  const queues = ids.map((): [number[], number[]] => [[], []]);
  const knewAt = new Array<number>(n).fill(-1);
  const sent = { id: 0, elected: 0 };
  let leader = -1;
  let announcementReturnedAt = -1;
  let word = -1;
  /** Messages in flight to each position, by port. */
  let flight: [number[], number[]][] = [];
  const empty = () => ids.map((): [number[], number[]] => [[], []]);
  const send = (from: number, port: 0 | 1, id: number) => {
    sent.id++;
    const to = port === 1 ? (from + 1) % n : (from + n - 1) % n;
    at(flight, to)[port === 1 ? 0 : 1].push(id);
  };
  const sendBoth = (i: number) => {
    send(i, 0, at(ids, i));
    send(i, 1, at(ids, i));
  };
  const look = (i: number, now: number) => {
    const [left, right] = at(queues, i);
    while (at(active, i) === 1 && leader !== i) {
      if ([...left, ...right].includes(at(ids, i))) {
        if (leader >= 0) throw new Error('two leaders');
        leader = i;
        knewAt[i] = now;
        sent.elected++;
      } else if (eager && [...left, ...right].some((id) => id > at(ids, i))) {
        // The last id that arrived is larger; the first ids in the queues were compared before it.
        active[i] = 0;
        const queue = (left.at(-1) ?? -1) > at(ids, i) ? left : right;
        queue.pop();
        left.shift();
        right.shift();
      } else if (left.length > 0 && right.length > 0) {
        const larger = Math.max(left.shift() ?? -1, right.shift() ?? -1) > at(ids, i);
        if (larger) active[i] = 0;
        else sendBoth(i);
      } else return;
    }
    if (leader === i) {
      left.length = 0;
      right.length = 0;
    }
    for (const id of left.splice(0)) send(i, 1, id);
    for (const id of right.splice(0)) send(i, 0, id);
  };
  flight = empty();
  for (let i = 0; i < n; i++) if (at(active, i) === 1) sendBoth(i);
  for (let now = 1; flight.some(([left, right]) => left.length + right.length > 0) || word >= 0; now++) {
    const arriving = flight;
    const heard = word;
    flight = empty();
    word = -1;
    for (let i = 0; i < n; i++) {
      for (const port of [0, 1] as const) {
        for (const id of at(arriving, i)[port]) {
          at(queues, i)[port].push(id);
          const led = leader;
          look(i, now);
          if (leader !== led) word = (i + 1) % n;
        }
      }
    }
    if (heard < 0) continue;
    if (heard === leader) {
      announcementReturnedAt = now;
      continue;
    }
    knewAt[heard] = now;
    sent.elected++;
    word = (heard + 1) % n;
  }
  return {
    leader,
    election: sent.id,
    announcement: sent.elected,
    byType: sent,
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt,
  };
}
