/**
 * The ring algorithm whose processes know the order of the ring, in lockstep: with a list of live processes
 * (Tanenbaum and van Steen), and with the largest id only (Shirali et al. 2008, section 3). Some may have crashed
 * before the start; all initiators start at 0.
 *
 * One message at a time: to the next place and, if no process answers there, T later to the place after it. The
 * announcement goes straight to the next live place, since the election took that path. A process accepts the
 * announcement of the largest announcer it has heard from, and decides when that announcement arrives.
 */
import { at, initiatorFlags, latest, type Outcome } from '../reference-outcome.ts';

interface Message {
  readonly due: number;
  readonly to: number;
  readonly type: 'election' | 'coordinator';
  /** Positions: of the initiator, and of the processes whose ids are in the message. */
  readonly from: number;
  readonly met: readonly number[];
}

export interface RingMapOptions {
  readonly initiators?: readonly number[];
  readonly dead?: readonly number[];
  readonly timeout?: number;
  /** An initiator discards the message of a smaller one. */
  readonly kills: boolean;
}

export function ringMapLockstep(
  ids: readonly number[],
  { initiators, dead = [], timeout = 2, kills }: RingMapOptions,
): Outcome {
  const n = ids.length;
  const isDead = initiatorFlags(n, dead.length > 0 ? dead : [0]);
  if (dead.length === 0) isDead.fill(0);
  const initiates = initiatorFlags(n, initiators);
  const sent = { election: 0, coordinator: 0 };
  const believes = new Array<number>(n).fill(-1);
  const named = new Array<number>(n).fill(-1);
  const knewAt = new Array<number>(n).fill(-1);
  const flight: Message[] = [];
  let announcementReturnedAt = -1;

  const largestOf = (positions: readonly number[]): number =>
    positions.reduce((best, position) => (at(ids, position) > at(ids, best) ? position : best));

  const elect = (now: number, node: number, from: number, met: readonly number[]): void => {
    let due = now;
    let to = (node + 1) % n;
    for (; at(isDead, to) === 1; to = (to + 1) % n) {
      sent.election++;
      due += timeout;
    }
    sent.election++;
    flight.push({ due: due + 1, to, type: 'election', from, met });
  };

  const tell = (now: number, node: number, from: number, leader: number): void => {
    let to = (node + 1) % n;
    while (at(isDead, to) === 1) to = (to + 1) % n;
    sent.coordinator++;
    flight.push({ due: now + 1, to, type: 'coordinator', from, met: [leader] });
  };

  const believe = (now: number, node: number, from: number, leader: number): void => {
    if (at(believes, node) >= at(ids, from)) return;
    believes[node] = at(ids, from);
    named[node] = leader;
    knewAt[node] = now;
  };

  for (let i = 0; i < n; i++) if (at(initiates, i) === 1 && at(isDead, i) === 0) elect(0, i, i, [i]);

  while (flight.length > 0) {
    let first = 0;
    for (let k = 1; k < flight.length; k++) if (at(flight, k).due < at(flight, first).due) first = k;
    const [{ due, to: node, type, from, met }] = flight.splice(first, 1) as [Message];
    if (type === 'election') {
      if (node === from) {
        const leader = largestOf(met);
        believe(due, node, from, leader);
        tell(due, node, from, leader);
      } else if (!kills || at(initiates, node) === 0 || at(ids, from) > at(ids, node)) {
        elect(due, node, from, [...met, node]);
      }
    } else if (node === from) {
      announcementReturnedAt = Math.max(announcementReturnedAt, due);
    } else {
      believe(due, node, from, at(met, 0));
      tell(due, node, from, at(met, 0));
    }
  }

  const live = knewAt.filter((_, position) => at(isDead, position) === 0);
  const leaders = new Set(named.filter((_, position) => at(isDead, position) === 0));
  if (leaders.size !== 1) throw new Error('the live do not agree');
  const [leader = -1] = leaders;
  return {
    leader,
    election: sent.election,
    announcement: sent.coordinator,
    byType: sent,
    electedAt: at(knewAt, leader),
    agreedAt: latest(live),
    announcementReturnedAt,
  };
}
