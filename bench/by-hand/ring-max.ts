/**
 * The ring algorithm with the largest id only, by hand, in lockstep and without crashes: every message goes to the next
 * process. A process that takes part in an election has a deadline. All are looked through when the earliest may have passed.
 */
import { doubled, FOLLOWER, type HandResult, LEADER } from './result.ts';

const ELECTION = 0;
const COORDINATOR = 1;
const IDLE = 0;
const CALLING = 1;
const WAITING = 2;
/** Receiver, kind, term, initiator or sender, largest id or coordinator. */
const WIDTH = 5;

export function ringMax(ids: Int32Array, timeout: number): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const leaders = new Int32Array(n);
  const times = new Float64Array(n);
  const terms = new Int32Array(n);
  const phase = new Uint8Array(n);
  const deadline = new Float64Array(n);
  const patience = 2 * n * timeout;
  const counts = [0, 0];
  let arriving = new Int32Array(n * WIDTH);
  let sent = new Int32Array(n * WIDTH);
  let end = 0;
  let now = 0;
  let leader = -1;
  let agreedAt = 0;

  function send(at: number, kind: number, term: number, one: number, other: number): void {
    if (end === sent.length) sent = doubled(sent);
    sent[end] = at + 1 === n ? 0 : at + 1;
    sent[end + 1] = kind;
    sent[end + 2] = term;
    sent[end + 3] = one;
    sent[end + 4] = other;
    end += WIDTH;
    counts[kind]++;
  }

  function call(at: number): void {
    phase[at] = CALLING;
    deadline[at] = now + patience;
    send(at, ELECTION, terms[at], ids[at], ids[at]);
  }

  function decide(at: number, coordinator: number, term: number): void {
    terms[at] = term;
    roles[at] = coordinator === ids[at] ? LEADER : FOLLOWER;
    if (coordinator === ids[at]) leader = at;
    leaders[at] = coordinator;
    times[at] = now;
    agreedAt = now;
  }

  function onElection(at: number, term: number, initiator: number, biggest: number): void {
    const own = ids[at];
    if (initiator === own) {
      let rank = 0;
      for (let other = 0; other < n; other++) if (ids[other] < own) rank++;
      const least = Math.max(term, terms[at]) + 1;
      const ahead = (((rank + 1 - least) % n) + n) % n;
      phase[at] = IDLE;
      deadline[at] = now + patience;
      decide(at, biggest, least + ahead);
      send(at, COORDINATOR, terms[at], own, biggest);
      return;
    }
    if (phase[at] === CALLING && initiator < own) return;
    if (phase[at] !== CALLING) phase[at] = WAITING;
    deadline[at] = now + patience;
    send(at, ELECTION, Math.max(term, terms[at]), initiator, Math.max(biggest, own));
  }

  function onCoordinator(at: number, term: number, sender: number, coordinator: number): void {
    const hasReturned = sender === ids[at];
    if (!hasReturned) send(at, COORDINATOR, term, sender, coordinator);
    if (hasReturned ? term < terms[at] : term <= terms[at]) return;
    if (!hasReturned) decide(at, coordinator, term);
    if (coordinator < ids[at]) {
      if (phase[at] !== CALLING) call(at);
      return;
    }
    phase[at] = IDLE;
    deadline[at] = 0;
  }

  /** The earliest deadline; Infinity if there is none. Starts the elections that are due. */
  function checkDeadlines(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (let at = 0; at < n; at++) {
      if (deadline[at] > 0 && deadline[at] <= now) call(at);
      if (deadline[at] > 0 && deadline[at] < earliest) earliest = deadline[at];
    }
    return earliest;
  }

  for (let at = 0; at < n; at++) call(at);
  let check = patience;
  for (;;) {
    if (end === 0) {
      check = checkDeadlines();
      if (check === Number.POSITIVE_INFINITY) break;
      now = check;
    } else now++;
    [arriving, sent] = [sent, arriving];
    const length = end;
    end = 0;
    for (let k = 0; k < length; k += WIDTH) {
      if (arriving[k + 1] === ELECTION) {
        onElection(arriving[k], arriving[k + 2], arriving[k + 3], arriving[k + 4]);
      } else onCoordinator(arriving[k], arriving[k + 2], arriving[k + 3], arriving[k + 4]);
    }
    if (now >= check) check = checkDeadlines();
  }
  const [election, coordinator] = counts;
  return { byType: { election, coordinator }, leader, agreedAt };
}
