/**
 * The ring algorithm with a list of live processes. M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election
 * algorithms: history and novel schemes. Third International Conference on Convergence and Hybrid Information
 * Technology, 2008, section 3; the same algorithm in Andrew S. Tanenbaum, Maarten van Steen: Distributed systems,
 * section 6.5.
 *
 * Model: ring; every process knows the order of all processes and can send to any of them; unique ids;
 * crash-recovery; bounded delay: a round trip takes at most the timeout T. The processes that detect the crash of the
 * coordinator initiate.
 * Wins: the largest live id, whether it initiated or not.
 * Costs, k initiators, d processes crashed from the start: k·n election messages, k·d of which are lost, and k(n−d)
 * coordinator messages. An initiator decides at n−d+d·T, and its announcement returns n−d units later.
 *
 * Guarantees at most one leader in each term, under any delays, message losses, crashes and recoveries. Guarantees
 * that all live processes eventually agree on the largest of them, under three conditions: delays stay bounded,
 * crashes and losses have stopped, and the crash of a coordinator is detected by at least one process or followed by
 * a recovery.
 * Concurrent elections agree. Links need not be FIFO.
 * Does not detect the crash of the coordinator: a failure detector does that.
 *
 * R1  A process that detects the crash of the coordinator sends `election` with its own id to its successor.
 * R2  A process that receives `election` appends its id and forwards the message. It always tries its immediate
 *     successor first, even one that it has skipped before.
 * R3  If a successor has crashed, the message is sent to the next one after a timeout.
 * R4  When the message returns to its initiator, it contains all live ids. The initiator announces the largest with
 *     `coordinator`, once around the ring.
 * R5  `coordinator` skips the processes that the election found crashed, and its sender discards it when it returns.
 *
 * Terms, the crash of an initiator, and recovery: rules C1 to C6 in coordinator.ts.
 */
import { counter, defineAlgorithm, ids, MAX_WORD, message } from '../../kernel/index.ts';
import * as ring from './coordinator.ts';

const messages = {
  /** term: the largest term seen by any process in the list. */
  election: message(['term', counter(MAX_WORD)], ['ids', ids()]),
  coordinator: ring.coordinator,
};

type Ctx = ring.RingContext<typeof messages>;

/** A ring with a known map: the token lists all live ids. */
export const ringList = defineAlgorithm({
  name: 'ring-list',
  title: 'Ring, list of live processes',
  source: 'Tanenbaum, van Steen; Shirali et al. 2008',
  cost: '2k·n',
  ...ring.model,
  messages,

  onStart(state, ctx) {
    if (state.phase === 'idle') call(state, ctx);
  },

  onTimer(state, _timer, ctx) {
    call(state, ctx); // C4, C5
  },

  on: {
    election(state, _port, { term, ids }, ctx) {
      if (ids[0] === ctx.id) {
        const largest = ids.reduce((most, id) => Math.max(most, id));
        ring.announce(largest, term, state, ctx); // R4
        return;
      }
      ring.markAlive(ids[0], state, ctx);
      ring.awaitCoordinator(state, 'waiting', ctx);
      ctx.send(1, 'election', Math.max(term, state.term), [...ids, ctx.id]); // R2
    },

    coordinator(state, _port, message, ctx) {
      if (ring.receiveCoordinator(message, state, ctx)) call(state, ctx); // R5
    },
  },

  onUndelivered(state, port, message, ctx) {
    if (message.type === 'coordinator') {
      if (ring.skipCrashed(port, message, state, ctx)) call(state, ctx);
      return;
    }
    ring.markCrashed(port, state, ctx);
    if (ctx.neighbour(port) !== message.ids[0]) {
      ctx.send(port + 1, 'election', Math.max(message.term, state.term), message.ids); // R3
    } else if (state.phase !== 'calling') call(state, ctx); // C3
  },

  laws: [
    ring.initialCrashLaw('election', 'k·n', ({ k, n }) => k * n),
    ring.initialCrashLaw('announcement', 'k(n−d)', ({ k, n }, d) => k * (n - d)),
    ...ring.timeLaws,
  ],
});

function call(state: ring.CoordinatorState, ctx: Ctx): void {
  ring.awaitCoordinator(state, 'calling', ctx);
  ctx.send(1, 'election', state.term, [ctx.id]); // R1
}
