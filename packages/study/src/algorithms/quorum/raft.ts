/**
 * Diego Ongaro, John Ousterhout: In search of an understandable consensus algorithm. USENIX Annual Technical
 * Conference 2014, section 5.2; pre-vote, check quorum and the leader lease from Ongaro's thesis, Consensus: bridging
 * theory and practice, Stanford 2014, sections 9.6, 6.2, 6.4.1 and 4.2.3.
 *
 * Only the election: there is no log, so a vote does not depend on whose log is longer.
 *
 * Model: complete network, unique ids known to all nodes, crash-recovery, asynchronous; messages may be lost,
 * duplicated or reordered, and the network may be partitioned. T is the parameter timeout, an estimate of the
 * longest round trip. A node that starts waits at least 2T for a leader.
 * Wins: the first node with a majority of votes.
 * Costs, one candidate, no message lost: n−1 each of requestPreVote, preVote, requestVote and vote. In lockstep it
 * becomes the leader 4 units after its election timeout, and all nodes decide one unit later. Then n−1 heartbeats and
 * n−1 acknowledgements, `heartbeats` times in every 2T.
 *
 * Guarantees at most one leader in each term, under any behaviour of the network and the clocks. If a majority is
 * alive and a round trip takes at most T, there is eventually one leader known to all live nodes, with probability 1,
 * because election timeouts are random (`spread`). With pre-vote, a node that returns does not replace it. With check
 * quorum and lease, and clocks of equal rate, no two nodes lead at the same time, not even in different terms. The
 * algorithm does not terminate: heartbeats continue.
 * Does not guarantee a leader while messages are late or no majority is alive. Does not guarantee the lease if clock
 * rates differ. Without lease or check quorum an old leader may still lead its term while a new leader leads the next
 * one.
 *
 * R1  A node that neither receives a heartbeat nor grants a vote before its election timeout has passed starts an
 *     election. The timeout is 2T plus a random addition of at most `spread`.
 * R2  Pre-vote: it first asks all nodes whether they would vote for it in the next term. Its own term does not
 *     change.
 * R3  A node that hears from a leader, or is already in that term, refuses the pre-vote. So a node that was cut off
 *     does not disrupt a leader.
 * R4  A node with a majority of pre-votes becomes a candidate: it increments its term, votes for itself and requests
 *     the votes of all nodes.
 * R5  A node votes once in each term, for the first candidate that asks. Term and vote are on disk before the answer
 *     is sent.
 * R6  A candidate with a majority of the votes of its term becomes the leader and sends heartbeats, at once and then
 *     periodically.
 * R7  A node that receives a heartbeat of its own or a later term follows the sender and acknowledges.
 * R8  A node that receives a later term becomes a follower in that term. A message of an older term is answered with
 *     the newer term.
 * R9  Check quorum: a leader steps down when no majority has acknowledged a heartbeat sent in the last 2T.
 * R10 Lease: a node that has voted for a candidate or acknowledged a heartbeat does not vote for another node for 2T.
 *     A node that has recovered may have done so before its crash, and does not vote for 2T either.
 *
 * Requests carry a number, `round`, and answers carry the number of their request. From the candidacy on, a round
 * lasts 2T / `heartbeats`, to a hundredth of a unit. An answer to a request that is `heartbeats` rounds old belongs to
 * a request sent 2T ago, and no longer counts.
 *
 * Why no two nodes lead at the same time: suppose that A leads term a while B leads a later term b. The two
 * majorities share a node that supports both, and the request of A that it granted is less than 2T old. It granted
 * that request before it voted in b, because afterwards it refuses messages of term a. So by R10 it cannot have voted
 * in b yet. If this node is A, it has not stepped down and refuses the vote. If it is B, its own election timeout
 * does not pass before its promise ends.
 */
import type { Context, View } from '../../kernel/index.ts';
import {
  choice,
  counter,
  counters,
  defineAlgorithm,
  flag,
  id,
  integer,
  MAX_WORD,
  message,
  NONE,
  onOff,
  upkeep,
} from '../../kernel/index.ts';
import { termPhase } from '../terms.ts';
import { raftInvariants } from './raft-invariants.ts';
import { horizon, raftLaws } from './raft-laws.ts';
import { raftPresets } from './raft-presets.ts';
import { raftStanding } from './raft-standing.ts';

const assumes = {
  network: 'complete',
  timing: 'asynchronous',
  ids: 'unique',
  fifo: false,
  knows: ['neighbours'],
  faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
} as const;

/** Long enough that two nodes rarely time out within one message delay of each other and split the vote. */
const units = { max: 1_000_000, byDefault: (n: number) => Math.max(10, 2 * n) };

