/**
 * Hirschberg and Sinclair 1980: in phase i = 0, 1, 2, ... a candidate probes 2^i nodes on both sides.
 *
 * A stronger initiator discards a probe; the node at hop 2^i replies; a candidate with both replies begins the next
 * phase; a candidate that receives its own probe leads. A node that does not initiate is never stronger. The
 * announcement travels clockwise around the ring.
 *
 * Small rings:
 * - A node must test "is it my own probe?" before "is this the last hop?". Both hold at the same time whenever n is a
 * power of two, since a probe of the last phase then travels n hops; a node that replied to itself would never stop.
 * - n = 1: both links lead to the node itself. Both probes of phase 0 are sent and return at time 1: E = 2 (two
 * probes, no reply), A = 1, returned at 2. The law n + 2 * 2^ceil(log2 n) - 2 gives 1, so it holds at n = 1 too.
 * - n = 2: both probes reach the other node at the same time, by different ports; each is answered through the port
 * it came by. So replies must be counted by direction, and two replies from one node are two replies. Phase 0 takes
 * two units, and phase 1 has 2 = n hops: the leader decides at 4. E is 8 + 2 if both initiate: 4 probes and 2 replies
 * in phase 0, 4 probes in phase 1.
 * - n = 3: in phase 1 (2 hops) the probe to the right ends at the left neighbour and vice versa; its reply must
 * travel back along the same path, not the shorter one. Phase 2 (4 > 3 hops) ends at hop 3, at the sender.
 * - For every n both last probes return at the same time. The one by port 0 makes the node the leader, the other is
 * discarded, and neither is forwarded: the last phase costs 2n probes.
 *
 * With veto, the node that discards a probe sends a veto back along its path: as many messages as the probe took.
 *
 * By phase (Karnapke, slide 25), a probe is compared with the pair (phase, id) of the initiator that it meets. An
 * initiator that forwards a stronger pair becomes passive: it begins no further phase and keeps its pair. In lockstep
 * all candidates are in the same phase, so the largest wins; but a probe may travel further than with compare=id,
 * since a large id that lost early keeps a low phase.
 */

import { at, initiatorFlags, largestInitiator, latest, type Outcome } from '../../reference-outcome.ts';

/** The smallest whole L with 2^L >= n. */
export function ceilLog2(n: number): number {
  let log = 0;
  while (2 ** log < n) log++;
  return log;
}

/** Hops from each initiator to the next greater initiator in one direction (+1 or -1); n for the largest. */
function hopsToGreater(ids: readonly number[], initiates: Uint8Array, way: 1 | -1): number[] {
  const n = ids.length;
  const hops = new Array<number>(n).fill(n);
  for (let i = 0; i < n; i++) {
    for (let h = 1; h < n; h++) {
      const other = (i + way * h + n) % n;
      if (at(initiates, other) === 1 && at(ids, other) > at(ids, i)) {
        hops[i] = h;
        break;
      }
    }
  }
  return hops;
}

/**
 * The whole outcome in closed form. A candidate whose nearest greater initiators are r hops to the right and l to the
 * left (n and n for the largest) takes part in phase i while 2^j < min(l, r) for all j < i. In a phase each side
 * costs 2^i probes and 2^i replies if 2^i is less than the distance, and otherwise that distance in probes.
 */
export function hirschbergSinclairClosed(
  ids: readonly number[],
  initiators?: readonly number[],
  vetoes = false,
): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const right = hopsToGreater(ids, initiates, 1);
  const left = hopsToGreater(ids, initiates, -1);
  let probe = 0;
  let reply = 0;
  let veto = 0;
  for (let i = 0; i < n; i++) {
    if (at(initiates, i) === 0) continue;
    let unbeaten = true;
    for (let reach = 1; unbeaten; reach *= 2) {
      for (const distance of [at(left, i), at(right, i)]) {
        if (reach < distance) {
          probe += reach;
          reply += reach;
        } else {
          probe += distance;
          if (vetoes && distance < n) veto += distance;
          unbeaten = false;
        }
      }
    }
  }
  const electedAt = hirschbergSinclairTime(n);
  return {
    leader: largestInitiator(ids, initiates),
    election: probe + reply + veto,
    announcement: n,
    byType: { probe, reply, veto, elected: n },
    electedAt,
    agreedAt: electedAt + n - 1,
    announcementReturnedAt: electedAt + n,
  };
}

