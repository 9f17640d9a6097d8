/**
 * Diego Ongaro, John Ousterhout: In search of an understandable consensus algorithm. USENIX Annual Technical Conference
 * 2014, section 5.2; pre-vote, check-quorum and the lease from Ongaro's thesis, Consensus: bridging theory and practice,
 * Stanford 2014, sections 9.6, 6.2, 6.4.1 and 4.2.3.
 *
 * An election and nothing else: there is no log, so that no vote depends on whose is longer.
 * Model: complete network, unique ids that all know, nodes that crash and recover, messages that are lost, doubled or
 * overtaken, networks that part. Each node that starts waits for a leader; T is `timeout`.
 * Wins: who first has a majority.
 * Costs, one candidate and nothing lost: n−1 each of requestPreVote, preVote, requestVote and vote. In lockstep it
 * leads at its time-out + 4, all know a unit later. Then n−1 heartbeats and their answers, `heartbeats` times in T.
 *
 * Guarantees, whatever the network and the clocks do: at most one leader a term. It never rests; where a majority lives
 * and a round trip takes at most half of T, with probability 1 there is in the end one leader, known to all live nodes,
 * and nobody who comes back unseats it. With `checkQuorum` and `lease`, and clocks that run equally fast: at no moment
 * do two nodes lead, not even in different terms.
 * Does not guarantee a leader while messages are late or half the nodes are away; nor, if clocks differ, the lease.
 * Without `lease` or `checkQuorum` an old leader may lead its old term beside the new one of the next.
 *
 * R1  Who has heard no leader, nor voted, for a time-out, T and some units by lot, wants to lead.
 * R2  It first asks all whether they would vote for it in the next term (pre-vote); its term stays as it is.
 * R3  Who hears a leader, or is in that term already, says no. So a node that was cut off unseats nobody.
 * R4  With a majority of pre-votes it is a candidate: it raises its term, votes for itself and asks all for their votes.
 * R5  A node votes once a term, for the first that asks. Term and vote are on disk before the answer leaves.
 * R6  A candidate with a majority of the votes of its term leads it, and sends heartbeats, at once and then again and
 *     again.
 * R7  Who gets a heartbeat of its term, or a later one, follows the sender and answers.
 * R8  Who hears of a later term is a follower in that. What is older is answered with the newer term.
 * R9  Check-quorum: a leader steps down when T has passed since it asked what a majority has last said yes to.
 * R10 Lease: who said yes to a candidate's or a leader's question votes for nobody else for T. Who was down may have
 *     said so, and waits for T.
 *
 * Questions have numbers, `round`, and answers carry the number of theirs. From a candidacy on a round takes T divided
 * by `heartbeats`: an answer of the round `heartbeats` ago or before is of a question that is T old, and counts no more.
 *
 * Why no two lead at a moment, if A leads term a and B a later term b. Some node said yes to both, A's question less than
 * T ago, and that before it voted in b: for afterwards it refuses what is of term a. So by R10 it has not voted in b yet.
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
  type Law,
  MAX_WORD,
  message,
  NONE,
  onOff,
  type RunFacts,
  upkeep,
  type View,
} from '../../kernel/index.ts';

const assumes = {
  network: 'complete',
  timing: 'async',
  ids: 'unique',
  fifo: false,
  knows: ['neighbours'],
  faults: ['crash', 'recover', 'loss', 'duplication', 'partition'],
} as const;

/** So long that seldom two time out within a message's time of each other, and take each other's votes. */
const units = { max: 1_000_000, byDefault: (n: number) => Math.max(20, 4 * n) };

const params = {
  timeout: integer('units without a leader after which a node may want to lead', { min: 1, ...units }),
  spread: integer('units of which a part, by lot, is added to each time-out', { min: 0, ...units }),
  heartbeats: integer('heartbeats of a leader in a time-out', { min: 2, max: 20, byDefault: 4 }),
  prevote: onOff('ask whether others would vote before raising the term', true),
  checkQuorum: onOff('a leader that a majority does not answer steps down', true),
  lease: onOff('who hears a leader votes for nobody', true),
};

