/**
 * The election of Raft, by hand, with pre-vote, check quorum and lease, without faults. All messages take one unit, so one
 * queue holds them in the order of arrival. The three timers of all nodes are looked through for the earliest.
 */
import { Random } from '@hustings/study/kernel';
import { doubled, FOLLOWER, type HandResult, LEADER } from './result.ts';

const REQUEST_PRE_VOTE = 0;
const PRE_VOTE = 1;
const REQUEST_VOTE = 2;
const VOTE = 3;
const HEARTBEAT = 4;
const ACKNOWLEDGE = 5;
const FOLLOWS = 0;
const PRE_CANDIDATE = 1;
const CANDIDATE = 2;
const LEADS = 3;
const ELECTION = 0;
const BEAT = 1;
const PROMISE = 2;
const TIMERS = 3;
const NONE = -1;
const TICKS = 1000;
/** Random times are multiples of a hundredth of a unit. */
const STEPS = 100;
/** Arrival, receiver, sender, kind, term, round, granted. */
const WIDTH = 7;

export interface RaftSettings {
  readonly timeout: number;
  readonly spread: number;
  readonly heartbeats: number;
  /** The end of the run, in units. */
  readonly until: number;
  readonly seed: number;
}

export function raft(n: number, { timeout, spread, heartbeats, until, seed }: RaftSettings): HandResult {
  const random = new Random(seed, 'draws');
  const roles = new Uint8Array(n);
  const times = new Float64Array(n);
  const role = new Uint8Array(n);
  const terms = new Int32Array(n);
  const votedFor = new Int32Array(n).fill(NONE);
  const leaders = new Int32Array(n).fill(NONE);
  const rounds = new Int32Array(n);
  const promised = new Uint8Array(n);
  /** By candidate: the last round that each node has granted. */
  const yes: Int32Array[] = [];
  const due = new Float64Array(TIMERS * n);
  const period = Math.round(((2 * timeout) / heartbeats) * TICKS);
  const counts = [0, 0, 0, 0, 0, 0];
  let queue = new Int32Array(4 * n * WIDTH);
  let head = 0;
  let end = 0;
  let now = 0;
  let agreedAt = 0;
  let leader = NONE;

  function send(from: number, to: number, kind: number, term: number, round: number, granted: number): void {
    if (end === queue.length) {
      if (head > 0) {
        queue.copyWithin(0, head, end);
        end -= head;
        head = 0;
      }
      if (2 * end > queue.length) queue = doubled(queue);
    }
    queue[end] = now + TICKS;
    queue[end + 1] = to;
    queue[end + 2] = from;
    queue[end + 3] = kind;
    queue[end + 4] = term;
    queue[end + 5] = round;
    queue[end + 6] = granted;
    end += WIDTH;
    counts[kind]++;
  }

  function sendToAll(at: number, kind: number, term: number): void {
    for (let to = 0; to < n; to++) if (to !== at) send(at, to, kind, term, rounds[at], 0);
  }

  function resetElectionTimer(at: number): void {
    const units = 2 * timeout + (spread > 0 ? (1 + random.below(spread * STEPS)) / STEPS : 0);
    due[TIMERS * at + ELECTION] = now + Math.round(units * TICKS);
  }

  function becomeFollower(at: number): void {
    if (role[at] === FOLLOWS) return;
    if (role[at] === LEADS) resetElectionTimer(at);
    due[TIMERS * at + BEAT] = 0;
    role[at] = FOLLOWS;
  }

  function observeTerm(at: number, term: number): void {
    if (term <= terms[at]) return;
    terms[at] = term;
    votedFor[at] = NONE;
    leaders[at] = NONE;
    becomeFollower(at);
  }

  function support(at: number): void {
    becomeFollower(at);
    resetElectionTimer(at);
    promised[at] = 1;
    due[TIMERS * at + PROMISE] = now + 2 * timeout * TICKS;
  }

  function hasMajority(at: number): boolean {
    const oldest = Math.max(1, rounds[at] - heartbeats + 1);
    let all = 1;
    for (let other = 0; other < n; other++) if (yes[at][other] >= oldest) all++;
    return 2 * all > n;
  }

  function request(at: number, kind: number, term: number): void {
    if (yes[at] === undefined) yes[at] = new Int32Array(n);
    else yes[at].fill(0);
    sendToAll(at, kind, term);
    resetElectionTimer(at);
  }

  function startElection(at: number): void {
    becomeFollower(at);
    rounds[at]++;
    role[at] = PRE_CANDIDATE;
    request(at, REQUEST_PRE_VOTE, terms[at] + 1);
    if (hasMajority(at)) becomeCandidate(at);
  }

  function becomeCandidate(at: number): void {
    role[at] = CANDIDATE;
    terms[at]++;
    leaders[at] = NONE;
    votedFor[at] = at;
    request(at, REQUEST_VOTE, terms[at]);
    if (hasMajority(at)) becomeLeader(at);
    else due[TIMERS * at + BEAT] = now + period;
  }

  function decide(at: number, by: number): void {
    leaders[at] = by;
    roles[at] = by === at ? LEADER : FOLLOWER;
    times[at] = now / TICKS;
    agreedAt = now / TICKS;
  }

  function becomeLeader(at: number): void {
    role[at] = LEADS;
    leader = at;
    due[TIMERS * at + ELECTION] = 0;
    decide(at, at);
    sendToAll(at, HEARTBEAT, terms[at]);
  }

  function nextRound(at: number): void {
    rounds[at]++;
    due[TIMERS * at + BEAT] = now + period;
    if (role[at] !== LEADS) return;
    if (hasMajority(at)) sendToAll(at, HEARTBEAT, terms[at]);
    else becomeFollower(at);
  }

  function receive(base: number): void {
    const at = queue[base + 1];
    const from = queue[base + 2];
    const kind = queue[base + 3];
    const term = queue[base + 4];
    const round = queue[base + 5];
    const granted = queue[base + 6] === 1;
    const hears = promised[at] === 1 || role[at] === LEADS;
    switch (kind) {
      case REQUEST_PRE_VOTE:
        send(at, from, PRE_VOTE, terms[at], round, term > terms[at] && !hears ? 1 : 0);
        return;
      case PRE_VOTE:
        observeTerm(at, term);
        if (role[at] !== PRE_CANDIDATE || round !== rounds[at] || !granted) return;
        yes[at][from] = round;
        if (hasMajority(at)) becomeCandidate(at);
        return;
      case REQUEST_VOTE: {
        if (!hears) observeTerm(at, term);
        const isFree = votedFor[at] === NONE || votedFor[at] === from;
        const grants = !hears && term === terms[at] && isFree;
        if (grants) {
          votedFor[at] = from;
          support(at);
        }
        send(at, from, VOTE, terms[at], round, grants ? 1 : 0);
        return;
      }
      case VOTE:
        observeTerm(at, term);
        if (role[at] !== CANDIDATE || term !== terms[at] || !granted) return;
        yes[at][from] = round;
        if (hasMajority(at)) becomeLeader(at);
        return;
      case HEARTBEAT:
        observeTerm(at, term);
        if (term === terms[at]) {
          support(at);
          if (leaders[at] === NONE) decide(at, from);
        }
        send(at, from, ACKNOWLEDGE, terms[at], round, 0);
        return;
      default:
        observeTerm(at, term);
        if (role[at] === LEADS && term === terms[at] && round > yes[at][from]) yes[at][from] = round;
    }
  }

  /** The earliest timer: `timer` is its place, NONE if none runs. */
  let timer = NONE;
  function findTimer(): void {
    timer = NONE;
    for (let place = 0; place < due.length; place++) {
      if (due[place] > 0 && (timer === NONE || due[place] < due[timer])) timer = place;
    }
  }

  for (let at = 0; at < n; at++) resetElectionTimer(at);
  for (;;) {
    findTimer();
    const arrival = head < end ? queue[head] : Number.POSITIVE_INFINITY;
    const next = Math.min(arrival, timer === NONE ? Number.POSITIVE_INFINITY : due[timer]);
    if (next > until * TICKS) break;
    now = next;
    if (arrival === now) {
      while (head < end && queue[head] === now) {
        const base = head;
        head += WIDTH;
        receive(base);
      }
      continue;
    }
    const at = Math.floor(timer / TIMERS);
    const kind = timer % TIMERS;
    due[timer] = 0;
    if (kind === PROMISE) promised[at] = 0;
    else if (kind === BEAT) nextRound(at);
    else startElection(at);
  }
  const [requestPreVote, preVote, requestVote, vote, heartbeat, acknowledge] = counts;
  return {
    byType: { requestPreVote, preVote, requestVote, vote, heartbeat, acknowledge },
    leader,
    agreedAt,
  };
}
