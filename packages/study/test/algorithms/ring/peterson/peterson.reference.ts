/**
 * Peterson 1982 on a unidirectional FIFO ring, with the correction that the source makes for n = 2.
 *
 * An active node sends its temporary id s, receives v, sends max(s, v), receives p, and continues with s := v if v >=
 * max(p, s); otherwise it becomes a relay. A node that receives its own (original) id leads and announces, so the
 * largest initiator always leads. A node that does not initiate is a relay from the start.
 *
 * How the leader receives its id: as v only if it is the only initiator (so at n = 1); as p only if there are two
 * initiators (so at n = 2); otherwise as a relay, which it has been since the first phase. The leader discards all
 * later messages, so messages behind the one that made it the leader count up to there.
 *
 * As first printed the source sends v instead of max(s, v) and tests v > max(p, s). Then, in a phase that begins with
 * exactly two active nodes, the holder of the largest id forwards the other id to its own node, which becomes a
 * second leader. So the correction is not for n = 2 alone: the ring 4 1 3 2 is the next smallest.
 */

import {
  at,
  clockwise,
  initiatorFlags,
  largestInitiator,
  latest,
  type Outcome,
} from '../../reference-outcome.ts';

export interface PetersonOutcome extends Outcome {
  /** Phases that began with more than one active node. */
  contested: number;
}

/**
 * The whole outcome in closed form, phase by phase.
 *
 * The active nodes of a phase are given by position, temporary id and the time at which they began it. Both messages
 * of a node travel to the next active node, so a phase costs 2n. A node stays active if its predecessor's id is
 * larger than its own and its pre-predecessor's; it does so when the pre-predecessor's id has arrived: at that node's
 * start plus the distance. Let m be the largest initiator, h the holder of its id in the last contested phase and g
 * the next active node. The id then travels from g to m, where it ends. If h and g were the only two, g's second
 * message carries it too, reaches m first, and does not travel on from m to h.
 */
export function petersonClosed(ids: readonly number[], initiators?: readonly number[]): PetersonOutcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const leader = largestInitiator(ids, initiates);
  const largestId = at(ids, leader);
  let active: { position: number; id: number; start: number }[] = [];
  for (let i = 0; i < n; i++)
    if (at(initiates, i) === 1) active.push({ position: i, id: at(ids, i), start: 0 });

  let contested = 0;
  let election = 0;
  let electedAt = n;
  while (active.length > 1) {
    contested++;
    election += 2 * n;
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
    if (survivors.length === 1) {
      const g = at(survivors, 0);
      const toLeader = clockwise(n, g.position, leader);
      electedAt = g.start + toLeader;
      election += toLeader;
      if (active.length === 2) {
        const h = active.find((node) => node.id === largestId);
        if (h === undefined) throw new Error('the largest id was lost');
        electedAt = h.start + clockwise(n, h.position, g.position) + toLeader;
        election -= clockwise(n, leader, h.position);
      }
    }
    active = survivors;
  }
  if (contested === 0) election = n;
  return {
    leader,
    election,
    announcement: n,
    byType: { id: election, elected: n },
    electedAt,
    agreedAt: electedAt + n - 1,
    announcementReturnedAt: electedAt + n,
    contested,
  };
}

interface Message {
  to: number;
  type: 'id' | 'elected';
  id: number;
}

interface Node {
  state: 'takes v' | 'takes p' | 'relay' | 'leader' | 'told';
  s: number;
  v: number;
  phases: number;
}

/** The algorithm in lockstep, message by message; throws if two nodes lead. */
export function petersonLockstep(
  ids: readonly number[],
  initiators?: readonly number[],
  asFirstPrinted = false,
): PetersonOutcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const sent = { id: 0, elected: 0 };
  const knewAt = new Array<number>(n).fill(-1);
  const nodes: Node[] = ids.map((id) => ({ state: 'relay', s: id, v: 0, phases: 0 }));
  let leader = -1;
  let announcementReturnedAt = -1;
  let flight: Message[] = [];
  const send = (from: number, type: Message['type'], id: number) => {
    sent[type]++;
    flight.push({ to: (from + 1) % n, type, id });
  };
  const lead = (position: number, now: number) => {
    if (leader >= 0) throw new Error('two leaders');
    leader = position;
    at(nodes, position).state = 'leader';
    knewAt[position] = now;
    send(position, 'elected', at(ids, position));
  };

  for (let i = 0; i < n; i++) {
    if (at(initiates, i) === 0) continue;
    at(nodes, i).state = 'takes v';
    send(i, 'id', at(ids, i));
  }

  for (let now = 1; flight.length > 0; now++) {
    const arriving = flight;
    flight = [];
    for (const { to: position, type, id } of arriving) {
      const node = at(nodes, position);
      const own = at(ids, position);
      if (type === 'elected') {
        if (node.state === 'leader') {
          announcementReturnedAt = now;
        } else {
          node.state = 'told';
          knewAt[position] = now;
          send(position, 'elected', id);
        }
      } else if (node.state === 'takes v') {
        if (id === own) {
          lead(position, now);
        } else {
          node.v = id;
          send(position, 'id', asFirstPrinted ? node.v : Math.max(node.s, node.v));
          node.state = 'takes p';
        }
      } else if (node.state === 'takes p') {
        node.phases++;
        if (id === own) {
          lead(position, now);
        } else if (asFirstPrinted ? node.v > Math.max(id, node.s) : node.v >= Math.max(id, node.s)) {
          node.s = node.v;
          send(position, 'id', node.s);
          node.state = 'takes v';
        } else {
          node.state = 'relay';
        }
      } else if (node.state === 'relay') {
        if (id === own) lead(position, now);
        else send(position, 'id', id);
      } else if (node.state === 'told') {
        throw new Error('an id came behind the announcement');
      }
    }
  }
  return {
    leader,
    election: sent.id,
    announcement: sent.elected,
    byType: sent,
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt,
    contested: Math.max(...nodes.map((node) => node.phases)),
  };
}
