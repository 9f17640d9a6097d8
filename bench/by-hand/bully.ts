/**
 * The bully algorithm, by hand, in lockstep: the largest id is dead, and all others have detected it. A message to the dead is
 * counted and dropped; its sender is notified after the timeout. The timers are looked through at every unit.
 */
import { doubled, FOLLOWER, type HandResult, LEADER } from './result.ts';

const ELECTION = 0;
const ANSWER = 1;
const COORDINATOR = 2;
const IDLE = 0;
const CALLING = 1;
const WAITING = 2;
const NONE = -1;
/** Receiver, sender, kind, term. */
const WIDTH = 4;

export function bully(ids: Int32Array, timeout: number): HandResult {
  const n = ids.length;
  const byRank = Array.from(ids.keys()).sort((one, other) => ids[one] - ids[other]);
  const ranks = new Int32Array(n);
  for (let rank = 0; rank < n; rank++) ranks[byRank[rank]] = rank;
  const dead = byRank[n - 1];
  const roles = new Uint8Array(n);
  const times = new Float64Array(n);
  const terms = new Int32Array(n);
  const coordinator = new Int32Array(n).fill(NONE);
  const phase = new Uint8Array(n);
  const due = new Float64Array(n);
  const counts = [0, 0, 0];
  let arriving = new Int32Array(n * WIDTH);
  let sent = new Int32Array(n * WIDTH);
  let end = 0;
  /** The senders of messages to the dead, and when they are notified. */
  const noticed: number[] = [];
  const noticedAt: number[] = [];
  let notices = 0;
  let now = 0;
  let leader = NONE;
  let agreedAt = 0;

  function send(from: number, to: number, kind: number, term: number): void {
    if (end === sent.length) sent = doubled(sent);
    sent[end] = to;
    sent[end + 1] = from;
    sent[end + 2] = kind;
    sent[end + 3] = term;
    end += WIDTH;
    counts[kind]++;
  }

  function ownTermFrom(at: number, least: number): number {
    return least + ((((ranks[at] + 1 - least) % n) + n) % n);
  }

  function accept(at: number, by: number, term: number): void {
    terms[at] = term;
    coordinator[at] = by;
    phase[at] = IDLE;
    due[at] = 0;
    roles[at] = by === at ? LEADER : FOLLOWER;
    if (by === at) leader = at;
    times[at] = now;
    agreedAt = now;
  }

  function announce(at: number, term: number): void {
    accept(at, at, term);
    for (let rank = 0; rank < ranks[at]; rank++) send(at, byRank[rank], COORDINATOR, term);
  }

  function call(at: number): void {
    coordinator[at] = NONE;
    phase[at] = CALLING;
    for (let rank = ranks[at] + 1; rank < n; rank++) send(at, byRank[rank], ELECTION, terms[at]);
    if (ranks[at] < n - 1) due[at] = now + timeout;
    else announce(at, terms[at]);
  }

  function callNewTerm(at: number): void {
    terms[at] = ownTermFrom(at, terms[at] + 1);
    call(at);
  }

  function wait(at: number): void {
    coordinator[at] = NONE;
    phase[at] = WAITING;
    due[at] = now + 2 * timeout;
  }

  function receive(at: number, from: number, kind: number, term: number): void {
    if (kind === ELECTION) {
      const isNew = term > terms[at];
      if (isNew) terms[at] = term;
      send(at, from, ANSWER, terms[at]);
      if (isNew && phase[at] === IDLE) call(at);
    } else if (kind === ANSWER) {
      const isSmaller = ids[from] < ids[at];
      if (coordinator[at] === at && isSmaller && term > terms[at]) announce(at, ownTermFrom(at, term + 1));
      else if (!isSmaller && phase[at] !== IDLE) {
        if (term > terms[at]) terms[at] = term;
        if (phase[at] === CALLING) wait(at);
      }
    } else if (
      term > terms[at] ||
      (term === terms[at] && (coordinator[at] === NONE || ids[from] > ids[coordinator[at]]))
    ) {
      accept(at, from, term);
    } else if (term < terms[at]) {
      send(at, from, ANSWER, terms[at]);
      if (phase[at] !== IDLE) wait(at);
    }
  }

  /** The earliest timer after those that are due now have fired; 0 if none runs. */
  function fireTimers(): number {
    let earliest = 0;
    for (let at = 0; at < n; at++) {
      if (due[at] === now) {
        due[at] = 0;
        if (phase[at] === CALLING) announce(at, terms[at]);
        else callNewTerm(at);
      }
      if (due[at] > 0 && (earliest === 0 || due[at] < earliest)) earliest = due[at];
    }
    return earliest;
  }

  for (let at = 0; at < n; at++) if (at !== dead) callNewTerm(at);
  let timer = timeout;
  while (end > 0 || notices < noticed.length || timer > 0) {
    now =
      end > 0
        ? now + 1
        : Math.min(timer || Number.POSITIVE_INFINITY, noticedAt[notices] ?? Number.POSITIVE_INFINITY);
    [arriving, sent] = [sent, arriving];
    const length = end;
    end = 0;
    for (let k = 0; k < length; k += WIDTH) {
      if (arriving[k] !== dead) receive(arriving[k], arriving[k + 1], arriving[k + 2], arriving[k + 3]);
      else {
        noticed.push(arriving[k + 1]);
        noticedAt.push(now - 1 + timeout);
      }
    }
    for (; notices < noticed.length && noticedAt[notices] <= now; notices++) {
      if (coordinator[noticed[notices]] === dead) callNewTerm(noticed[notices]);
    }
    timer = fireTimers();
  }
  const [election, answer, announced] = counts;
  return { byType: { election, answer, coordinator: announced }, leader, agreedAt };
}
