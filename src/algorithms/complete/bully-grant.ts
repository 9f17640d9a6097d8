/**
 * M. S. Kordafshari, M. Gholipour, M. Jahanshahi, A. T. Haghighat: Modified bully election algorithm in distributed
 * systems. WSEAS Conferences, Cancun, 2005; in the steps of the lecture notes of the National Institute of Technology
 * Rourkela.
 *
 * Model: complete network, unique ids that all know, processes that crash and recover, a round trip that is over
 * within the time-out T. Those that find the coordinator dead initiate.
 * Wins: the largest live id.
 * Costs, process n dead and i alone noticed: n−i election, n−i−1 answer, one grant (none if i = n−1) and n−2
 * coordinator; the last node knows at T+2 (i = n−1: T+1). Several that notice call and are answered one by one, and the
 * smallest of them grants.
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
 * R2  If nobody answers, it is the coordinator, and says so to all smaller ids.
 * R3  Who gets `election` answers with its id.
 * R4  When all answers are there, which is when the time-out is over, the caller sends `grant` to the largest that
 *     answered.
 * R5  Who gets `grant` is the coordinator, and says so to all smaller ids.
 *
 * The source stops here. What crashes, recoveries and several callers need:
 *
 * R6  Who gets `coordinator` takes the sender for the coordinator.
 * R7  Who has recovered waits until elections that have missed it are over, and calls one.
 * R8  Who has answered gives up an election of its own, waits for the coordinator, and calls if none comes in time; so
 *     does who has granted.
 * R9  Terms are dealt out in turn (term.ts). The caller leads, or grants, a term of its own, above all that answers tell
 *     of. A grant lapses where a newer term is known.
 * R10 `coordinator` of an older term than one's own is answered with the newer; the sender, if it still leads,
 *     announces itself above that.
 *
 * Why no two lead one term: its owner leads it, or grants it to one.
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
  type RunFacts,
  type View,
} from '../../kernel/index.ts';
import { assumes, params } from './crashing-processes.ts';
import { exact, timeoutOf } from './dead-coordinator.ts';
import { announce, isOutdated, onCoordinator, wait } from './office.ts';
import { callNewTerm, onAnswer, onElection, poll } from './poll.ts';
import { ownTermFrom, portTo } from './term.ts';

const messages = {
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['id', id()], ['term', counter(MAX_WORD)]),
  grant: message(['term', counter(MAX_WORD)]),
  coordinator: announcement(['term', counter(MAX_WORD)]),
};

type State = View<typeof poll>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, 'patience' | 'recovery'>;

export const bullyGrant = defineAlgorithm({
  name: 'bully-grant',
  title: 'Bully with a grant',
  source: 'Kordafshari et al. 2005',
  cost: '2(n−i) + n−2',
  assumes,
  trigger: 'coordinator dead',
  params,
  state: poll,
  messages,
  timers: ['patience', 'recovery'],

  onStart(state, ctx) {
    call(state, ctx); // R1
  },

  onRestart(_state, ctx) {
    ctx.setTimer('recovery', 2 * ctx.params.timeout); // R7
  },

  on: {
    election(state, port, { term }, ctx) {
      onElection(state, port, term, ctx); // R3, R8
    },

    answer(state, port, { id, term }, ctx) {
      if (isOutdated(state, port, term, ctx))
        announce(state, ownTermFrom(term + 1, ctx), ctx); // R10
      else onAnswer(state, id, term); // R4
    },

    grant(state, _port, { term }, ctx) {
      if (term >= state.term) announce(state, term, ctx); // R5, R9
    },

    coordinator(state, port, { term }, ctx) {
      const heeded = onCoordinator(state, port, term, ctx); // R6
      if (heeded === 'older') ctx.send(port, 'answer', ctx.id, state.term); // R10
    },
  },

  onUndelivered(state, port, _message, ctx) {
    if (ctx.neighbour(port) === state.coordinator) call(state, ctx); // R1
  },

  onTimer(state, timer, ctx) {
    if (timer === 'patience' && state.phase === 'calling')
      conclude(state, ctx); // R2, R4
    else call(state, ctx); // R8
  },

  laws: [
    exact({ messages: 'election' }, 'n−i, summed over all that noticed', ({ n }, noticed) =>
      noticed.reduce((sum, i) => sum + n - i, 0),
    ),
    exact({ messages: 'answer' }, 'n−i−1, summed over all that noticed', ({ n }, noticed) =>
      noticed.reduce((sum, i) => sum + n - i - 1, 0),
    ),
    exact({ messages: 'grant' }, '1; 0 if n−1 alone noticed', ({ n }, [i]) => (i === n - 1 ? 0 : 1)),
    exact('announcement', 'n−2', ({ n }) => n - 2),
    exact('electedAt', 'T+1; T if n−1 alone noticed', electedAt),
    exact('agreedAt', 'T+2; T+1 if n−1 alone noticed', (run, noticed) =>
      run.n > 2 ? electedAt(run, noticed) + 1 : undefined,
    ),
  ],
});

function call(state: State, ctx: Ctx): void {
  if (!callNewTerm(state, ctx)) conclude(state, ctx);
}

function conclude(state: State, ctx: Ctx): void {
  const term = ownTermFrom(state.term, ctx); // R9
  if (state.best === NONE) {
    announce(state, term, ctx); // R2
    return;
  }
  state.term = term;
  ctx.send(portTo(state.best, ctx), 'grant', term); // R4
  wait(state, ctx); // R8
}

function electedAt(run: RunFacts, [i]: readonly number[]): number {
  return timeoutOf(run) + (i === run.n - 1 ? 0 : 1);
}
