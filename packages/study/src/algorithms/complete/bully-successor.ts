/**
 * A. Arghavani, E. Ahmadi, A. T. Haghighat: Improved bully election algorithm in distributed systems. ICIMU 2011; in
 * the form of the lecture notes of the National Institute of Technology Rourkela.
 *
 * Model: complete network, unique ids known to all processes, crash-recovery, bounded delay: a round trip takes at
 * most the timeout T. The processes that detect the crash of the coordinator initiate. Before time 0 process n was
 * the coordinator and had declared n−1 its successor.
 * Wins: the largest live id.
 * Costs, process n crashed: if n−1 is a detector, n−2 coordinator messages, and all processes decide by 1; if i < n−1
 * is, one call more, and all decide by 2. If n−1 has crashed too: one call, then a bully election among the others
 * with (n−i)(n−i+1)/2 − 1 election, (n−i−1)(n−i−2)/2 answer and n−3 coordinator messages, and all decide by 2T+2. A
 * new coordinator collects the live ids and declares its successor, which is upkeep: 3n−5 messages if all but n are
 * alive.
 *
 * Guarantees, under bounded delay and without message loss: at most one leader in each term, under any crashes and
 * recoveries. All live processes eventually agree on one leader, once crashes have stopped and the crash of the last
 * coordinator, if any, has been detected by a process or was followed by a recovery. Links need not be FIFO, and
 * messages may be duplicated.
 * If the timeout is shorter than a round trip, or a message is lost, two processes may lead the same term, and some
 * processes may follow an old coordinator or none. All live processes agree again after the next election that starts
 * when delays are bounded again and earlier elections are over.
 * Does not detect the crash of the coordinator: a failure detector does that. Does not replace a successor that
 * crashes after it was declared.
 *
 * R1  A new coordinator sends `gather` to all others. The smaller ones reply with `alive`. After the timeout it
 *     declares the largest of them its successor.
 * R2  A process that detects the crash of the coordinator compares its id with that of the successor. The successor
 *     becomes the coordinator at once, in a term of its own.
 * R3  A process smaller than the successor calls it and passes it one of its own terms. The successor becomes the
 *     coordinator in that term.
 * R4  If the successor does not announce itself within the timeout, if none is declared, or if it is smaller than the
 *     detector, a bully election is held.
 * R5  The bully election has rules R1 to R6 of the bully algorithm (bully.ts).
 *
 * The source ends here. The following rules handle crashes, recoveries and several callers:
 *
 * R6  Terms have rules R7 to R10 of the bully algorithm (bully.ts).
 * R7  A successor that follows a newer coordinator than the crashed one treats a call as a call of the bully
 *     election.
 * R8  A process that receives `gather` from a smaller process calls an election, because it is the larger one.
 *
 * Why no two processes lead the same term: a term of a bully election is led only by its winner (bully.ts), a term
 * that was passed to a successor is passed to only one process, and a successor's own term belongs to it alone.
 */
import type { RunFacts, View } from '../../kernel/index.ts';
import {
  announcement,
  counter,
  defineAlgorithm,
  flag,
  id,
  MAX_WORD,
  message,
  NONE,
  upkeep,
} from '../../kernel/index.ts';
import { answerOlder, onAnswer, onElection } from './bully-election.ts';
import { timeoutOf, withoutCoordinator, withoutTwoLargest } from './bully-laws.ts';
import {
  announce,
  awaitAnnouncement,
  type BullyContext,
  bullyModel,
  bullyState,
  callLarger,
  enterNewTerm,
  isOutdated,
  onCoordinator,
} from './bully-state.ts';
import { nextOwnTerm, portTo, rankOf } from './ranks.ts';

const state = {
  ...bullyState,
  recovered: flag(),
  /** The declared successor; at the coordinator, the largest id that has replied. */
  successor: id(),
};

const messages = {
  /** term: the term to lead; of: the term of the crashed coordinator. */
  call: message(['term', counter(MAX_WORD)], ['of', counter(MAX_WORD)]),
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['term', counter(MAX_WORD)]),
  coordinator: announcement(['term', counter(MAX_WORD)]),
  gather: upkeep(),
  alive: upkeep(),
  successor: upkeep(['id', id()], ['term', counter(MAX_WORD)]),
};

type State = View<typeof state>;
type Ctx = BullyContext<typeof messages, 'patience' | 'gathering'>;

