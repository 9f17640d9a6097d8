/**
 * Mina Shirali, Abolfazl Haghighat Toroghi, Mehdi Vojdani: Leader election algorithms: history and novel schemes,
 * section 2.1: Garcia-Molina's bully with the ids of the processes in their answers.
 *
 * Model: complete network, unique ids known to all processes, crash-recovery, bounded delay: a round trip takes at
 * most the timeout T. The processes that detect the crash of the coordinator initiate.
 * Wins: the largest live id. The caller announces it.
 * Costs, only process n crashed, i the only detector: n−i election, n−i−1 answer and n−2 coordinator messages,
 * 2(n−i)−1 + n−2 in all; the last process decides at T+1. Several detectors all call and are answered, and the
 * smallest of them announces.
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
 * R2  A process that receives `election` answers with its id.
 * R3  After the timeout the caller sends `coordinator` with the largest id that answered, or its own if none did, to
 *     all smaller ids and to all processes that answered.
 * R4  A process that receives `coordinator` accepts the process it names, which may be itself.
 *
 * The source ends here. The following rules handle crashes, recoveries and several callers:
 *
 * R5  A process that has recovered waits until elections that have missed it are over, and then calls one.
 * R6  A process that has answered abandons an election of its own and waits for the result. If none arrives in time,
 *     it calls a new election.
 * R7  Each term belongs to one process (terms.ts). The caller announces in a term of its own, above all terms in the
 *     answers.
 * R8  A `coordinator` message of an older term is answered with the newer term. The sender calls again above that
 *     term, unless it knows a term at least as new.
 *
 * Why no two processes lead the same term: only the owner of a term names its leader, and it names one.
 */
import type { View } from '../../kernel/index.ts';
import { announcement, counter, defineAlgorithm, id, MAX_WORD, NONE, portSet } from '../../kernel/index.ts';
import {
  callNewTerm,
  collectorLaws,
  collectorMessages,
  collectorState,
  electedAt,
  onAnswer,
  onElection,
} from './answer-collection.ts';
import { timeoutOf, withoutCoordinator } from './bully-laws.ts';
import { acceptCoordinator, type BullyContext, bullyModel } from './bully-state.ts';
import { nextOwnTerm, rankOf } from './ranks.ts';

const state = {
  ...collectorState,
  /** The ports to the processes that have answered. */
  answered: portSet(),
};

const messages = {
  ...collectorMessages,
  coordinator: announcement(['id', id()], ['term', counter(MAX_WORD)]),
};

type State = View<typeof state>;
type Ctx = BullyContext<typeof messages, 'patience' | 'recovery'>;

/** Bully with ids in the answers. */
export const bullyIds = defineAlgorithm({
  name: 'bully-ids',
  title: 'Bully, ids in the answers',
  source: 'Shirali et al., 2.1',
  cost: '2(n−i)−1 + n−2',
  ...bullyModel,
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
      if (onAnswer(state, id, term, ctx)) {
        state.answered.add(port);
      } else if (state.phase === 'idle' && term > state.term) {
        state.term = term;
        call(state, ctx); // R8
      }
    },

    coordinator(state, port, { id, term }, ctx) {
      if (term < state.term)
        ctx.send(port, 'answer', ctx.id, state.term); // R8
      else acceptCoordinator(state, id, term, ctx); // R4
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
    ...collectorLaws,
    withoutCoordinator('announcement', 'n−2', ({ n }) => n - 2),
    withoutCoordinator('electedAt', 'T+1; T if n−1 is the only detector', electedAt),
    withoutCoordinator('agreedAt', 'T+1', (run) => (run.n > 2 ? timeoutOf(run) + 1 : undefined)),
  ],
});

function call(state: State, ctx: Ctx): void {
  state.answered.clear();
  if (!callNewTerm(state, ctx)) conclude(state, ctx);
}

function conclude(state: State, ctx: Ctx): void {
  const coordinator = state.best === NONE ? ctx.id : state.best;
  const term = nextOwnTerm(state.term, ctx); // R7
  acceptCoordinator(state, coordinator, term, ctx);
  const rank = rankOf(ctx);
  for (let port = 0; port < rank; port++) ctx.send(port, 'coordinator', coordinator, term); // R3
  for (const port of state.answered) ctx.send(port, 'coordinator', coordinator, term); // R3
}
