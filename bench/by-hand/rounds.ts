/**
 * A hand-written loop for Chang–Roberts in lockstep, with which the generic engine is compared.
 *
 * It does only what this election needs: all nodes initiate, tokens and announcements travel in rounds and are counted, and
 * every node decides. A message is two words, and a round is written while the previous one is read.
 */
import type { HandResult } from './result.ts';

export function fusedRounds(ids: Int32Array): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const leaders = new Int32Array(n);
  let carried = ids.slice();
  let receivers = new Int32Array(n);
  let nextCarried = new Int32Array(n);
  let nextReceivers = new Int32Array(n);
  for (let at = 0; at < n; at++) receivers[at] = at + 1 === n ? 0 : at + 1;
  let tokens = n;
  let inFlight = n;
  let leader = -1;
  let time = 0;
  while (inFlight > 0) {
    time++;
    let sent = 0;
    for (let k = 0; k < inFlight; k++) {
      const at = receivers[k];
      const id = carried[k];
      const own = ids[at];
      if (id > own) {
        nextCarried[sent] = id;
        nextReceivers[sent] = at + 1 === n ? 0 : at + 1;
        sent++;
      } else if (id === own) {
        leader = at;
        roles[at] = 1;
        leaders[at] = id;
      }
    }
    tokens += sent;
    inFlight = sent;
    [carried, nextCarried] = [nextCarried, carried];
    [receivers, nextReceivers] = [nextReceivers, receivers];
  }
  const id = ids[leader];
  let announcements = 0;
  for (let at = leader; ; ) {
    at = at + 1 === n ? 0 : at + 1;
    announcements++;
    time++;
    if (ids[at] === id) break;
    roles[at] = 2;
    leaders[at] = id;
  }
  return { byType: { token: tokens, elected: announcements }, leader, agreedAt: n > 1 ? time - 1 : n };
}
