/**
 * Diego Ongaro, John Ousterhout: In search of an understandable consensus algorithm. USENIX Annual Technical Conference
 * 2014, section 5.2; pre-vote, check-quorum and the lease from Ongaro's thesis, Consensus: bridging theory and practice,
 * Stanford 2014, sections 9.6, 6.2, 6.4.1 and 4.2.3.
 *
 * An election and nothing else: there is no log, so that no vote depends on whose is longer.
 * Model: complete network, unique ids that all know, nodes that crash and recover, messages that are lost, doubled or
 * overtaken, networks that part. Each node that starts waits for a leader, 2T and more; T is `timeout`, a round trip.
 * Wins: who first has a majority.
 * Costs, one candidate and nothing lost: n−1 each of requestPreVote, preVote, requestVote and vote. In lockstep it
 * leads 4 after its wait, all know a unit later. Then n−1 heartbeats and their answers, `heartbeats` times in 2T.
 *
 * Guarantees, whatever the network and the clocks do: at most one leader a term. It never rests; where a majority lives
 * and a round trip takes at most T, lots (`spread`) bring about one leader in the end, with probability 1, known to all
 * live nodes; and, with pre-vote, nobody who comes back unseats it. With `checkQuorum` and `lease`, and clocks that run equally fast: at no moment
 * do two nodes lead, not even in different terms.
 * Does not guarantee a leader while messages are late or half the nodes are away; nor, if clocks differ, the lease.
 * Without `lease` or `checkQuorum` an old leader may lead its old term beside the new one of the next.
 *
 * R1  Who has heard no leader, nor voted, for 2T and a part of `spread`, by lot, wants to lead.
 * R2  It first asks all whether they would vote for it in the next term (pre-vote); its term stays as it is.
 * R3  Who hears a leader, or is in that term already, says no. So a node that was cut off unseats nobody.
 * R4  With a majority of pre-votes it is a candidate: it raises its term, votes for itself and asks all for their votes.
 * R5  A node votes once a term, for the first that asks. Term and vote are on disk before the answer leaves.
 * R6  A candidate with a majority of the votes of its term leads it, and sends heartbeats, at once and then again and
 *     again.
 * R7  Who gets a heartbeat of its term, or a later one, follows the sender and answers.
 * R8  Who hears of a later term is a follower in that. What is older is answered with the newer term.
 * R9  Check-quorum: a leader steps down when 2T have passed since it asked what a majority has last said yes to.
 * R10 Lease: who said yes to a candidate's or a leader's question votes for nobody else for 2T. Who was down may have
 *     said so, and waits as long.
 *
 * Questions have numbers, `round`, and answers carry the number of theirs. From a candidacy on a round takes 2T over
 * `heartbeats`: an answer of the round `heartbeats` ago or before is of a question that is 2T old, and counts no more.
 *
 * Why no two lead at a moment, if A leads term a and B a later term b. Some node said yes to both, A's question less than
 * 2T ago, and that before it voted in b: for afterwards it refuses what is of term a. So by R10 it has not voted in b yet.
 * If it is A, A has not stepped down, and refuses; if it is B, its own time-out is over no sooner than its promise.
 */
import {
  type Context,
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
  type View,
} from '../../kernel/index.ts';
import { horizon, raftLaws } from '../quorum/raft-laws.ts';

const assumes = {
  network: 'complete',
  timing: 'asynchronous',
  ids: 'unique',
  fifo: false,
  knows: ['neighbours'],
  faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
} as const;

/** So long that seldom two time out within a message's time of each other, and take each other's votes. */
const units = { max: 1_000_000, byDefault: (n: number) => Math.max(10, 2 * n) };

const params = {
  timeout: integer('units in which a round trip is over; a node waits for a leader twice as long', {
    min: 1,
    ...units,
  }),
  spread: integer('units of which a part, by lot, is added to each wait', {
    min: 0,
    max: units.max,
    byDefault: (n: number) => 2 * units.byDefault(n),
  }),
  heartbeats: integer('heartbeats of a leader in two time-outs', { min: 2, max: 20, byDefault: 4 }),
  prevote: onOff('ask whether others would vote before raising the term', true),
  checkQuorum: onOff('a leader that a majority does not answer steps down', true),
  lease: onOff('who hears a leader votes for nobody', true),
};

const state = {
  term: counter(MAX_WORD, { durable: true }),
  votedFor: id({ durable: true }),
  leader: id(),
  role: choice(['follower', 'pre-candidate', 'candidate', 'leader']),
  round: counter(MAX_WORD),
  /** By port, the last round of what it asks now to which the answer was yes; 0 if none was. */
  yes: counters(MAX_WORD),
  /** It said yes less than 2T ago. */
  promised: flag(),
};

const question = [
  ['term', counter(MAX_WORD)],
  ['round', counter(MAX_WORD)],
] as const;
const answer = [...question, ['granted', flag()]] as const;

