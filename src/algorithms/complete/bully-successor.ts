/**
 * A. Arghavani, E. Ahmadi, A. T. Haghighat: Improved bully election algorithm in distributed systems. ICIMU 2011; as
 * the lecture notes of the National Institute of Technology Rourkela tell it.
 *
 * Model: complete network, unique ids that all know, processes that crash and recover, a round trip that is over
 * within the time-out T. Those that find the coordinator dead initiate. Before time 0 process n was the coordinator, and
 * had declared n−1 its successor.
 * Wins: the largest live id.
 * Costs, process n dead: if n−1 noticed, n−2 coordinator, and all know at 1; if i < n−1 did, one call more, and all know
 * at 2. If n−1 is dead too: one call, then the bully among the others, (n−i)(n−i+1)/2 − 1 election, (n−i−1)(n−i−2)/2
 * answer, n−3 coordinator, and all know at 2T+2. Before it may die a coordinator gathers and declares, which is upkeep:
 * 3n−5 messages if all but n live.
 *
 * Guarantees, while round trips are timely and nothing is lost: one leader in each term, whoever crashes and recovers
 * whenever; and in the end one leader known to all live nodes, once crashes are over and, if the coordinator died in
 * office, somebody has been told of it or has recovered. Links need not keep their order; a message may come twice.
 * Where the time-out is shorter than a round trip, or something is lost, two may lead one term, and some may follow an
 * old coordinator, or none. That ends when the network is timely again, what was called before has come to its end, and
 * anybody calls.
 * Does not watch the coordinator: that is a failure detector's work. Gathers once, when it takes office: a successor that
 * dies later is not replaced.
 *
 * R1  Who takes office asks all others who lives; the smaller ones say so, and after the time-out it declares the
 *     largest of them its successor.
 * R2  Who finds the coordinator dead compares its id with the declared one. The successor takes office at once, in a
 *     term of its own.
 * R3  Who is smaller than the successor calls it, and hands it a term of its own; the successor takes office in that.
 * R4  If the successor does not do so within the time-out, or none is declared, or it is a smaller one, an election of the
 *     bully is held: R1 to R6 of bully.ts, here R5.
 *
 * The source stops here. Terms, and what they bring, are as R7 to R10 of bully.ts, here R6; and more:
 *
 * R7  A successor that follows a newer coordinator than the one found dead takes a call for a call of the bully's.
 * R8  Who is asked whether it lives by a smaller process calls an election: it is the larger one.
 *
 * Why no two lead one term: what the bully calls, only the bully leads (bully.ts); what is handed over, only one is
 * handed; and a successor's own term is its own.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  flag,
  id,
  MAX_WORD,
  message,
  NONE,
  type RunFacts,
  upkeep,
  type View,
} from '../../kernel/index.ts';
import { answerOlder, onAnswer, onElection } from './contest.ts';
import { assumes, params } from './crashing-processes.ts';
import { exact, exactWithoutTwo, timeoutOf } from './dead-coordinator.ts';
import { announce, callLarger, enterNewTerm, isOutdated, office, onCoordinator, wait } from './office.ts';
import { ownTermFrom, portTo, rankOf } from './term.ts';

const state = {
  ...office,
  recovered: flag(),
  /** The declared one; of the coordinator, the largest that it has heard of. */
  successor: id(),
};

