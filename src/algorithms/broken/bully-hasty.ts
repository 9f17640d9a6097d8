/**
 * Hector Garcia-Molina: Elections in a distributed computing system. IEEE Transactions on Computers C-31(1), 1982;
 * with the messages that the textbooks give it: election, answer, coordinator.
 *
 * Model: complete network, unique ids that all know, processes that crash and recover, a round trip that is over
 * within the time-out T. Those that find the coordinator dead initiate.
 * Wins: the largest live id.
 * Costs, process n dead and i the smallest that noticed: (n−i)(n−i+1)/2 election, (n−i)(n−i−1)/2 answer and n−2
 * coordinator; the last node knows at T+2. A recovered n takes over with n−1 messages in one unit.
 *
 * Guarantees, while round trips are timely and nothing is lost: one leader in each term, whoever crashes and recovers
 * whenever; and in the end one leader known to all live nodes, once crashes are over and, if the coordinator died in
 * office, somebody has been told of it or has recovered. Links need not keep their order; a message may come twice.
 * Does not watch the coordinator: that is a failure detector's work. Where the time-out is shorter than a round trip,
 * an answer is lost or the network parts, two may lead one term; and what is lost is not sent again, so that in the
 * end some may follow an old coordinator, or none.
 *
 * R1  Who finds the coordinator dead, by being told or by a message to it that comes back, calls an election: it sends
 *     `election` to all larger ids.
 * R2  Who gets `election` answers, and calls the same election itself unless it is in one.
 * R3  Who has no answer when the time-out is over, or no larger id above it, is the coordinator, and says so to all
 *     smaller ids.
 * R4  Who has an answer waits for the coordinator, and calls again if none comes in time.
 * R5  Who gets `coordinator` takes the sender for the coordinator.
 * R6  Who has recovered calls an election.
 *
 * The sources stop here. Terms tell a new coordinator from an old one, and let a process that knows nothing of the
 * last elections take over:
 *
 * R7  Terms are dealt out in turn: of N processes only the one with r smaller ids calls the terms r+1, r+1+N, r+1+2N
 *     and so on, each time the next above all that it has seen. The largest seen is on disk, so that none is called
 *     twice. All that is said in an election, and the coordinator that comes of it, belongs to its term; who hears of
 *     a newer term while it is in an election goes on in that.
 * R8  A coordinator holds no election: it tells a caller that it leads, or, if the call is of a newer term than its
 *     own, announces itself in its next term above.
 * R9  `coordinator` of an older term than one's own is answered with the newer; the sender, if it still leads,
 *     announces itself above that. To the receiver it is as good as an answer: a larger process lives.
 * R10 Who has recovered leads only terms of its own: it may have missed the call of a smaller process that leads a
 *     term of another's by now.
 *
 * Why no two lead one term, if A leads it first and B later. A smaller: A called B and had no answer, so B was dead
 * then and has recovered since. By R10 the term is B's own, and A, smaller, was never called in it. A larger: B called
 * A and had no answer, so A was dead then. Had A recovered before it led, the term would be A's own, in which B,
 * smaller, was never called. So A had led and then died before B's call came, at most half a round trip after B sent
 * it, and what A announced was there half a round trip later: within B's time-out, so that B followed.
 */
import {
  announcement,
  type Context,
  choice,
  counter,
  defineAlgorithm,
  flag,
  id,
  integer,
  type Law,
  MAX_WORD,
  message,
  NONE,
  type RunFacts,
  type View,
} from '../../kernel/index.ts';

const assumes = {
  network: 'complete',
  timing: 'timely',
  ids: 'unique',
  fifo: false,
  knows: ['neighbours'],
  faults: ['crash', 'recover', 'duplication'],
} as const;

const params = {
  timeout: integer('units after which a process that has not answered counts as dead', {
    min: 1,
    max: 1_000_000,
    byDefault: 2,
  }),
};

const state = {
  /** The largest seen. While it is in no election, the term of its coordinator. */
  term: counter(MAX_WORD, { durable: true }),
  coordinator: id(),
  phase: choice(['idle', 'calling', 'waiting']),
  recovered: flag(),
};