const state = {
  term: counter(MAX_WORD, { durable: true }),
  votedFor: id({ durable: true }),
  role: choice(['follower', 'pre-candidate', 'candidate', 'leader']),
  round: counter(MAX_WORD),
  /** By port, the last round of what it asks now to which the answer was yes; 0 if none was. */
  yes: counters(MAX_WORD),
  /** It said yes less than T ago. */
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
  whenReached: 'starts',
  params,
  state,
  messages,
  timers: ['election', 'heartbeat', 'promise'],
  watchedFor,

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
      heed(term, state, ctx); // R8
      if (state.role !== 'pre-candidate' || round !== state.round || !granted) return;
      state.yes[port] = round;
      if (hasMajority(state, ctx)) campaign(state, ctx); // R4
    },

    requestVote(state, port, { term, round }, ctx) {
      const mayVote = !(ctx.params.lease && hearsLeader(state)); // R10
      if (mayVote) heed(term, state, ctx); // R8
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
      heed(term, state, ctx); // R8
      if (state.role !== 'candidate' || term !== state.term || !granted) return;
      state.yes[port] = round;
      if (hasMajority(state, ctx)) lead(state, ctx); // R6
    },

    heartbeat(state, port, { term, round }, ctx) {
      heed(term, state, ctx); // R8
      if (term === state.term) {
        sayYes(state, ctx);
        ctx.decide('follower', ctx.neighbour(port), term); // R7
      }
      ctx.send(port, 'acknowledge', state.term, round); // R7, R8
    },

    acknowledge(state, port, { term, round }, ctx) {
      heed(term, state, ctx); // R8
      if (!ctx.params.checkQuorum || state.role !== 'leader' || term !== state.term) return;
      if (round > state.yes[port]) state.yes[port] = round;
    },
  },

  laws: laws(),
});

/** Hundredths of a unit. */
const STEPS = 100;

/** R1: the time-out begins anew. */
function awaitLeader(ctx: Ctx): void {
  const { spread, timeout } = ctx.params;
  ctx.setTimer('election', timeout + (spread > 0 ? ctx.random(spread * STEPS) / STEPS : 0));
}

/** R8: what is of a later term ends all that this node is in its own. */
function heed(term: number, state: State, ctx: Ctx): void {
  if (term <= state.term) return;
  state.term = term;
  state.votedFor = NONE;
  standBack(state, ctx);
}

/** Only a leader has no time-out running. */
function standBack(state: State, ctx: Ctx): void {
  if (state.role === 'leader') awaitLeader(ctx); // R1
  if (state.role === 'candidate' || state.role === 'leader') ctx.clearTimer('heartbeat');
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
  ctx.setTimer('promise', ctx.params.timeout);
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
  state.votedFor = ctx.id; // R4
  ask('requestVote', state.term, state, ctx);
  if (hasMajority(state, ctx))
    lead(state, ctx); // R6
  else ctx.setTimer('heartbeat', ctx.params.timeout / ctx.params.heartbeats);
}

/** Asks all, and forgets what they said to the question before. */
function ask(type: 'requestPreVote' | 'requestVote', term: number, state: State, ctx: Ctx): void {
  state.yes = new Array(ctx.degree).fill(0);
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, type, term, state.round);
  awaitLeader(ctx); // R1
}

/** Have enough said yes, itself among them, to what it asked less than T ago? */
function hasMajority(state: State, ctx: Ctx): boolean {
  const oldest = Math.max(1, state.round - ctx.params.heartbeats + 1);
  let all = 1;
  for (let port = 0; port < ctx.degree; port++) if (state.yes[port] >= oldest) all++;
  return 2 * all > ctx.degree + 1;
}

function lead(state: State, ctx: Ctx): void {
  state.role = 'leader';
  ctx.clearTimer('election');
  ctx.decide('leader', ctx.id, state.term); // R6
  beat(state, ctx);
}

