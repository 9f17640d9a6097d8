/**
 * Flooding the largest id on a connected graph, in lockstep, with one computation of Dijkstra and Scholten for each
 * initiator's wave, kept apart to its end: a node remembers for every wave that it was ever in who brought it there
 * and how many signals of it are missing, and answers that one when none is, however many larger ids it has met since.
 * A wave is thus known to be over by its initiator, who has won if it has met no larger id by then.
 *
 * Word of the winner is flooded too: each node passes it on to all neighbours but the one it came from.
 */

import { at, initiatorFlags, latest, type Outcome } from '../../reference-outcome.ts';
import { diameter, type Neighbours } from '../graph.ts';

interface Message {
  to: number;
  from: number;
  type: 'flood' | 'signal' | 'elected';
  id: number;
}

interface Engagement {
  parent: number;
  missing: number;
}

/** Message by message. Neighbours are positions, each list in rising order; ids must be above 0. */
export function floodMaxLockstep(
  neighbours: Neighbours,
  ids: readonly number[],
  initiators?: readonly number[],
): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const sent = { flood: 0, signal: 0, elected: 0 };
  const knewAt = new Array<number>(n).fill(-1);
  const largest = new Array<number>(n).fill(0);
  const engagements = ids.map(() => new Map<number, Engagement>());
  let leader = -1;
  let flight: Message[] = [];
  const send = (from: number, to: number, type: Message['type'], id: number) => {
    sent[type]++;
    flight.push({ to, from, type, id });
  };
  const sendToOthers = (from: number, except: number, type: Message['type'], id: number) => {
    for (const other of at(neighbours, from)) if (other !== except) send(from, other, type, id);
  };
  /** Joins a wave; the initiator of it has no parent. */
  const join = (position: number, parent: number, id: number, now: number) => {
    largest[position] = id;
    const missing = at(neighbours, position).length - (parent < 0 ? 0 : 1);
    at(engagements, position).set(id, { parent, missing });
    sendToOthers(position, parent, 'flood', id);
    seeWhetherOver(position, id, now);
  };
  const seeWhetherOver = (position: number, id: number, now: number) => {
    const engagement = at(engagements, position).get(id);
    if (engagement === undefined) throw new Error('a signal that nobody waits for');
    if (engagement.missing > 0) return;
    if (engagement.parent >= 0) {
      send(position, engagement.parent, 'signal', id);
    } else if (at(largest, position) === id) {
      if (leader >= 0) throw new Error('two leaders');
      leader = position;
      knewAt[position] = now;
      sendToOthers(position, -1, 'elected', id);
    }
  };

  for (let i = 0; i < n; i++) if (at(initiates, i) === 1) join(i, -1, at(ids, i), 0);

  for (let now = 1; flight.length > 0; now++) {
    const arriving = flight.sort((a, b) => a.to - b.to || a.from - b.from);
    flight = [];
    for (const { to: position, from, type, id } of arriving) {
      if (type === 'flood') {
        if (id > at(largest, position)) join(position, from, id, now);
        else send(position, from, 'signal', id);
      } else if (type === 'signal') {
        const engagement = at(engagements, position).get(id);
        if (engagement !== undefined) engagement.missing--;
        seeWhetherOver(position, id, now);
      } else if (at(knewAt, position) < 0) {
        knewAt[position] = now;
        sendToOthers(position, from, 'elected', id);
      }
    }
  }
  return {
    leader,
    election: sent.flood + sent.signal,
    announcement: sent.elected,
    byType: sent,
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt: null,
  };
}

/** In rounds nobody signals or announces: the floods of all ids, and all know when D rounds are over. */
export function floodMaxRounds(neighbours: Neighbours, ids: readonly number[]): Outcome {
  const { leader, byType } = floodMaxLockstep(neighbours, ids);
  const D = diameter(neighbours);
  const flood = byType.flood ?? 0;
  return {
    leader,
    election: flood,
    announcement: 0,
    byType: { flood },
    electedAt: D,
    agreedAt: D,
    announcementReturnedAt: null,
  };
}