/** The time of the leader's decision, for every order and all initiators: n + 2 * 2^ceil(log2 n) - 2. */
function hirschbergSinclairTime(n: number): number {
  return n + 2 * 2 ** ceilLog2(n) - 2;
}

/** The source's bound on E: 8n + 8n * ceil(log2 n). */
export function hirschbergSinclairBound(n: number): number {
  return 8 * n + 8 * n * ceilLog2(n);
}

interface Message {
  to: number;
  /** The port at the receiver: 0 from position to - 1, 1 from position to + 1. */
  port: 0 | 1;
  type: 'probe' | 'reply' | 'veto' | 'elected';
  id: number;
  reach: number;
  hops: number;
}

export interface Rules {
  readonly vetoes?: boolean;
  readonly byPhase?: boolean;
}

/** The algorithm in lockstep, message by message. */
export function hirschbergSinclairLockstep(
  ids: readonly number[],
  initiators?: readonly number[],
  { vetoes = false, byPhase = false }: Rules = {},
): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const sent = { probe: 0, reply: 0, veto: 0, elected: 0 };
  const knewAt = new Array<number>(n).fill(-1);
  const replies = new Array<number>(n).fill(0);
  const reached = new Array<number>(n).fill(1);
  const passive = new Array<boolean>(n).fill(false);
  let leader = -1;
  let announcementReturnedAt = -1;
  let flight: Message[] = [];
  /**
   * Sends by a port of the sender: 1 is clockwise and arrives by port 0; 0 is counterclockwise and arrives by port 1.
   */
  const send = (
    from: number,
    port: 0 | 1,
    type: Message['type'],
    id: number,
    reach: number,
    hops: number,
  ) => {
    sent[type]++;
    if (port === 1) flight.push({ to: (from + 1) % n, port: 0, type, id, reach, hops });
    else flight.push({ to: (from - 1 + n) % n, port: 1, type, id, reach, hops });
  };
  const isStronger = (node: number, id: number, reach: number) => {
    if (at(initiates, node) === 0) return false;
    if (byPhase && at(reached, node) !== reach) return at(reached, node) > reach;
    return at(ids, node) > id;
  };
  const probeBothWays = (node: number, reach: number) => {
    replies[node] = 0;
    reached[node] = reach;
    send(node, 0, 'probe', at(ids, node), reach, 1);
    send(node, 1, 'probe', at(ids, node), reach, 1);
  };

  for (let i = 0; i < n; i++) if (at(initiates, i) === 1) probeBothWays(i, 1);

  for (let now = 1; flight.length > 0; now++) {
    const arriving = flight.sort((a, b) => a.to - b.to || a.port - b.port);
    flight = [];
    for (const { to: node, port, type, id, reach, hops } of arriving) {
      const onward = port === 0 ? 1 : 0;
      if (type === 'probe') {
        if (id === at(ids, node)) {
          if (leader < 0) {
            leader = node;
            knewAt[node] = now;
            send(node, 1, 'elected', id, 0, 0);
          } else if (leader !== node) {
            throw new Error('two leaders');
          }
        } else if (isStronger(node, id, reach)) {
          if (vetoes) send(node, port, 'veto', id, reach, 0);
        } else {
          if (byPhase) passive[node] = true;
          if (hops < reach) send(node, onward, 'probe', id, reach, hops + 1);
          else send(node, port, 'reply', id, reach, 0);
        }
      } else if (type === 'reply' || type === 'veto') {
        if (id !== at(ids, node)) {
          send(node, onward, type, id, reach, 0);
        } else if (type === 'reply') {
          replies[node] = at(replies, node) + 1;
          if (at(replies, node) === 2 && !at(passive, node)) probeBothWays(node, reach * 2);
        }
      } else if (node === leader) {
        announcementReturnedAt = now;
      } else {
        knewAt[node] = now;
        send(node, 1, 'elected', id, 0, 0);
      }
    }
  }
  return {
    leader,
    election: sent.probe + sent.reply + sent.veto,
    announcement: sent.elected,
    byType: sent,
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt,
  };
}
