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
 * Where the time-out is shorter than a round trip, an answer is lost or the network parts, two may lead one term; and
 * what is lost is not sent again, so that some may follow an old coordinator, or none. That ends when the network is
 * timely again, what was called before has come to its end, and anybody calls: one leader, known to all.
 * Does not watch the coordinator: that is a failure detector's work.
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
 * R7  Terms are dealt out in turn (term.ts). All that is said in an election, and the coordinator that comes of it,
 *     belongs to its term; who hears of a newer term while it is in an election goes on in that.
 * R8  Who is in no election and gets a call of a term that it has heard of only answers, with the newest that it knows: if
 *     there is a coordinator, its word will come; if not, the caller calls again, above that. A coordinator that is
 *     called in a new term holds the election as all others do.
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
 *
 * Why one call is enough, whatever was lost in elections that are over: the largest live process, which nobody larger
 * answers, is called. If the term is new to it, it holds an election, leads, and tells all, by R9 until its term is the
 * newest. If not, the caller learns of a newer term, waits in vain, and calls again above that.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  flag,
  MAX_WORD,
  message,
  type RunFacts,
  type View,
} from '../../kernel/index.ts';
// By the name of the folder: so a twin elsewhere is one line away.
import { answerOlder, onAnswer, onElection } from '../complete/contest.ts';
import { assumes, params } from '../complete/crashing-processes.ts';
import { exact, timeoutOf } from '../complete/dead-coordinator.ts';
import { announce, callLarger, enterNewTerm, isOutdated, office, onCoordinator } from '../complete/office.ts';
import { ownTermFrom } from '../complete/term.ts';

const state = { ...office, recovered: flag() };

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
  trigger: 'coordinator dead',
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
      if (onElection(state, port, term, ctx)) call(state, ctx); // R2, R8
    },

    answer(state, port, { term }, ctx) {
      if (isOutdated(state, port, term, ctx))
        announce(state, ownTermFrom(term + 1, ctx), ctx); // R9
      else onAnswer(state, port, term, ctx); // R4
    },

    coordinator(state, port, { term }, ctx) {
      const heeded = onCoordinator(state, port, term, ctx); // R5
      if (heeded === 'older') answerOlder(state, port, ctx); // R9
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
    exact({ messages: 'election' }, '(n−i)(n−i+1)/2', ({ n }, [i]) => ((n - i) * (n - i + 1)) / 2),
    exact({ messages: 'answer' }, '(n−i)(n−i−1)/2', ({ n }, [i]) => ((n - i) * (n - i - 1)) / 2),
    exact('announcement', 'n−2', ({ n }) => n - 2),
    exact('electedAt', 'T+1; T if n−1 noticed', electedAt),
    exact('agreedAt', 'T+2; T+1 if n−1 noticed', (run, noticed) =>
      run.n > 2 ? electedAt(run, noticed) + 1 : undefined,
    ),
  ],
});

function callNewTerm(state: State, ctx: Ctx): void {
  enterNewTerm(state, ctx); // R7
  call(state, ctx);
}

/** Calls the election of its term, or leads it at once if there is nobody to call. */
function call(state: State, ctx: Ctx): void {
  const isCalled = callLarger(state, ctx.params.timeout / 2, ctx); // R1, R2
  if (!isCalled) lead(state, ctx); // R3
}

function lead(state: State, ctx: Ctx): void {
  announce(state, state.recovered ? ownTermFrom(state.term, ctx) : state.term, ctx); // R10
}

function electedAt(run: RunFacts, noticed: readonly number[]): number {
  return timeoutOf(run) + (noticed.includes(run.n - 1) ? 0 : 1);
}