const messages = {
  requestPreVote: message(...question),
  preVote: message(...answer),
  requestVote: message(...question),
  vote: message(...answer),
  heartbeat: upkeep(...question),
  acknowledge: upkeep(...question),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'election' | 'heartbeat' | 'promise'>;

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
  timers: ['election', 'heartbeat', 'promise'],
  horizon,

  onStart(_state, ctx) {
    awaitLeader(ctx); // R1
  },

  onRestart(state, ctx) {
    awaitLeader(ctx);
    if (ctx.params.lease) promise(state, ctx); // R10
  },

  onTimer(state, timer, ctx) {
    if (timer === 'promise') state.promised = false;
    else if (timer === 'heartbeat') nextRound(state, ctx);
    else wantToLead(state, ctx); // R1
  },

  on: {
    requestPreVote(state, port, { term, round }, ctx) {
      ctx.send(port, 'preVote', state.term, round, term > state.term && !hearsLeader(state)); // R3
    },

    preVote(state, port, { term, round, granted }, ctx) {
      onMessage(term, state, ctx); // R8
      if (state.role !== 'pre-candidate' || round !== state.round || !granted) return;
      state.yes[port] = round;
      if (hasMajority(state, ctx)) campaign(state, ctx); // R4
    },

    requestVote(state, port, { term, round }, ctx) {
      const mayVote = !(ctx.params.lease && hearsLeader(state)); // R10
      if (mayVote) onMessage(term, state, ctx); // R8
      const candidate = ctx.neighbour(port);
      const isFree = state.votedFor === NONE || state.votedFor === candidate;
      const granted = mayVote && term === state.term && isFree; // R5
      if (granted) {
        state.votedFor = candidate;
        sayYes(state, ctx);
      }
      ctx.send(port, 'vote', state.term, round, granted);
    },

    vote(state, port, { term, round, granted }, ctx) {
      onMessage(term, state, ctx); // R8
      if (state.role !== 'candidate' || term !== state.term || !granted) return;
      state.yes[port] = round;
      if (hasMajority(state, ctx)) lead(state, ctx); // R6
    },

    heartbeat(state, port, { term, round }, ctx) {
      onMessage(term, state, ctx); // R8
      if (term === state.term) {
        sayYes(state, ctx);
        if (state.leader === NONE) {
          state.leader = ctx.neighbour(port); // R7
          ctx.decide('follower', state.leader, term);
        }
      }
      ctx.send(port, 'acknowledge', state.term, round); // R7, R8
    },

    acknowledge(state, port, { term, round }, ctx) {
      onMessage(term, state, ctx); // R8
      if (!ctx.params.checkQuorum || state.role !== 'leader' || term !== state.term) return;
      if (round > state.yes[port]) state.yes[port] = round;
    },
  },

  laws: raftLaws,
});

/** Hundredths of a unit. */
const STEPS = 100;

/** R1: the wait begins anew. */
function awaitLeader(ctx: Ctx): void {
  const { spread, timeout } = ctx.params;
  ctx.setTimer('election', 2 * timeout + (spread > 0 ? ctx.random(spread * STEPS) / STEPS : 0));
}

/** R8: what is of a later term ends all that this node is in its own. */
function onMessage(term: number, state: State, ctx: Ctx): void {
  if (term <= state.term) return;
  state.term = term;
  state.votedFor = NONE;
  state.leader = NONE;
  standBack(state, ctx);
}

/** Only a leader does not wait for one. */
function standBack(state: State, ctx: Ctx): void {
  if (state.role === 'follower') return;
  if (state.role === 'leader') awaitLeader(ctx); // R1
  ctx.clearTimer('heartbeat');
  state.role = 'follower';
  state.yes = [];
}

/** Says yes to a candidate or a leader, and so no longer wants to be one itself. */
function sayYes(state: State, ctx: Ctx): void {
  standBack(state, ctx);
  awaitLeader(ctx); // R1
  if (ctx.params.prevote || ctx.params.lease) promise(state, ctx); // R3, R10
}

function promise(state: State, ctx: Ctx): void {
  state.promised = true;
  ctx.setTimer('promise', 2 * ctx.params.timeout);
}

/** A leader hears itself. */
function hearsLeader(state: State): boolean {
  return state.promised || state.role === 'leader';
}

function wantToLead(state: State, ctx: Ctx): void {
  standBack(state, ctx);
  state.round++;
  if (ctx.params.prevote) {
    state.role = 'pre-candidate';
    ask('requestPreVote', state.term + 1, state, ctx); // R2
  }
  if (!ctx.params.prevote || hasMajority(state, ctx)) campaign(state, ctx); // R4
}

function campaign(state: State, ctx: Ctx): void {
  state.role = 'candidate';
  state.term++;
  state.leader = NONE;
  state.votedFor = ctx.id; // R4
  ask('requestVote', state.term, state, ctx);
  if (hasMajority(state, ctx))
    lead(state, ctx); // R6
  else ctx.setTimer('heartbeat', (2 * ctx.params.timeout) / ctx.params.heartbeats);
}

/** Asks all, and forgets what they said to the question before. */
function ask(type: 'requestPreVote' | 'requestVote', term: number, state: State, ctx: Ctx): void {
  state.yes = new Array(ctx.degree).fill(0);
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, type, term, state.round);
  awaitLeader(ctx); // R1
}

/** Have enough said yes, itself among them, to what it asked less than 2T ago? */
function hasMajority(state: State, ctx: Ctx): boolean {
  const oldest = Math.max(1, state.round - ctx.params.heartbeats + 1);
  let all = 1;
  for (let port = 0; port < ctx.degree; port++) if (state.yes[port] >= oldest) all++;
  return 2 * all >= ctx.degree + 1;
}

function lead(state: State, ctx: Ctx): void {
  state.role = 'leader';
  state.leader = ctx.id;
  ctx.clearTimer('election');
  ctx.decide('leader', ctx.id, state.term); // R6
  beat(state, ctx);
}

/** A candidate's rounds pass too: its votes are promises of 2T, and the time runs from when it asked for them. */
function nextRound(state: State, ctx: Ctx): void {
  state.round++;
  ctx.setTimer('heartbeat', (2 * ctx.params.timeout) / ctx.params.heartbeats);
  if (state.role !== 'leader') return;
  if (!ctx.params.checkQuorum || hasMajority(state, ctx))
    beat(state, ctx); // R6
  else standBack(state, ctx); // R9
}

function beat(state: State, ctx: Ctx): void {
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'heartbeat', state.term, state.round);
}