const messages = {
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['term', counter(MAX_WORD)]),
  coordinator: announcement(['term', counter(MAX_WORD)]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'patience'>;

export const bully = defineAlgorithm({
  name: 'bully',
  title: 'Bully',
  source: 'Garcia-Molina 1982',
  cost: '(n−i)² + n−2',
  assumes,
  occasion: 'coordinator dead',
  params,
  state,
  messages,
  timers: ['patience'],

  onStart(state, ctx) {
    callNewTerm(state, ctx); // R1
  },

  onRestart(state, ctx) {
    state.recovered = true;
    callNewTerm(state, ctx); // R6
  },

  on: {
    election(state, port, { term }, ctx) {
      if (leadsOver(port, state, ctx)) {
        if (term > state.term)
          announce(state, ownTermFrom(term + 1, ctx), ctx); // R8
        else ctx.send(port, 'coordinator', state.term); // R8
        return;
      }
      const joins = state.phase === 'idle' && term > state.term;
      if (term > state.term) state.term = term;
      ctx.send(port, 'answer', state.term); // R2
      if (joins) call(state, ctx);
    },

    answer(state, port, { term }, ctx) {
      if (leadsOver(port, state, ctx)) {
        if (term > state.term) announce(state, ownTermFrom(term + 1, ctx), ctx); // R9
      } else if (ctx.neighbour(port) > ctx.id && state.phase !== 'idle') {
        if (term > state.term) state.term = term;
        if (state.phase === 'calling') wait(state, ctx); // R4
      }
    },

    coordinator(state, port, { term }, ctx) {
      const sender = ctx.neighbour(port);
      if (term > state.term || (term === state.term && sender > state.coordinator)) {
        follow(state, sender, term, ctx); // R5
      } else if (term < state.term) {
        ctx.send(port, 'answer', state.term); // R9
        if (state.phase !== 'idle') wait(state, ctx);
      }
    },
  },

  onUndelivered(state, port, _message, ctx) {
    if (ctx.neighbour(port) === state.coordinator) callNewTerm(state, ctx); // R1
  },

  onTimer(state, _timer, ctx) {
    if (state.phase === 'calling')
      lead(state, ctx); // R3
    else callNewTerm(state, ctx); // R4
  },

  laws: [
    exact({ messages: 'election' }, '(n−i)(n−i+1)/2', ({ n }, i) => ((n - i) * (n - i + 1)) / 2),
    exact({ messages: 'answer' }, '(n−i)(n−i−1)/2', ({ n }, i) => ((n - i) * (n - i - 1)) / 2),
    exact('announcement', 'n−2', ({ n }) => n - 2),
    exact('leaderKnows', 'T+1; T if n−1 noticed', leaderKnows),
    exact('lastKnows', 'T+2; T+1 if n−1 noticed', (run, i, last) =>
      run.n > 2 ? leaderKnows(run, i, last) + 1 : undefined,
    ),
  ],
});

/** Is this the coordinator, and the process behind the port a smaller one? */
function leadsOver(port: number, state: State, ctx: Ctx): boolean {
  return state.coordinator === ctx.id && ctx.neighbour(port) < ctx.id;
}

function callNewTerm(state: State, ctx: Ctx): void {
  state.term = ownTermFrom(state.term + 1, ctx); // R7
  call(state, ctx);
}

/** Calls the election of its term, or leads it at once if there is nobody to call. */
function call(state: State, ctx: Ctx): void {
  const rank = rankOf(ctx);
  state.coordinator = NONE;
  state.phase = 'calling';
  for (let port = rank; port < ctx.degree; port++) ctx.send(port, 'election', state.term); // R1, R2
  if (rank < ctx.degree) ctx.setTimer('patience', ctx.params.timeout / 2);
  else lead(state, ctx); // R3
}

/**
 * Twice the time-out is enough. Let d be the longest delay, at most T/2, and the call be sent at 0: the largest live
 * process gets it by d, and is then in an election that it called by d, or calls one now. So it leads by d+T, and its
 * word is here by d+T+d, at most 2T. The answer came after 0, so that the wait ends later. In vain is a wait only if
 * the largest crashed in the election, or waits itself for one that did.
 */
function wait(state: State, ctx: Ctx): void {
  state.phase = 'waiting';
  ctx.setTimer('patience', 2 * ctx.params.timeout);
}

function lead(state: State, ctx: Ctx): void {
  announce(state, state.recovered ? ownTermFrom(state.term, ctx) : state.term, ctx); // R10
}

function announce(state: State, term: number, ctx: Ctx): void {
  settle(state, ctx.id, term, ctx);
  ctx.decide('leader', ctx.id, term);
  const rank = rankOf(ctx);
  for (let port = 0; port < rank; port++) ctx.send(port, 'coordinator', term); // R3
}

function follow(state: State, coordinator: number, term: number, ctx: Ctx): void {
  settle(state, coordinator, term, ctx);
  ctx.decide('follower', coordinator, term);
}

function settle(state: State, coordinator: number, term: number, ctx: Ctx): void {
  state.term = term;
  state.coordinator = coordinator;
  state.phase = 'idle';
  ctx.clearTimer('patience');
}

/** How many ids are smaller: the ports below this one lead to them, the others to larger ids. */
function rankOf(ctx: Ctx): number {
  let rank = 0;
  while (rank < ctx.degree && ctx.neighbour(rank) < ctx.id) rank++;
  return rank;
}

/** The first of this process's own terms that is not below `least`. */
function ownTermFrom(least: number, ctx: Ctx): number {
  const processes = ctx.degree + 1;
  const ahead = (rankOf(ctx) + 1 - least) % processes; // R7
  return least + (ahead < 0 ? ahead + processes : ahead);
}

type Figure = (run: RunFacts, smallest: number, largest: number) => number | undefined;

/** A law for the smallest and the largest process that noticed, numbered as in 1..n whatever the ids are. */
function exact(measure: Law['measure'], formula: string, figure: Figure): Law {
  return {
    measure,
    kind: 'exact',
    formula,
    when: 'in lockstep, n alone is dead, and i is the smallest that noticed',
    value: (run) => {
      const { ids, dead, initiators, lockstep, n, params, smooth } = run;
      const isTimely = Number(params.timeout) >= 2;
      const onlyLargestDead = dead.length === 1 && numberOf(ids, dead[0]) === n;
      if (!lockstep || !smooth || !isTimely || !onlyLargestDead) return undefined;
      let [smallest, largest] = [NONE, NONE];
      for (const position of initiators) {
        if (position === dead[0]) continue;
        if (smallest === NONE || ids[position] < ids[smallest]) smallest = position;
        if (largest === NONE || ids[position] > ids[largest]) largest = position;
      }
      return largest === NONE ? undefined : figure(run, numberOf(ids, smallest), numberOf(ids, largest));
    },
  };
}

function leaderKnows({ n, params }: RunFacts, _smallest: number, largest: number): number {
  return Number(params.timeout) + (largest === n - 1 ? 0 : 1);
}

/** 1 for the smallest id, n for the largest. */
function numberOf(ids: Int32Array, position: number): number {
  let number = 1;
  for (const id of ids) if (id < ids[position]) number++;
  return number;
}
