/** The election on trees, by hand, in lockstep. The neighbour that has not sent its maximum is the exclusive or of the rest. */
import { doubled, FOLLOWER, type HandResult, LEADER, type Links } from './result.ts';

const EXPLOSION = 0;
const CONTRACTION = 1;
const INFORMATION = 2;
const ASLEEP = -1;
/** Receiver, sender, kind, maximum. */
const WIDTH = 4;

export function treeElection(ids: Int32Array, { offsets, neighbours }: Links): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const leaders = new Int32Array(n);
  const times = new Float64Array(n);
  const maximum = new Int32Array(n).fill(ASLEEP);
  const awaited = new Int32Array(n);
  const last = new Int32Array(n);
  const counts = [0, 0, 0];
  let arriving = new Int32Array(4 * n * WIDTH);
  let sent = new Int32Array(4 * n * WIDTH);
  let end = 0;
  let now = 0;
  let leader = -1;
  let agreedAt = 0;

  function send(from: number, to: number, kind: number, value: number): void {
    if (end === sent.length) sent = doubled(sent);
    sent[end] = to;
    sent[end + 1] = from;
    sent[end + 2] = kind;
    sent[end + 3] = value;
    end += WIDTH;
    counts[kind]++;
  }

  function wake(at: number, from: number): void {
    maximum[at] = ids[at];
    awaited[at] = offsets[at + 1] - offsets[at];
    let rest = 0;
    for (let link = offsets[at]; link < offsets[at + 1]; link++) {
      const to = neighbours[link];
      rest ^= to;
      if (to !== from) send(at, to, EXPLOSION, 0);
    }
    last[at] = rest;
    if (awaited[at] === 1) send(at, rest, CONTRACTION, maximum[at]);
  }

  function inform(at: number, from: number, largest: number): void {
    roles[at] = largest === ids[at] ? LEADER : FOLLOWER;
    if (largest === ids[at]) leader = at;
    leaders[at] = largest;
    times[at] = now;
    agreedAt = now;
    for (let link = offsets[at]; link < offsets[at + 1]; link++) {
      const to = neighbours[link];
      if (to !== from) send(at, to, INFORMATION, largest);
    }
  }

  for (let at = 0; at < n; at++) wake(at, -1);
  while (end > 0) {
    [arriving, sent] = [sent, arriving];
    const length = end;
    end = 0;
    now++;
    for (let k = 0; k < length; k += WIDTH) {
      const at = arriving[k];
      const from = arriving[k + 1];
      const kind = arriving[k + 2];
      if (kind === INFORMATION) {
        inform(at, from, arriving[k + 3]);
        continue;
      }
      if (maximum[at] === ASLEEP) wake(at, from);
      if (kind === EXPLOSION) continue;
      if (arriving[k + 3] > maximum[at]) maximum[at] = arriving[k + 3];
      last[at] ^= from;
      const left = --awaited[at];
      if (left === 0) inform(at, from, maximum[at]);
      else if (left === 1) send(at, last[at], CONTRACTION, maximum[at]);
    }
  }
  const [explosion, contraction, information] = counts;
  return { byType: { explosion, contraction, information }, leader, agreedAt };
}
