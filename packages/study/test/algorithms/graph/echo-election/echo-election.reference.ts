/**
 * Echo election with extinction on a connected graph.
 *
 * Each initiator starts an echo wave with its id. A node belongs to the strongest wave it has received: a stronger
 * explorer gives it a new wave and parent and is forwarded to all other neighbours, and the count of neighbours heard
 * from starts again. Weaker explorers and echoes are discarded. A node that has received its wave (by explorer or
 * echo) from all neighbours echoes to its parent; an initiator that has received its own wave from all neighbours
 * leads. The children of a node are the neighbours that echoed its wave to it.
 *
 * Several messages at the same time are handled in port order, so a node may join a wave, send its explorers, and
 * leave it at the same time: those explorers count.
 *
 * Announcement: along the tree, from parent to children (n - 1), or by a second echo wave, in which each node sends
 * to all neighbours except its new parent and then to that parent (2m). `ended` is the time when the last
 * announcement message arrived. A graph of one node sends nothing: the node leads at 0.
 */

import { at, initiatorFlags, latest, type Outcome } from '../../reference-outcome.ts';

export interface EchoOutcome extends Outcome {
  /** The time of the last announcement message; the time of the leader's decision if there was none. */
  ended: number;
}

interface Message {
  to: number;
  from: number;
  type: 'explorer' | 'echo' | 'elected';
  id: number;
}

interface Node {
  wave: number;
  parent: number;
  heard: number;
  children: number[];
  announcer: number;
  announcementsHeard: number;
}

/** The algorithm in lockstep, message by message. Neighbours are positions; ids must be above 0. */
export function echoElectionLockstep(
  neighbours: readonly (readonly number[])[],
  ids: readonly number[],
  initiators: readonly number[] | undefined,
  announce: 'tree' | 'echo',
): EchoOutcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const sent = { explorer: 0, echo: 0, elected: 0 };
  const knewAt = new Array<number>(n).fill(-1);
  const nodes: Node[] = ids.map(() => ({
    wave: 0,
    parent: -1,
    heard: 0,
    children: [],
    announcer: -1,
    announcementsHeard: 0,
  }));
  let leader = -1;
  let ended = 0;
  let flight: Message[] = [];
  const send = (from: number, to: number, type: Message['type'], id: number) => {
    sent[type]++;
    flight.push({ to, from, type, id });
  };
  const sendToOthers = (from: number, except: number, type: Message['type'], id: number) => {
    for (const other of [...at(neighbours, from)].sort((a, b) => a - b)) {
      if (other !== except) send(from, other, type, id);
    }
  };
  /** Echoes, or leads, once the node has received its wave from all neighbours. */
  const seeWhetherAllHeard = (position: number, now: number) => {
    const node = at(nodes, position);
    if (node.heard < at(neighbours, position).length) return;
    if (node.parent >= 0) {
      send(position, node.parent, 'echo', node.wave);
      return;
    }
    if (leader >= 0) throw new Error('two leaders');
    leader = position;
    knewAt[position] = now;
    ended = now;
    if (announce === 'tree') for (const child of node.children) send(position, child, 'elected', node.wave);
    else sendToOthers(position, -1, 'elected', node.wave);
  };

  for (let i = 0; i < n; i++) {
    if (at(initiates, i) === 0) continue;
    at(nodes, i).wave = at(ids, i);
    sendToOthers(i, -1, 'explorer', at(ids, i));
    seeWhetherAllHeard(i, 0);
  }

  for (let now = 1; flight.length > 0; now++) {
    const arriving = flight.sort((a, b) => a.to - b.to || a.from - b.from);
    flight = [];
    for (const { to: position, from, type, id } of arriving) {
      const node = at(nodes, position);
      if (type === 'elected') {
        ended = now;
        if (announce === 'tree') {
          knewAt[position] = now;
          for (const child of node.children) send(position, child, 'elected', id);
          continue;
        }
        node.announcementsHeard++;
        if (position !== leader && node.announcer < 0) {
          knewAt[position] = now;
          node.announcer = from;
          sendToOthers(position, from, 'elected', id);
        }
        if (position !== leader && node.announcementsHeard === at(neighbours, position).length) {
          send(position, node.announcer, 'elected', id);
        }
      } else if (id > node.wave) {
        if (type === 'echo') throw new Error('an echo of a wave that never came');
        node.wave = id;
        node.parent = from;
        node.heard = 1;
        node.children = [];
        sendToOthers(position, from, 'explorer', id);
        seeWhetherAllHeard(position, now);
      } else if (id === node.wave) {
        node.heard++;
        if (type === 'echo') node.children.push(from);
        seeWhetherAllHeard(position, now);
      }
    }
  }
  return {
    leader,
    election: sent.explorer + sent.echo,
    announcement: sent.elected,
    byType: sent,
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt: null,
    ended,
  };
}
