/** Time slices on a one-way ring, by hand: the earliest timer fires, and its announcement stops the others. */
import { FOLLOWER, type HandResult, LEADER } from './result.ts';

const STOPPED = -1;

export function timeSlice(ids: Int32Array): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const leaders = new Int32Array(n);
  const times = new Float64Array(n);
  const due = new Float64Array(n);
  for (let at = 0; at < n; at++) due[at] = ids[at] * n;
  let elected = 0;
  let leader = -1;
  let now = 0;
  for (;;) {
    let next = -1;
    for (let at = 0; at < n; at++) {
      if (due[at] !== STOPPED && (next < 0 || due[at] < due[next])) next = at;
    }
    if (next < 0) break;
    const id = ids[next];
    now = due[next];
    due[next] = STOPPED;
    leader = next;
    roles[next] = LEADER;
    leaders[next] = id;
    times[next] = now;
    for (let at = next; ; ) {
      at = at + 1 === n ? 0 : at + 1;
      elected++;
      now++;
      if (ids[at] === id) break;
      due[at] = STOPPED;
      roles[at] = FOLLOWER;
      leaders[at] = id;
      times[at] = now;
    }
  }
  return { byType: { elected }, leader, agreedAt: n > 1 ? now - 1 : now };
}
