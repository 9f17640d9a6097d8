/**
 * Mina Shirali, Abolfazl Haghighat Toroghi, Mehdi Vojdani: Leader election algorithms: history and novel schemes.
 * Section 2.1: the bully of Garcia-Molina, with the processes' numbers in their answers.
 *
 * Model: complete network, unique ids that all know, processes that crash and recover, a round trip that is over
 * within the time-out T. Those that find the coordinator dead initiate.
 * Wins: the largest live id. Not it but the process that called announces it.
 * Costs, process n dead and i alone noticed: n−i election, n−i−1 answer and n−2 coordinator, 2(n−i)−1 + n−2 in all; the
 * last node knows at T+1. Several that notice call and are answered one by one, and the smallest of them announces.
 *
 * Guarantees, whatever is late or lost: one leader in each term. While round trips are timely and nothing is lost: in
 * the end one leader known to all live nodes, once crashes are over and, if the coordinator died in office, somebody
 * has been told of it or has recovered. Links need not keep their order; a message may come twice.
 * Where the time-out is shorter than a round trip, or something is lost, there may be two leaders at a time, of
 * different terms, and some may follow an old one, or none. That ends when the network is timely again, what was called
 * before has come to its end, and anybody calls.
 * Does not watch the coordinator: that is a failure detector's work.
 *
 * R1  Who finds the coordinator dead, by being told or by a message to it that comes back, sends `election` to all larger
 *     ids.
 * R2  Who gets `election` answers with its id.
 * R3  When the time-out is over, the caller takes the largest that answered, or itself if nobody did, for the
 *     coordinator, and says so to all smaller ids and all that answered.
 * R4  Who gets `coordinator` takes the process that it names for the coordinator; it may be itself.
 *
 * The source stops here. What crashes, recoveries and several callers need:
 *
 * R5  Who has recovered waits until elections that have missed it are over, and calls one.
 * R6  Who has answered gives up an election of its own, waits for the outcome, and calls if none comes in time.
 * R7  Terms are dealt out in turn (term.ts). The caller announces in a term of its own, above all that answers tell of.
 * R8  `coordinator` of an older term than one's own is answered with the newer; the sender, if it knows of none so new,
 *     calls again above that.
 *
 * Why no two lead one term: only its owner names who leads it, and names one.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  id,
  MAX_WORD,
  message,
  NONE,
  portSet,
  type View,
} from '../../kernel/index.ts';
import { assumes, params } from './crashing-processes.ts';
import { exact, timeoutOf } from './dead-coordinator.ts';
import { settle } from './office.ts';
import { callNewTerm, onAnswer, onElection, poll } from './poll.ts';
import { ownTermFrom, rankOf } from './term.ts';

const state = {
  ...poll,
  /** The ports of those that have answered. */
  answered: portSet(),
};

const messages = {
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['id', id()], ['term', counter(MAX_WORD)]),
  coordinator: announcement(['id', id()], ['term', counter(MAX_WORD)]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'patience' | 'recovery'>;

export const bullyIds = defineAlgorithm({
  name: 'bully-ids',
  title: 'Bully, ids in the answers',
  source: 'Shirali et al., 2.1',
  cost: '2(n−i)−1 + n−2',
  assumes,
  trigger: 'coordinator dead',
  params,
  state,
  messages,
  timers: ['patience', 'recovery'],

  onStart(state, ctx) {
    call(state, ctx); // R1
  },

  onRestart(_state, ctx) {
    ctx.setTimer('recovery', 2 * ctx.params.timeout); // R5
  },

  on: {
    election(state, port, { term }, ctx) {
      onElection(state, port, term, ctx); // R2, R6
    },

    answer(state, port, { id, term }, ctx) {
      if (onAnswer(state, id, term)) {
        state.answered.add(port);
      } else if (state.phase === 'idle' && term > state.term) {
        state.term = term;
        call(state, ctx); // R8
      }
    },

    coordinator(state, port, { id, term }, ctx) {
      if (term < state.term)
        ctx.send(port, 'answer', ctx.id, state.term); // R8
      else settle(state, id, term, ctx); // R4
    },
  },

  onUndelivered(state, port, _message, ctx) {
    if (ctx.neighbour(port) === state.coordinator) call(state, ctx); // R1
  },

  onTimer(state, timer, ctx) {
    if (timer === 'patience' && state.phase === 'calling')
      conclude(state, ctx); // R3
    else call(state, ctx); // R6
  },

  laws: [
    exact({ messages: 'election' }, 'n−i, summed over all that noticed', ({ n }, noticed) =>
      noticed.reduce((sum, i) => sum + n - i, 0),
    ),
    exact({ messages: 'answer' }, 'n−i−1, summed over all that noticed', ({ n }, noticed) =>
      noticed.reduce((sum, i) => sum + n - i - 1, 0),
    ),
    exact('announcement', 'n−2', ({ n }) => n - 2),
    exact(
      'electedAt',
      'T+1; T if n−1 alone noticed',
      (run, [i]) => timeoutOf(run) + (i === run.n - 1 ? 0 : 1),
    ),
    exact('agreedAt', 'T+1', (run) => (run.n > 2 ? timeoutOf(run) + 1 : undefined)),
  ],
});

function call(state: State, ctx: Ctx): void {
  state.answered.clear();
  if (!callNewTerm(state, ctx)) conclude(state, ctx);
}

function conclude(state: State, ctx: Ctx): void {
  const coordinator = state.best === NONE ? ctx.id : state.best;
  const term = ownTermFrom(state.term, ctx); // R7
  settle(state, coordinator, term, ctx);
  const rank = rankOf(ctx);
  for (let port = 0; port < rank; port++) ctx.send(port, 'coordinator', coordinator, term); // R3
  for (const port of state.answered) ctx.send(port, 'coordinator', coordinator, term); // R3
}
