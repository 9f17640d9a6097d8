/**
 * The ring algorithm with a list of the live: M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms:
 * history and novel schemes. Third International Conference on Convergence and Hybrid Information Technology, 2008,
 * section 3; in the words of Andrew S. Tanenbaum, Maarten van Steen: Distributed systems, section 6.5.
 *
 * Model: a ring of which every process has the map, so that it can send to every successor; unique ids; processes that
 * crash and recover; a round trip that is over within the time-out T. Those that miss the coordinator initiate.
 * Wins: the largest live id, initiator or not.
 * Costs, k initiators, d dead from the start: k·n election messages, k·d of them lost, and k(n−d) coordinator messages;
 * an initiator knows at n−d+d·T, and its word is home n−d later.
 *
 * Guarantees one leader in each term, whatever is late or lost and whoever crashes and recovers whenever; and in the
 * end, while round trips are timely, one leader known to all live processes, the largest of them: once crashes and
 * losses are over and, if a coordinator died in office or with it those that knew of it, somebody has missed it or has
 * recovered.
 * Several elections at once agree. Links need not keep their order.
 * Does not watch the coordinator: that is a failure detector's work.
 *
 * R1  Who misses the coordinator sends `election` with its own id to its successor.
 * R2  Who gets it adds its id and sends it on. Each tries its next place first, whomever it has skipped before.
 * R3  Where a successor is dead, one time-out later the message goes to the one after it.
 * R4  When the message is back where it began, all live ids are in it: the largest is announced, once round.
 * R5  Word of the coordinator skips those that the election found dead, and is swallowed where it began.
 *
 * Terms, crashes of those that hold an election, and recovery: C1 to C6 in coordinator.ts.
 */
import { type Context, counter, defineAlgorithm, ids, MAX_WORD, message } from '../../kernel/index.ts';
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
  /** term: the largest that those in the list have seen. */
  election: message(['term', counter(MAX_WORD)], ['ids', ids()]),
  coordinator,
};

type Ctx = Context<typeof assumes, typeof messages, typeof params, (typeof timers)[number]>;

export const ringList = defineAlgorithm({
  name: 'ring-list',
  title: 'Ring, list of the live',
  source: 'Tanenbaum, van Steen; Shirali et al. 2008',
  cost: '2k·n',
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
    election(state, _port, { term, ids }, ctx) {
      if (ids[0] === ctx.id) {
        const largest = ids.reduce((most, id) => Math.max(most, id));
        announce(largest, term, state, ctx); // R4
        return;
      }
      heardOf(ids[0], state, ctx);
      beginPatience(state, 'waiting', ctx);
      ctx.send(1, 'election', Math.max(term, state.term), [...ids, ctx.id]); // R2
    },

    coordinator(state, _port, word, ctx) {
      if (takeWord(word, state, ctx)) call(state, ctx); // R5
    },
  },

  onUndelivered(state, port, message, ctx) {
    if (message.type === 'coordinator') {
      if (skipWord(port, message, state, ctx)) call(state, ctx);
      return;
    }
    foundDead(port, state, ctx);
    if (ctx.neighbour(port) !== message.ids[0]) {
      ctx.send(port + 1, 'election', Math.max(message.term, state.term), message.ids); // R3
    } else if (state.phase !== 'calling') call(state, ctx); // C3
  },

  laws: [
    whenSmooth('election', 'k·n', ({ k, n }) => k * n),
    whenSmooth('announcement', 'k(n−d)', ({ k, n }, d) => k * (n - d)),
    whenSmooth('agreedAt', '2(n−d) + d·T − 1', (run, d) => homeAt(run, d) - 1, { isTimed: true }),
    whenSmooth('announcementReturnedAt', '2(n−d) + d·T', homeAt, { isTimed: true }),
  ],
});

function call(state: Standing, ctx: Ctx): void {
  beginPatience(state, 'calling', ctx);
  ctx.send(1, 'election', state.term, [ctx.id]); // R1
}