const params = {
  timeout: integer('T, the longest round trip in units; an election timeout is at least 2T', {
    min: 1,
    ...units,
    onlyTimers: true,
  }),
  spread: integer('S, the largest random addition to an election timeout, in units', {
    min: 0,
    max: units.max,
    byDefault: (n: number) => 2 * units.byDefault(n),
    onlyTimers: true,
  }),
  heartbeats: integer('heartbeats of a leader per two timeouts', { min: 2, max: 20, byDefault: 4 }),
  prevote: onOff('ask for pre-votes before incrementing the term', true),
  checkQuorum: onOff('a leader without acknowledgements from a majority steps down', true),
  lease: onOff('a node that hears from a leader votes for no other node', true),
};

const state = {
  term: counter(MAX_WORD, { durable: true }),
  votedFor: id({ durable: true }),
  leader: id(),
  role: choice(['follower', 'pre-candidate', 'candidate', 'leader']),
  round: counter(MAX_WORD),
  /** By port: the last round of the current request that was granted or acknowledged; 0 if none was. */
  yes: counters(MAX_WORD),
  /** It has granted a vote or acknowledged a heartbeat less than 2T ago. */
  promised: flag(),
};

const request = [
  ['term', counter(MAX_WORD)],
  ['round', counter(MAX_WORD)],
] as const;
const answer = [...request, ['granted', flag()]] as const;

const messages = {
  requestPreVote: message(...request),
  preVote: message(...answer),
  requestVote: message(...request),
  vote: message(...answer),
  heartbeat: upkeep(...request),
  acknowledge: upkeep(...request),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'election' | 'heartbeat' | 'promise'>;

/** The election of Raft. */
export const raft = defineAlgorithm({
  name: 'raft',
  title: 'Raft election',
  source: 'Ongaro, Ousterhout 2014',
  cost: '4(n−1)',
  assumes,
  startOnMessage: true,
  params,
  state,
  messages,
  phase: termPhase,
  timers: ['election', 'heartbeat', 'promise'],
  horizon,
  standing: raftStanding,
  termField: 'term',
  voteField: 'votedFor',

  onStart(_state, ctx) {
    resetElectionTimer(ctx); // R1
  },

  onRestart(state, ctx) {
    resetElectionTimer(ctx);
    if (ctx.params.lease) promise(state, ctx); // R10
  },

  onTimer(state, timer, ctx) {
    if (timer === 'promise') state.promised = false;
    else if (timer === 'heartbeat') nextRound(state, ctx);
    else startElection(state, ctx); // R1
  },

  on: {
    requestPreVote(state, port, { term, round }, ctx) {
      ctx.send(port, 'preVote', state.term, round, term > state.term && !hearsFromLeader(state)); // R3
    },

    preVote(state, port, { term, round, granted }, ctx) {
      observeTerm(term, state, ctx); // R8
      if (state.role !== 'pre-candidate' || round !== state.round || !granted) return;
      state.yes[port] = round;
      if (hasMajority(state, ctx)) becomeCandidate(state, ctx); // R4
    },

    requestVote(state, port, { term, round }, ctx) {
      const mayVote = !(ctx.params.lease && hearsFromLeader(state)); // R10
      if (mayVote) observeTerm(term, state, ctx); // R8
      const candidate = ctx.neighbour(port);
      const isFree = state.votedFor === NONE || state.votedFor === candidate;
      const granted = mayVote && term === state.term && isFree; // R5
      if (granted) {
        state.votedFor = candidate;
        support(state, ctx);
      }
      ctx.send(port, 'vote', state.term, round, granted);
    },

    vote(state, port, { term, round, granted }, ctx) {
      observeTerm(term, state, ctx); // R8
      if (state.role !== 'candidate' || term !== state.term || !granted) return;
      state.yes[port] = round;
      if (hasMajority(state, ctx)) becomeLeader(state, ctx); // R6
    },

    heartbeat(state, port, { term, round }, ctx) {
      observeTerm(term, state, ctx); // R8
      if (term === state.term) {
        support(state, ctx);
        if (state.leader === NONE) {
          state.leader = ctx.neighbour(port); // R7
          ctx.decide('follower', state.leader, term);
        }
      }
      ctx.send(port, 'acknowledge', state.term, round); // R7, R8
    },

    acknowledge(state, port, { term, round }, ctx) {
      observeTerm(term, state, ctx); // R8
      if (!ctx.params.checkQuorum || state.role !== 'leader' || term !== state.term) return;
      if (round > state.yes[port]) state.yes[port] = round;
    },
  },

  checking: raftPresets,
  invariants: raftInvariants,
  laws: raftLaws,
});

/** Times are multiples of a hundredth of a unit. */
const STEPS = 100;

/** R1. */
function resetElectionTimer(ctx: Ctx): void {
  const { spread, timeout } = ctx.params;
  ctx.setTimer('election', 2 * timeout + (spread > 0 ? ctx.random(spread * STEPS) / STEPS : 0));
}

/** R8. */
function observeTerm(term: number, state: State, ctx: Ctx): void {
  if (term <= state.term) return;
  state.term = term;
  state.votedFor = NONE;
  state.leader = NONE;
  becomeFollower(state, ctx);
}

/** A leader has no election timer, so one that steps down starts it. */
function becomeFollower(state: State, ctx: Ctx): void {
  if (state.role === 'follower') return;
  if (state.role === 'leader') resetElectionTimer(ctx); // R1
  ctx.clearTimer('heartbeat');
  state.role = 'follower';
  state.yes = [];
}

/** Grants a vote or acknowledges a heartbeat: the node is no longer a candidate or leader itself. */
function support(state: State, ctx: Ctx): void {
  becomeFollower(state, ctx);
  resetElectionTimer(ctx); // R1
  if (ctx.params.prevote || ctx.params.lease) promise(state, ctx); // R3, R10
}

function promise(state: State, ctx: Ctx): void {
  state.promised = true;
  ctx.setTimer('promise', 2 * ctx.params.timeout);
}

/** A leader counts as hearing from itself. */
function hearsFromLeader(state: State): boolean {
  return state.promised || state.role === 'leader';
}

function startElection(state: State, ctx: Ctx): void {
  becomeFollower(state, ctx);
  state.round++;
  if (ctx.params.prevote) {
    state.role = 'pre-candidate';
    sendRequests('requestPreVote', state.term + 1, state, ctx); // R2
  }
  if (!ctx.params.prevote || hasMajority(state, ctx)) becomeCandidate(state, ctx); // R4
}

function becomeCandidate(state: State, ctx: Ctx): void {
  state.role = 'candidate';
  state.term++;
  state.leader = NONE;
  state.votedFor = ctx.id; // R4
  sendRequests('requestVote', state.term, state, ctx);
  if (hasMajority(state, ctx))
    becomeLeader(state, ctx); // R6
  else setRoundTimer(state, ctx);
}

/** Sends a request to all nodes and discards the answers to earlier ones. */
function sendRequests(type: 'requestPreVote' | 'requestVote', term: number, state: State, ctx: Ctx): void {
  state.yes = new Array(ctx.degree).fill(0);
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, type, term, state.round);
  resetElectionTimer(ctx); // R1
}

