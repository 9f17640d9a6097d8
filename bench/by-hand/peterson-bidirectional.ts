/**
 * Peterson on a bidirectional ring, by hand, in lockstep. Each direction has its own list of messages. All clockwise messages
 * of a round are delivered first: each node then receives those from its previous node before those from its next one.
 */
import { FOLLOWER, type HandResult, LEADER } from './result.ts';

const ACTIVE = 0;
const PASSIVE = 1;
const WON = 2;
const NONE = -1;
const PREVIOUS = 0;
const NEXT = 1;

export function petersonBidirectional(ids: Int32Array): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const leaders = new Int32Array(n);
  const times = new Float64Array(n);
  const is = new Uint8Array(n);
  /** The port of the first id of this phase, whether it was larger, and a further id that waits there. */
  const side = new Int8Array(n).fill(NONE);
  const beaten = new Uint8Array(n);
  const waiting = new Int32Array(n).fill(NONE);
  /** By direction: receivers and ids of this round and the next. At most one id per link is sent in a phase, and one waits. */
  let to = [new Int32Array(2 * n), new Int32Array(2 * n)];
  let carried = [new Int32Array(2 * n), new Int32Array(2 * n)];
  let nextTo = [new Int32Array(2 * n), new Int32Array(2 * n)];
  let nextCarried = [new Int32Array(2 * n), new Int32Array(2 * n)];
  const sent = [0, 0];
  let sentIds = 0;
  let now = 0;
  let leader = NONE;
  let agreedAt = 0;

  /** Port NEXT sends clockwise, so the message arrives at port PREVIOUS. */
  function send(at: number, port: number, id: number): void {
    const direction = 1 - port;
    const place = sent[direction]++;
    nextTo[direction][place] = port === NEXT ? (at + 1 === n ? 0 : at + 1) : at === 0 ? n - 1 : at - 1;
    nextCarried[direction][place] = id;
    sentIds++;
  }

  function receive(at: number, port: number, id: number): void {
    if (is[at] === PASSIVE) {
      send(at, 1 - port, id);
      return;
    }
    if (is[at] === WON) return;
    const own = ids[at];
    if (id === own) {
      is[at] = WON;
      leader = at;
      roles[at] = LEADER;
      leaders[at] = own;
      times[at] = now;
      agreedAt = now;
    } else if (side[at] === NONE) {
      side[at] = port;
      beaten[at] = id > own ? 1 : 0;
    } else if (side[at] === port) {
      waiting[at] = id;
    } else if (beaten[at] === 1 || id > own) {
      if (waiting[at] !== NONE) send(at, 1 - side[at], waiting[at]);
      is[at] = PASSIVE;
    } else {
      const first = waiting[at];
      if (first === NONE) side[at] = NONE;
      beaten[at] = first > own ? 1 : 0;
      waiting[at] = NONE;
      send(at, PREVIOUS, own);
      send(at, NEXT, own);
    }
  }

  for (let at = 0; at < n; at++) {
    is[at] = ACTIVE;
    send(at, PREVIOUS, ids[at]);
    send(at, NEXT, ids[at]);
  }
  let announcedAt = NONE;
  let elected = 0;
  while (sent[0] + sent[1] > 0 || announcedAt >= 0) {
    [to, nextTo] = [nextTo, to];
    [carried, nextCarried] = [nextCarried, carried];
    const arriving = [sent[0], sent[1]];
    sent[0] = 0;
    sent[1] = 0;
    now++;
    const announced = announcedAt;
    announcedAt = NONE;
    for (let direction = 0; direction < 2; direction++) {
      const receivers = to[direction];
      const values = carried[direction];
      for (let k = 0; k < arriving[direction]; k++) {
        const before = leader;
        receive(receivers[k], direction, values[k]);
        if (leader !== before) {
          announcedAt = leader;
          elected++;
        }
      }
    }
    if (announced === NONE) continue;
    const at = announced + 1 === n ? 0 : announced + 1;
    if (at === leader) continue;
    roles[at] = FOLLOWER;
    leaders[at] = ids[leader];
    times[at] = now;
    agreedAt = now;
    announcedAt = at;
    elected++;
  }
  return { byType: { id: sentIds, elected }, leader, agreedAt };
}
