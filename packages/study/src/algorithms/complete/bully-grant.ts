/**
 * M. S. Kordafshari, M. Gholipour, M. Jahanshahi, A. T. Haghighat: Modified bully election algorithm in distributed
 * systems. WSEAS Conferences, Cancun, 2005; in the form of the lecture notes of the National Institute of Technology
 * Rourkela.
 *
 * Model: complete network, unique ids known to all processes, crash-recovery, bounded delay: a round trip takes at
 * most the timeout T. The processes that detect the crash of the coordinator initiate.
 * Wins: the largest live id.
 * Costs, only process n crashed, i the only detector: n−i election, n−i−1 answer, one grant (none if i = n−1) and n−2
 * coordinator messages; the last process decides at T+2 (at T+1 if i = n−1). Several detectors all call and are
 * answered, and the smallest of them grants.
 *
 * Guarantees at most one leader in each term, under any delays and message losses. Under bounded delay and without
 * message loss, all live processes eventually agree on one leader, once crashes have stopped and the crash of the
 * last coordinator, if any, has been detected by a process or was followed by a recovery. Links need not be FIFO, and
 * messages may be duplicated.
 * If the timeout is shorter than a round trip, or a message is lost, there may be two leaders of different terms at
 * the same time, and some processes may follow an old coordinator or none. All live processes agree again after the
 * next election that starts when delays are bounded again and earlier elections are over.
 * Does not detect the crash of the coordinator: a failure detector does that.
 *
 * R1  A process that detects the crash of the coordinator, or has a message to it returned as undelivered, sends
 *     `election` to all larger ids.
 * R2  If no process answers, the caller becomes the coordinator and sends `coordinator` to all smaller ids.
 * R3  A process that receives `election` answers with its id.
 * R4  When the timeout has passed, all answers have arrived, and the caller sends `grant` to the largest id that
 *     answered.
 * R5  A process that receives `grant` becomes the coordinator and sends `coordinator` to all smaller ids.
 *
 * The source ends here. The following rules handle crashes, recoveries and several callers:
 *
 * R6  A process that receives `coordinator` accepts the sender as the coordinator.
 * R7  A process that has recovered waits until elections that have missed it are over, and then calls one.
 * R8  A process that has answered or granted abandons an election of its own and waits for the coordinator. If none
 *     arrives in time, it calls a new election.
 * R9  Each term belongs to one process (terms.ts). The caller leads or grants a term of its own, above all terms in
 *     the answers. A grant is ignored by a process that knows a newer term.
 * R10 A `coordinator` message of an older term is answered with the newer term. The sender, if it still leads,
 *     announces itself in a term above it.
 *
 * Why no two processes lead the same term: the owner of a term leads it itself or grants it to one process.
 */
import type { View } from '../../kernel/index.ts';
import { announcement, counter, defineAlgorithm, MAX_WORD, message, NONE } from '../../kernel/index.ts';
import {
  callNewTerm,
  collectorLaws,
  collectorMessages,
  collectorState,
  electedAt,
  onAnswer,
  onElection,
} from './answer-collection.ts';
import { withoutCoordinator } from './bully-laws.ts';
import type { BullyContext } from './bully-state.ts';
import { announce, awaitAnnouncement, bullyModel, isOutdated, onCoordinator } from './bully-state.ts';
import { nextOwnTerm, portTo } from './ranks.ts';

const messages = {
  ...collectorMessages,
  grant: message(['term', counter(MAX_WORD)]),
  coordinator: announcement(['term', counter(MAX_WORD)]),
};

type State = View<typeof collectorState>;
type Ctx = BullyContext<typeof messages, 'patience' | 'recovery'>;

/** Bully with grants: the caller chooses the largest process that answers. */
export const bullyGrant = defineAlgorithm({
  name: 'bully-grant',
  title: 'Bully with a grant',
  source: 'Kordafshari et al. 2005',
  cost: '2(n−i) + n−2',
  ...bullyModel,
  state: collectorState,
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
        announce(state, nextOwnTerm(term + 1, ctx), ctx); // R10
      else onAnswer(state, id, term, ctx); // R4
    },

    grant(state, _port, { term }, ctx) {
      if (term >= state.term) announce(state, term, ctx); // R5, R9
    },

    coordinator(state, port, { term }, ctx) {
      const result = onCoordinator(state, port, term, ctx); // R6
      if (result === 'older') ctx.send(port, 'answer', ctx.id, state.term); // R10
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
    ...collectorLaws,
    withoutCoordinator({ messages: 'grant' }, '1; 0 if n−1 is the only detector', ({ n }, [i]) =>
      i === n - 1 ? 0 : 1,
    ),
    withoutCoordinator('announcement', 'n−2', ({ n }) => n - 2),
    withoutCoordinator('electedAt', 'T+1; T if n−1 is the only detector', electedAt),
    withoutCoordinator('agreedAt', 'T+2; T+1 if n−1 is the only detector', (run, detectors) =>
      run.n > 2 ? electedAt(run, detectors) + 1 : undefined,
    ),
  ],
});

function call(state: State, ctx: Ctx): void {
  if (!callNewTerm(state, ctx)) conclude(state, ctx);
}

function conclude(state: State, ctx: Ctx): void {
  const term = nextOwnTerm(state.term, ctx); // R9
  if (state.best === NONE) {
    announce(state, term, ctx); // R2
    return;
  }
  state.term = term;
  ctx.send(portTo(state.best, ctx), 'grant', term); // R4
  awaitAnnouncement(state, ctx); // R8
}