const messages = {
  /** In which term to lead, and the term of the coordinator that is dead. */
  call: message(['term', counter(MAX_WORD)], ['of', counter(MAX_WORD)]),
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['term', counter(MAX_WORD)]),
  coordinator: announcement(['term', counter(MAX_WORD)]),
  gather: upkeep(),
  alive: upkeep(),
  successor: upkeep(['id', id()], ['term', counter(MAX_WORD)]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'patience' | 'gathering'>;

export const bullySuccessor = defineAlgorithm({
  name: 'bully-successor',
  title: 'Bully with a declared successor',
  source: 'Arghavani et al. 2011',
  cost: '1 + n−2',
  assumes,
  trigger: 'coordinator dead',
  params,
  state,
  messages,
  timers: ['patience', 'gathering'],

  onStart(state, ctx) {
    notice(state, ctx); // R2
  },

  onRestart(state, ctx) {
    state.recovered = true;
    callNewTerm(state, ctx); // R5
  },

  on: {
    call(state, port, { term, of }, ctx) {
      const isLeader = state.coordinator === ctx.id;
      const isFree = isLeader || (state.phase === 'idle' && state.term <= of);
      if (isFree && term > state.term)
        takeOffice(state, term, ctx); // R3
      else if (!isLeader && onElection(state, port, term, ctx)) call(state, ctx); // R7
    },

    election(state, port, { term }, ctx) {
      if (onElection(state, port, term, ctx)) call(state, ctx); // R5
    },

    answer(state, port, { term }, ctx) {
      if (isOutdated(state, port, term, ctx))
        takeOffice(state, ownTermFrom(term + 1, ctx), ctx); // R6
      else onAnswer(state, port, term, ctx); // R5
    },

    coordinator(state, port, { term }, ctx) {
      const heeded = onCoordinator(state, port, term, ctx); // R5
      if (heeded === 'followed') state.successor = NONE;
      if (heeded === 'older') answerOlder(state, port, ctx); // R6
    },

    gather(state, port, _message, ctx) {
      if (ctx.neighbour(port) > ctx.id)
        ctx.send(port, 'alive'); // R1
      else if (state.phase === 'idle') callNewTerm(state, ctx); // R8
    },

    alive(state, port, _message, ctx) {
      const sender = ctx.neighbour(port);
      if (state.coordinator === ctx.id && sender > state.successor) state.successor = sender; // R1
    },

    successor(state, port, { id, term }, ctx) {
      if (ctx.neighbour(port) === state.coordinator && term === state.term) state.successor = id; // R1
    },
  },

  onUndelivered(state, port, _message, ctx) {
    if (ctx.neighbour(port) === state.coordinator) notice(state, ctx); // R2
  },

  onTimer(state, timer, ctx) {
    if (timer === 'gathering') declare(state, ctx);
    else if (state.phase === 'calling')
      lead(state, ctx); // R5
    else callNewTerm(state, ctx); // R4, R5
  },

  laws: [
    exact(
      { messages: 'call' },
      'those that noticed but n−1',
      ({ n }, noticed) => noticed.filter((i) => i < n - 1).length,
    ),
    exact({ messages: 'election' }, '0', () => 0),
    exact('announcement', 'n−2, for each call; n−2 if n−1 noticed', announcements),
    exact('upkeep', '3n−5 if i alone noticed', ({ n }, noticed) =>
      noticed.length === 1 ? 3 * n - 5 : undefined,
    ),
    exact('agreedAt', '2; 1 if n−1 noticed', ({ n }, noticed) =>
      n === 2 ? undefined : noticed.includes(n - 1) ? 1 : 2,
    ),
    exactWithoutTwo({ messages: 'call' }, '1', (_run, { length }) => (length === 1 ? 1 : undefined)),
    exactWithoutTwo({ messages: 'election' }, '(n−i)(n−i+1)/2 − 1', ({ n }, [i, ...others]) =>
      others.length > 0 ? undefined : ((n - i) * (n - i + 1)) / 2 - 1,
    ),
    exactWithoutTwo({ messages: 'answer' }, '(n−i−1)(n−i−2)/2', ({ n }, [i, ...others]) =>
      others.length > 0 ? undefined : ((n - i - 1) * (n - i - 2)) / 2,
    ),
    exactWithoutTwo('announcement', 'n−3', ({ n }) => n - 3),
    exactWithoutTwo('agreedAt', '2T+2; 2T+1 if n−2 noticed', (run, noticed) =>
      run.n === 3 ? undefined : 2 * timeoutOf(run) + (noticed.includes(run.n - 2) ? 1 : 2),
    ),
  ],
});

function notice(state: State, ctx: Ctx): void {
  const successor = state.phase === 'idle' ? successorOf(state, ctx) : NONE;
  if (successor === ctx.id) {
    takeOffice(state, ownTermFrom(state.term + 1, ctx), ctx); // R2
  } else if (successor > ctx.id) {
    const of = state.term;
    enterNewTerm(state, ctx);
    wait(state, ctx);
    ctx.setTimer('patience', ctx.params.timeout); // R4
    ctx.send(portTo(successor, ctx), 'call', state.term, of); // R3
  } else {
    callNewTerm(state, ctx); // R4
  }
}

/** Who is to follow the coordinator. Of the one before the first election, the largest of all, it is the next. */
function successorOf(state: State, ctx: Ctx): number {
  if (state.term > 0) return state.successor;
  const rank = ctx.degree - 1;
  const own = rankOf(ctx);
  if (rank === own) return ctx.id;
  return rank < 0 ? NONE : ctx.neighbour(rank < own ? rank : rank - 1);
}

function callNewTerm(state: State, ctx: Ctx): void {
  enterNewTerm(state, ctx); // R6
  call(state, ctx);
}

function call(state: State, ctx: Ctx): void {
  if (!callLarger(state, ctx.params.timeout, ctx)) lead(state, ctx); // R5
}

function lead(state: State, ctx: Ctx): void {
  takeOffice(state, state.recovered ? ownTermFrom(state.term, ctx) : state.term, ctx); // R6
}

function takeOffice(state: State, term: number, ctx: Ctx): void {
  announce(state, term, ctx);
  state.successor = NONE;
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'gather'); // R1
  ctx.setTimer('gathering', ctx.params.timeout);
}

function declare(state: State, ctx: Ctx): void {
  if (state.coordinator !== ctx.id || state.successor === NONE) return;
  const rank = rankOf(ctx);
  for (let port = 0; port < rank; port++) ctx.send(port, 'successor', state.successor, state.term); // R1
}

function announcements({ n }: RunFacts, noticed: readonly number[]): number {
  return (noticed.includes(n - 1) ? 1 : noticed.length) * (n - 2);
}
