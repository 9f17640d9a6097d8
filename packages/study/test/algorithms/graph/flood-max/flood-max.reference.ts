/**
 * Flooding the largest id on a connected graph, in lockstep, with one Dijkstra–Scholten computation for each
 * initiator's wave, kept separately until it ends: for every wave that it was ever in, a node remembers its parent
 * and the number of missing signals, and sends the signal to the parent when none is missing, even if it has received
 * larger ids since. So the initiator of a wave learns when it is over, and wins if it has received no larger id by
 * then.
 *
 * The announcement is flooded too: each node forwards it to all neighbours except the sender.
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

/** Message by message. Neighbours are positions, each list in ascending order; ids must be above 0. */
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
  /** Joins a wave; its initiator has no parent. */
  const join = (position: number, parent: number, id: number, now: number) => {
    largest[position] = id;
    const missing = at(neighbours, position).length - (parent < 0 ? 0 : 1);
    at(engagements, position).set(id, { parent, missing });
    sendToOthers(position, parent, 'flood', id);
    seeWhetherOver(position, id, now);
  };
  const seeWhetherOver = (position: number, id: number, now: number) => {
    const engagement = at(engagements, position).get(id);
    if (engagement === undefined) throw new Error('a signal that no node waits for');
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

/**
 * In a synchronous network there are no signals and no announcement: only the floods of all ids, and all nodes decide
 * after D rounds.
 */
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
