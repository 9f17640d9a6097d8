/**
 * The modified ring algorithm: M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and
 * novel schemes. Third International Conference on Convergence and Hybrid Information Technology, 2008, section 3: the
 * message carries the largest id instead of all, and of several elections at once one goes round.
 *
 * Model: a ring of which every process has the map, so that it can send to every successor; unique ids; processes that
 * crash and recover; a round trip that is over within the time-out T. Those that miss the coordinator initiate.
 * Wins: the largest live id, initiator or not.
 * Costs, d dead from the start: as many election messages as Chang–Roberts with the same initiators, and n−d coordinator
 * messages. The largest initiator knows at n−d+d·T, and its word is home n−d later.
 *
 * Guarantees one leader in each term, whatever is late or lost and whoever crashes and recovers whenever; and in the
 * end, while round trips are timely, one leader known to all live processes, the largest of them: once crashes and
 * losses are over and, if a coordinator died in office or with it those that knew of it, somebody has missed it or has
 * recovered.
 * Links need not keep their order; where messages overtake one another, two elections may both come to their end.
 * Does not watch the coordinator: that is a failure detector's work.
 *
 * R1  Who misses the coordinator sends `election` with its own id to its successor.
 * R2  Who gets it puts in its id if that is larger, and sends it on. Each tries its next place first, whomever it has
 *     skipped before.
 * R3  Where a successor is dead, one time-out later the message goes to the one after it.
 * R4  An initiator kills the message of a smaller one, and lets that of a larger one go round.
 * R5  When the message is back where it began, the largest live id is in it: that is announced, once round.
 * R6  Word of the coordinator skips those that the election found dead, and is swallowed where it began.
 *
 * Terms, crashes of those that hold an election, and recovery: C1 to C6 in coordinator.ts.
 */
import {
  type Context,
  counter,
  defineAlgorithm,
  harmonic,
  id,
  MAX_WORD,
  message,
  type RunFacts,
} from '../../kernel/index.ts';
import {
  announce,
  assumes,
  beginPatience,
  comeBack,
  coordinator,
  homeAt,
  params,
  type Standing,
  skipWord,
  state,
  takeWord,
  timers,
  whenSmooth,
} from './coordinator.ts';
import { foundDead, heardOf, successorMap } from './successor-map.ts';

const messages = {
  /** term: the largest that those on the way have seen. */
  election: message(['term', counter(MAX_WORD)], ['initiator', id()], ['biggest', id()]),
  coordinator,
};

type Ctx = Context<typeof assumes, typeof messages, typeof params, (typeof timers)[number]>;

export const ringMax = defineAlgorithm({
  name: 'ring-max',
  title: 'Ring, largest id only',
  source: 'Shirali et al. 2008',
  cost: 'n·H_k mean, then n',
  assumes,
  trigger: 'coordinator missed',
  params,
  overlay: successorMap,
  state,
  messages,
  timers,

  onStart(state, ctx) {
    if (state.phase === 'idle') call(state, ctx);
  },

  onRestart(state, ctx) {
    comeBack(state, ctx); // C5
  },

  onTimer(state, _timer, ctx) {
    call(state, ctx); // C4, C5
  },

  on: {
    election(state, _port, { term, initiator, biggest }, ctx) {
      if (initiator === ctx.id) {
        announce(biggest, term, state, ctx); // R5
        return;
      }
      heardOf(initiator, state, ctx);
      if (state.phase === 'calling' && initiator < ctx.id) return; // R4
      beginPatience(state, 'waiting', ctx);
      ctx.send(1, 'election', Math.max(term, state.term), initiator, Math.max(biggest, ctx.id)); // R2
    },

    coordinator(state, _port, word, ctx) {
      if (takeWord(word, state, ctx)) call(state, ctx); // R6
    },
  },

  onUndelivered(state, port, message, ctx) {
    if (message.type === 'coordinator') {
      if (skipWord(port, message, state, ctx)) call(state, ctx);
      return;
    }
    foundDead(port, state, ctx);
    const { term, initiator, biggest } = message;
    if (ctx.neighbour(port) !== initiator) {
      ctx.send(port + 1, 'election', Math.max(term, state.term), initiator, biggest); // R3
    } else if (state.phase !== 'calling') call(state, ctx); // C3
  },

  laws: [
    whenSmooth('election', 'that of Chang–Roberts', changRoberts, { isOrdered: true }),
    {
      measure: 'election',
      kind: 'mean',
      formula: 'n·H_k',
      value: ({ n, k, order, smooth }) => (order === 'other' && smooth ? n * harmonic(k) : undefined),
    },
    whenSmooth('announcement', 'n−d', ({ n }, d) => n - d, { isOrdered: true }),
    whenSmooth('agreedAt', '2(n−d) + d·T − 1', (run, d) => homeAt(run, d) - 1, { isTimed: true }),
    whenSmooth('announcementReturnedAt', '2(n−d) + d·T', homeAt, { isTimed: true }),
  ],
});

function call(state: Standing, ctx: Ctx): void {
  beginPatience(state, 'calling', ctx);
  ctx.send(1, 'election', state.term, ctx.id, ctx.id); // R1
}

/** Each initiator's message goes to the next larger initiator; that of the largest all the way round. */
function changRoberts({ ids, initiators, n }: RunFacts): number {
  const initiates = new Uint8Array(n);
  for (const at of initiators) initiates[at] = 1;
  let hops = 0;
  for (const from of initiators) {
    let at = from;
    do {
      at = (at + 1) % n;
      hops++;
    } while (at !== from && (initiates[at] === 0 || ids[at] < ids[from]));
  }
  return hops;
}