/** A candidate's rounds pass too: its votes are promises of T, and the time runs from when it asked for them. */
function nextRound(state: State, ctx: Ctx): void {
  state.round++;
  ctx.setTimer('heartbeat', ctx.params.timeout / ctx.params.heartbeats);
  if (state.role !== 'leader') return;
  if (!ctx.params.checkQuorum || hasMajority(state, ctx))
    beat(state, ctx); // R6
  else standBack(state, ctx); // R9
}

function beat(state: State, ctx: Ctx): void {
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'heartbeat', state.term, state.round);
}

function watchedFor(_n: number, params: RunFacts['params']): number {
  return 10 * (Number(params.timeout) + Number(params.spread));
}

/** When a law holds: in words, and of which runs that is true. */
type Case = readonly [when: string, holds: (run: RunFacts) => boolean];
type Figure = (run: RunFacts, T: number, S: number) => number;

function laws(): Law[] {
  const alone: Case = ['one initiator, no faults, two round trips in T', (run) => run.k === 1 && isCalm(run)];
  const inLockstep: Case = [`in lockstep, ${alone[0]}`, (run) => run.lockstep && alone[1](run)];
  const onTime: Case = [
    `${inLockstep[0]}, S = 0, heartbeats divide T`,
    (run) => inLockstep[1](run) && run.params.spread === 0 && periodOf(run) % 1 === 0,
  ];
  /** The first to time out asks first, and is elected unless over half have timed out when its question comes. */
  const unsplit: Case = [
    'in lockstep, no faults; k = 1, or n ≥ 5 and S ≥ 4k',
    (run) =>
      run.lockstep && isCalm(run) && (run.k === 1 || (run.n >= 5 && Number(run.params.spread) >= 4 * run.k)),
  ];
  return [
    ...['requestPreVote', 'preVote'].map((messages) =>
      law('exact', { messages }, 'n−1; 0 without pre-vote', alone, ({ n, params }) =>
        params.prevote ? n - 1 : 0,
      ),
    ),
    ...['requestVote', 'vote'].map((messages) => law('exact', { messages }, 'n−1', alone, ({ n }) => n - 1)),
    law('exact', 'leaderKnows', 'T+4, or T+2 without pre-vote', onTime, (run, T) => T + asking(run)),
    law('exact', 'lastKnows', 'T+5, or T+3', onTime, (run, T) => T + asking(run) + (run.n > 1 ? 1 : 0)),
    law('exact', { messages: 'heartbeat' }, 'n−1 a round', onTime, (run) => heartbeatsBefore(0, run)),
    law('exact', { messages: 'acknowledge' }, 'n−1 a round', onTime, (run) => heartbeatsBefore(1, run)),
    law('bound', 'leaderKnows', 'T+S+4', inLockstep, (run, T, S) => T + S + asking(run)),
    law('mean', 'leaderKnows', 'T+S/(k+1)+4', unsplit, (run, T, S) => T + S / (run.k + 1) + asking(run)),
  ];
}

function law(kind: Law['kind'], measure: Law['measure'], formula: string, of: Case, figure: Figure): Law {
  const [when, holds] = of;
  const value: Law['value'] = (run) =>
    holds(run) ? figure(run, Number(run.params.timeout), Number(run.params.spread)) : undefined;
  return { kind, measure, formula, when, value };
}

function isCalm({ dead, lockstep, params, smooth, timely }: RunFacts): boolean {
  return smooth && timely && dead.length === 0 && Number(params.timeout) >= (lockstep ? 4 : 12);
}

/** From the time-out to the majority of votes, in lockstep. */
function asking({ n, params }: RunFacts): number {
  return n === 1 ? 0 : params.prevote ? 4 : 2;
}

/** Sent so many units before the end: when it leads, and then as the rounds go from when it asked for votes. */
function heartbeatsBefore(units: number, run: RunFacts): number {
  const { n, params } = run;
  const time = watchedFor(n, params) - units - (Number(params.timeout) + asking(run) - 2);
  return (n - 1) * (2 + Math.floor(time / periodOf(run)) - Math.ceil(2 / periodOf(run)));
}

function periodOf({ params }: RunFacts): number {
  return Number(params.timeout) / Number(params.heartbeats);
}