/** Bully with a declared successor. */
export const bullySuccessor = defineAlgorithm({
  name: 'bully-successor',
  title: 'Bully with a declared successor',
  source: 'Arghavani et al. 2011',
  cost: '1 + n−2',
  ...bullyModel,
  state,
  messages,
  timers: ['patience', 'gathering'],

  onStart(state, ctx) {
    onCrashDetected(state, ctx); // R2
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
        becomeCoordinator(state, term, ctx); // R3
      else if (!isLeader && onElection(state, port, term, ctx)) call(state, ctx); // R7
    },

    election(state, port, { term }, ctx) {
      if (onElection(state, port, term, ctx)) call(state, ctx); // R5
    },

    answer(state, port, { term }, ctx) {
      if (isOutdated(state, port, term, ctx))
        becomeCoordinator(state, nextOwnTerm(term + 1, ctx), ctx); // R6
      else onAnswer(state, port, term, ctx); // R5
    },

    coordinator(state, port, { term }, ctx) {
      const result = onCoordinator(state, port, term, ctx); // R5
      if (result === 'accepted') state.successor = NONE;
      if (result === 'older') answerOlder(state, port, ctx); // R6
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
    if (ctx.neighbour(port) === state.coordinator) onCrashDetected(state, ctx); // R2
  },

  onTimer(state, timer, ctx) {
    if (timer === 'gathering') declare(state, ctx);
    else if (state.phase === 'calling')
      lead(state, ctx); // R5
    else callNewTerm(state, ctx); // R4, R5
  },

  laws: [
    withoutCoordinator(
      { messages: 'call' },
      'number of detectors other than n−1',
      ({ n }, detectors) => detectors.filter((i) => i < n - 1).length,
    ),
    withoutCoordinator({ messages: 'election' }, '0', () => 0),
    withoutCoordinator('announcement', 'n−2 per call; n−2 if n−1 is a detector', announcements),
    withoutCoordinator('upkeep', '3n−5 if i is the only detector', ({ n }, detectors) =>
      detectors.length === 1 ? 3 * n - 5 : undefined,
    ),
    withoutCoordinator('agreedAt', '2; 1 if n−1 is a detector', ({ n }, detectors) =>
      n === 2 ? undefined : detectors.includes(n - 1) ? 1 : 2,
    ),
    withoutTwoLargest({ messages: 'call' }, '1', (_run, { length }) => (length === 1 ? 1 : undefined)),
    withoutTwoLargest({ messages: 'election' }, '(n−i)(n−i+1)/2 − 1', ({ n }, [i, ...others]) =>
      others.length > 0 ? undefined : ((n - i) * (n - i + 1)) / 2 - 1,
    ),
    withoutTwoLargest({ messages: 'answer' }, '(n−i−1)(n−i−2)/2', ({ n }, [i, ...others]) =>
      others.length > 0 ? undefined : ((n - i - 1) * (n - i - 2)) / 2,
    ),
    withoutTwoLargest('announcement', 'n−3', ({ n }) => n - 3),
    withoutTwoLargest('agreedAt', '2T+2; 2T+1 if n−2 is the detector', (run, detectors) =>
      run.n === 3 ? undefined : 2 * timeoutOf(run) + (detectors.includes(run.n - 2) ? 1 : 2),
    ),
  ],
});

function onCrashDetected(state: State, ctx: Ctx): void {
  const successor = state.phase === 'idle' ? successorOf(state, ctx) : NONE;
  if (successor === ctx.id) {
    becomeCoordinator(state, nextOwnTerm(state.term + 1, ctx), ctx); // R2
  } else if (successor > ctx.id) {
    const of = state.term;
    enterNewTerm(state, ctx);
    awaitAnnouncement(state, ctx);
    ctx.setTimer('patience', ctx.params.timeout); // R4
    ctx.send(portTo(successor, ctx), 'call', state.term, of); // R3
  } else {
    callNewTerm(state, ctx); // R4
  }
}

/** The declared successor. Before the first election the coordinator is the largest id, and the next largest succeeds. */
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
  becomeCoordinator(state, state.recovered ? nextOwnTerm(state.term, ctx) : state.term, ctx); // R6
}

function becomeCoordinator(state: State, term: number, ctx: Ctx): void {
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

function announcements({ n }: RunFacts, detectors: readonly number[]): number {
  return (detectors.includes(n - 1) ? 1 : detectors.length) * (n - 2);
}
