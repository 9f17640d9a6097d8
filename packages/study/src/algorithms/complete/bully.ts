/**
 * Hector Garcia-Molina: Elections in a distributed computing system. IEEE Transactions on Computers C-31(1), 1982;
 * with the message names of the textbooks: election, answer, coordinator.
 *
 * Model: complete network, unique ids known to all processes, crash-recovery, bounded delay: a round trip takes at
 * most the timeout T. The processes that detect the crash of the coordinator initiate.
 * Wins: the largest live id.
 * Costs, only process n crashed, i the smallest detector: (n−i)(n−i+1)/2 election, (n−i)(n−i−1)/2 answer and n−2
 * coordinator messages; the last process decides at T+2. If n recovers, it takes over with n−1 messages in one unit.
 *
 * Guarantees, under bounded delay and without message loss: at most one leader in each term, under any crashes and
 * recoveries. All live processes eventually agree on one leader, once crashes have stopped and the crash of the last
 * coordinator, if any, has been detected by a process or was followed by a recovery. Links need not be FIFO, and
 * messages may be duplicated.
 * If the timeout is shorter than a round trip, an answer is lost, or the network is partitioned, two processes may
 * lead the same term. Lost messages are not sent again, so some processes may follow an old coordinator or none. All
 * live processes agree again after the next election that starts when delays are bounded again and earlier elections
 * are over.
 * Does not detect the crash of the coordinator: a failure detector does that.
 *
 * R1  A process that detects the crash of the coordinator, or has a message to it returned as undelivered, calls an
 *     election: it sends `election` to all larger ids.
 * R2  A process that receives `election` sends `answer`. Unless it is in an election, it calls the larger ids in the
 *     same election.
 * R3  A process that has received no answer within the timeout, or has no larger id to call, becomes the coordinator
 *     and sends `coordinator` to all smaller ids.
 * R4  A process that has received an answer waits for `coordinator`. If none arrives in time, it calls a new
 *     election.
 * R5  A process that receives `coordinator` accepts the sender as the coordinator.
 * R6  A process that has recovered calls an election.
 *
 * The sources end here. Terms order the coordinators, and let a process that has missed elections take over:
 *
 * R7  Each term has one process that may call elections in it (terms.ts). All messages of an election, and its
 *     coordinator, belong to its term. A process in an election that receives a newer term continues in that term.
 * R8  A process in no election that receives a call of a term it has already seen only answers, with the newest term
 *     it knows. If there is a coordinator, its announcement will arrive. Otherwise the caller calls again, above that
 *     term. A coordinator that is called in a new term takes part in the election like any other process.
 * R9  A `coordinator` message of an older term is answered with the newer term. The sender, if it still leads,
 *     announces itself in a term above it. For the receiver the message also counts as an answer: a larger process is
 *     alive.
 * R10 A process that has recovered leads only terms of its own. It may have missed the call of a smaller process that
 *     by now leads a term of another process.
 *
 * Why no two processes lead the same term: suppose that A leads it first and B later. Case 1, A < B: A called B and
 * received no answer, so B had crashed and has recovered since. By R10 the term is B's own, and A, which is smaller,
 * was never called in it. Case 2, A > B: B called A and received no answer, so A had crashed. If A had recovered
 * before it led, the term would be A's own, in which B, which is smaller, was never called. So A led and then crashed
 * before the call of B arrived, at most half a round trip after B sent it. The announcement of A arrived at most
 * another half round trip later, within the timeout of B, so B followed A.
 *
 * Why one call is enough, whatever was lost in earlier elections: the largest live process is called, and no larger
 * process answers it. If the term is new to it, it holds an election, leads, and announces itself, by R9 until its
 * term is the newest. Otherwise the caller learns a newer term, waits without success, and calls again above that
 * term.
 */
import type { RunFacts, View } from '../../kernel/index.ts';
import { announcement, counter, defineAlgorithm, flag, MAX_WORD, message } from '../../kernel/index.ts';

import { answerOlder, onAnswer, onElection } from './bully-election.ts';
import { timeoutOf, withoutCoordinator } from './bully-laws.ts';
import {
  announce,
  type BullyContext,
  bullyModel,
  bullyState,
  callLarger,
  enterNewTerm,
  isOutdated,
  onCoordinator,
} from './bully-state.ts';
import { nextOwnTerm } from './ranks.ts';

const state = { ...bullyState, recovered: flag() };

const messages = {
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['term', counter(MAX_WORD)]),
  coordinator: announcement(['term', counter(MAX_WORD)]),
};

type State = View<typeof state>;
type Ctx = BullyContext<typeof messages, 'patience'>;

/** The bully algorithm of Garcia-Molina. */
export const bully = defineAlgorithm({
  name: 'bully',
  title: 'Bully',
  source: 'Garcia-Molina 1982',
  cost: '(n−i)² + n−2',
  ...bullyModel,
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
        announce(state, nextOwnTerm(term + 1, ctx), ctx); // R9
      else onAnswer(state, port, term, ctx); // R4
    },

    coordinator(state, port, { term }, ctx) {
      const result = onCoordinator(state, port, term, ctx); // R5
      if (result === 'older') answerOlder(state, port, ctx); // R9
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

  invariants: {
    node: {
      ...bullyModel.invariants.node,
      'recovered-leads-own-terms': {
        statement: 'A process that has recovered leads only its own terms',
        holds: ({ state: { coordinator, recovered, term }, ...node }) =>
          !recovered || coordinator !== node.id || term === nextOwnTerm(term, node), // R10
      },
    },
  },

  laws: [
    withoutCoordinator(
      { messages: 'election' },
      '(n−i)(n−i+1)/2',
      ({ n }, [i]) => ((n - i) * (n - i + 1)) / 2,
    ),
    withoutCoordinator({ messages: 'answer' }, '(n−i)(n−i−1)/2', ({ n }, [i]) => ((n - i) * (n - i - 1)) / 2),
    withoutCoordinator('announcement', 'n−2', ({ n }) => n - 2),
    withoutCoordinator('electedAt', 'T+1; T if n−1 is a detector', electedAt),
    withoutCoordinator('agreedAt', 'T+2; T+1 if n−1 is a detector', (run, detectors) =>
      run.n > 2 ? electedAt(run, detectors) + 1 : undefined,
    ),
  ],
});

function callNewTerm(state: State, ctx: Ctx): void {
  enterNewTerm(state, ctx); // R7
  call(state, ctx);
}

/** Calls the election of its term, or leads it at once if there is no larger id. */
function call(state: State, ctx: Ctx): void {
  const isCalled = callLarger(state, ctx.params.timeout, ctx); // R1, R2
  if (!isCalled) lead(state, ctx); // R3
}

function lead(state: State, ctx: Ctx): void {
  announce(state, state.recovered ? nextOwnTerm(state.term, ctx) : state.term, ctx); // R10
}

function electedAt(run: RunFacts, detectors: readonly number[]): number {
  return timeoutOf(run) + (detectors.includes(run.n - 1) ? 0 : 1);
}