/** True if a majority, including the node itself, has granted a request sent less than 2T ago. */
function hasMajority(state: State, ctx: Ctx): boolean {
  const oldest = Math.max(1, state.round - ctx.params.heartbeats + 1);
  let all = 1;
  const { degree } = ctx;
  const { yes } = state;
  for (let port = 0; port < degree; port++) if (yes[port] >= oldest) all++;
  return 2 * all > ctx.degree + 1;
}

function becomeLeader(state: State, ctx: Ctx): void {
  state.role = 'leader';
  state.leader = ctx.id;
  ctx.clearTimer('election');
  ctx.decide('leader', ctx.id, state.term); // R6
  sendHeartbeats(state, ctx);
}

/** Rounds advance for a candidate too: a vote is a promise for 2T from the time of the request. */
function nextRound(state: State, ctx: Ctx): void {
  state.round++;
  setRoundTimer(state, ctx);
  if (state.role !== 'leader') return;
  if (!ctx.params.checkQuorum || hasMajority(state, ctx))
    sendHeartbeats(state, ctx); // R6
  else becomeFollower(state, ctx); // R9
}

/**
 * Any `heartbeats` consecutive rounds last exactly 2T. If each were rounded alone, their sum could be less than 2T, and a
 * leader would step down just before the first acknowledgements arrive, or more than 2T, longer than the lease.
 */
function setRoundTimer({ round }: State, ctx: Ctx): void {
  const { heartbeats, timeout } = ctx.params;
  const startOf = (part: number) => Math.floor((part * 2 * timeout * STEPS) / heartbeats);
  const part = round % heartbeats;
  ctx.setTimer('heartbeat', (startOf(part + 1) - startOf(part)) / STEPS);
}

function sendHeartbeats(state: State, ctx: Ctx): void {
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'heartbeat', state.term, state.round);
}
