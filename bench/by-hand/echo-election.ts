/**
 * The echo election with extinction, by hand, in lockstep. Nodes are handled in the order of their positions, so the messages
 * of a node are in the order of its neighbours when they were sent in that order: a list per receiver is enough.
 */
import { doubled, FOLLOWER, type HandResult, LEADER, type Links } from './result.ts';

const EXPLORER = 0;
const ECHO = 1;
const ELECTED = 2;
const NONE = -1;
/** The port of the receiver, the kind, the id, and the next message of the same receiver. */
const WIDTH = 4;

/** `backs` is the port of each link at its other end. */
export function echoElection(ids: Int32Array, { offsets, neighbours }: Links, backs: Int32Array): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const leaders = new Int32Array(n);
  const times = new Float64Array(n);
  const wave = new Int32Array(n).fill(NONE);
  const parent = new Int32Array(n).fill(NONE);
  const heard = new Int32Array(n);
  /** By link: the wave whose echo came over it. */
  const echoed = new Int32Array(neighbours.length).fill(NONE);
  const counts = [0, 0, 0];
  let first = new Int32Array(n).fill(NONE);
  let last = new Int32Array(n);
  let nextFirst = new Int32Array(n).fill(NONE);
  let nextLast = new Int32Array(n);
  let arriving = new Int32Array(neighbours.length * WIDTH);
  let sent = new Int32Array(neighbours.length * WIDTH);
  let end = 0;
  let now = 0;
  let leader = NONE;
  let agreedAt = 0;

  function send(at: number, port: number, kind: number, id: number): void {
    const link = offsets[at] + port;
    const to = neighbours[link];
    if (end === sent.length) sent = doubled(sent);
    sent[end] = backs[link];
    sent[end + 1] = kind;
    sent[end + 2] = id;
    sent[end + 3] = NONE;
    if (nextFirst[to] === NONE) nextFirst[to] = end;
    else sent[nextLast[to] + 3] = end;
    nextLast[to] = end;
    end += WIDTH;
    counts[kind]++;
  }

  function sendToOthers(at: number, from: number, kind: number, id: number): void {
    const degree = offsets[at + 1] - offsets[at];
    for (let port = 0; port < degree; port++) if (port !== from) send(at, port, kind, id);
  }

  function sendToChildren(at: number, id: number): void {
    const degree = offsets[at + 1] - offsets[at];
    for (let port = 0; port < degree; port++) {
      if (echoed[offsets[at] + port] === id) send(at, port, ELECTED, id);
    }
  }

  function decide(at: number, role: number, id: number): void {
    roles[at] = role;
    leaders[at] = id;
    times[at] = now;
    agreedAt = now;
  }

  function count(at: number): void {
    if (++heard[at] < offsets[at + 1] - offsets[at]) return;
    heard[at] = 0;
    if (parent[at] === NONE) {
      leader = at;
      decide(at, LEADER, ids[at]);
      sendToChildren(at, ids[at]);
    } else send(at, parent[at], ECHO, wave[at]);
  }

  for (let at = 0; at < n; at++) {
    wave[at] = ids[at];
    sendToOthers(at, NONE, EXPLORER, ids[at]);
  }
  while (end > 0) {
    [arriving, sent] = [sent, arriving];
    [first, nextFirst] = [nextFirst, first];
    [last, nextLast] = [nextLast, last];
    end = 0;
    now++;
    for (let at = 0; at < n; at++) {
      let k = first[at];
      first[at] = NONE;
      while (k !== NONE) {
        const port = arriving[k];
        const kind = arriving[k + 1];
        const id = arriving[k + 2];
        k = arriving[k + 3];
        if (kind === ELECTED) {
          decide(at, FOLLOWER, id);
          sendToChildren(at, id);
        } else if (kind === ECHO) {
          if (id !== wave[at]) continue;
          echoed[offsets[at] + port] = id;
          count(at);
        } else if (id >= wave[at]) {
          if (id > wave[at]) {
            wave[at] = id;
            parent[at] = port;
            heard[at] = 0;
            sendToOthers(at, port, EXPLORER, id);
          }
          count(at);
        }
      }
    }
  }
  const [explorer, echo, elected] = counts;
  return { byType: { explorer, echo, elected }, leader, agreedAt };
}
