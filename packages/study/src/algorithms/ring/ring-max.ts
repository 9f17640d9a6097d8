/**
 * The modified ring algorithm. M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and
 * novel schemes. Third International Conference on Convergence and Hybrid Information Technology, 2008, section 3.
 * The message carries only the largest id instead of a list, and of several concurrent elections only one message
 * travels the whole ring.
 *
 * Model: ring; every process knows the order of all processes and can send to any of them; unique ids;
 * crash-recovery; bounded delay: a round trip takes at most the timeout T. The processes that detect the crash of the
 * coordinator initiate.
 * Wins: the largest live id, whether it initiated or not.
 * Costs, d processes crashed from the start: as many election messages as Chang–Roberts with the same initiators, and
 * n−d coordinator messages. The largest initiator decides at n−d+d·T, and its announcement returns n−d units later.
 *
 * Guarantees at most one leader in each term, under any delays, message losses, crashes and recoveries. Guarantees
 * that all live processes eventually agree on the largest of them, under three conditions: delays stay bounded,
 * crashes and losses have stopped, and the crash of a coordinator is detected by at least one process or followed by
 * a recovery.
 * Links need not be FIFO; without FIFO, two concurrent elections may both complete.
 * Does not detect the crash of the coordinator: a failure detector does that.
 *
 * R1  A process that detects the crash of the coordinator sends `election` with its own id to its successor.
 * R2  A process that receives `election` replaces the id in it by its own if that is larger, and forwards the
 *     message. It always tries its immediate successor first, even one that it has skipped before.
 * R3  If a successor has crashed, the message is sent to the next one after a timeout.
 * R4  An initiator discards the message of a smaller initiator and forwards that of a larger one.
 * R5  When the message returns to its initiator, it contains the largest live id. The initiator announces it with
 *     `coordinator`, once around the ring.
 * R6  `coordinator` skips the processes that the election found crashed, and its sender discards it when it returns.
 *
 * Terms, the crash of an initiator, and recovery: rules C1 to C6 in coordinator.ts.
 */
import type { RunFacts } from '../../kernel/index.ts';
import { counter, defineAlgorithm, harmonic, id, MAX_WORD, mean, message } from '../../kernel/index.ts';
import * as ring from './coordinator.ts';

const messages = {
  /** term: the largest term seen by any process on the path. */
  election: message(['term', counter(MAX_WORD)], ['initiator', id()], ['biggest', id()]),
  coordinator: ring.coordinator,
};

type Ctx = ring.RingContext<typeof messages>;

/** A ring with a known map: the token carries the largest live id. */
export const ringMax = defineAlgorithm({
  name: 'ring-max',
  title: 'Ring, largest id only',
  source: 'Shirali et al. 2008',
  cost: 'n·H_k mean, then n',
  ...ring.model,
  messages,

  onStart(state, ctx) {
    if (state.phase === 'idle') call(state, ctx);
  },

  onTimer(state, _timer, ctx) {
    call(state, ctx); // C4, C5
  },

  on: {
    election(state, _port, { term, initiator, biggest }, ctx) {
      if (initiator === ctx.id) {
        ring.announce(biggest, term, state, ctx); // R5
        return;
      }
      ring.markAlive(initiator, state, ctx);
      if (state.phase === 'calling' && initiator < ctx.id) return; // R4
      ring.awaitCoordinator(state, 'waiting', ctx);
      ctx.send(1, 'election', Math.max(term, state.term), initiator, Math.max(biggest, ctx.id)); // R2
    },

    coordinator(state, _port, message, ctx) {
      if (ring.receiveCoordinator(message, state, ctx)) call(state, ctx); // R6
    },
  },

  onUndelivered(state, port, message, ctx) {
    if (message.type === 'coordinator') {
      if (ring.skipCrashed(port, message, state, ctx)) call(state, ctx);
      return;
    }
    ring.markCrashed(port, state, ctx);
    const { term, initiator, biggest } = message;
    if (ctx.neighbour(port) !== initiator) {
      ctx.send(port + 1, 'election', Math.max(term, state.term), initiator, biggest); // R3
    } else if (state.phase !== 'calling') call(state, ctx); // C3
  },

  laws: [
    ring.initialCrashLaw('election', 'that of Chang–Roberts', changRoberts, { isOrdered: true }),
    mean('election', 'n·H_k', ({ n, k, order, faultless }) =>
      order === 'other' && faultless ? n * harmonic(k) : undefined,
    ),
    ring.initialCrashLaw('announcement', 'n−d', ({ n }, d) => n - d, { isOrdered: true }),
    ...ring.timeLaws,
  ],
});

function call(state: ring.CoordinatorState, ctx: Ctx): void {
  ring.awaitCoordinator(state, 'calling', ctx);
  ctx.send(1, 'election', state.term, ctx.id, ctx.id); // R1
}

/** Each initiator's message travels to the next larger initiator, and that of the largest around the whole ring. */
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
