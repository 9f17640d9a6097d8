/**
 * W. Randolph Franklin: On an improved algorithm for decentralized extrema finding in circular configurations of
 * processors. Communications of the ACM 25(5), 1982. The round number modulo 2, which makes FIFO links unnecessary, is
 * that of R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol: Leader election in anonymous rings: Franklin goes
 * probabilistic. IFIP TCS, 2008.
 *
 * Model: bidirectional ring, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of nodes
 * initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2n messages per round, at most 2n(⌊log2 k⌋+1) for k initiators, 4n for sorted ids; then n for the
 * announcement. The number of rounds depends only on the ids and the initiators.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule. Does not tolerate crashes or message loss.
 *
 * R1  In each round an active node sends its id, with the round number modulo 2, in both directions. The initiators
 *     are active.
 * R2  An active node waits for an id of its round from each side: those of its nearest active neighbours. If either
 *     id is larger than its own, the node becomes a relay. Otherwise it enters the next round.
 * R3  An id with the other round number belongs to the next round. The node keeps it until it enters that round, or
 *     forwards it when it becomes a relay.
 * R4  A relay forwards every id. A node that has not initiated is a relay.
 * R5  A node that receives its own id becomes the leader and sends `elected` around the ring. Its other id returns
 *     later, and it discards that one.
 * R6  Every node forwards `elected`, and the leader discards it when it returns.
 *
 * One bit is enough in R3: no active node is more than one round ahead of its neighbour, because a round ends only
 * with an id from each side. Each side therefore keeps at most one id for the next round. Without the bit, as in
 * peterson-bidirectional, an id that overtakes is compared in the wrong round, and the bound fails: some schedule of 7
 * nodes costs 56 messages, not 42.
 */
import {
  bound,
  choice,
  counter,
  defineAlgorithm,
  exact,
  floorLog2,
  id,
  message,
  NONE,
} from '../../kernel/index.ts';
import { inLockstep, oneInitiates, sortedIds } from '../law-conditions.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

/** Franklin: O(n log n) messages on a bidirectional ring. */
export const franklin = defineAlgorithm({
  name: 'franklin',
  title: 'Franklin',
  source: 'Franklin 1982',
  cost: '2n(⌊log2 k⌋+1) worst',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  /** previous, next: the ids of this round, by side; earlyPrevious, earlyNext: those of the next round. */
  state: {
    is: choice(['relay', 'active', 'leader']),
    round: counter(1),
    previous: id(),
    next: id(),
    earlyPrevious: id(),
    earlyNext: id(),
  },
  messages: { id: message(['id', id()], ['round', counter(1)]), elected },

  passive: (state) => state.is === 'relay', // R4

  onStart(state, ctx) {
    state.is = 'active';
    sendBothWays(state, ctx); // R1
  },

  on: {
    id(state, port, { id, round }, ctx) {
      if (state.is === 'leader') return; // R5
      if (state.is === 'relay') {
        ctx.forward(port === PREVIOUS ? NEXT : PREVIOUS); // R4
      } else if (id === ctx.id) {
        state.is = 'leader'; // R5
        announce(ctx);
      } else if (round !== state.round) {
        if (port === PREVIOUS)
          state.earlyPrevious = id; // R3
        else state.earlyNext = id;
      } else {
        if (port === PREVIOUS)
          state.previous = id; // R2
        else state.next = id;
        compare(state, ctx);
      }
    },

    elected: forwardElected, // R6
  },

  laws: [
    exact(
      'election',
      '2n·rounds',
      ({ n, ids, initiators }) => 2 * n * rounds(Array.from(initiators, (at) => ids[at])),
    ),
    bound('election', '2n(⌊log2 k⌋+1)', ({ n, k }) => 2 * n * (floorLog2(k) + 1)),
    exact('election', '4n', sortedIds(2), ({ n }) => 4 * n),
    announcementLaw,
    exact('electedAt', 'n', [inLockstep, oneInitiates], ({ n }) => n),
  ],
});

interface Candidate {
  is: 'relay' | 'active' | 'leader';
  round: number;
  previous: number;
  next: number;
  earlyPrevious: number;
  earlyNext: number;
}

interface Sender {
  readonly id: number;
  send(port: number, type: 'id', id: number, round: number): void;
}

function sendBothWays({ round }: Candidate, ctx: Sender): void {
  ctx.send(PREVIOUS, 'id', ctx.id, round);
  ctx.send(NEXT, 'id', ctx.id, round);
}

/** More than one round can end at once: both ids of the next may have been early. */
function compare(state: Candidate, ctx: Sender): void {
  while (state.previous !== NONE && state.next !== NONE) {
    if (Math.max(state.previous, state.next) > ctx.id) {
      becomeRelay(state, ctx); // R2
    } else {
      state.round = 1 - state.round; // R2
      state.previous = state.earlyPrevious; // R3
      state.next = state.earlyNext;
      state.earlyPrevious = NONE;
      state.earlyNext = NONE;
      sendBothWays(state, ctx); // R1
    }
  }
}

function becomeRelay(state: Candidate, ctx: Sender): void {
  const next = 1 - state.round;
  if (state.earlyPrevious !== NONE) ctx.send(NEXT, 'id', state.earlyPrevious, next); // R3
  if (state.earlyNext !== NONE) ctx.send(PREVIOUS, 'id', state.earlyNext, next);
  // All relays are alike, which keeps the state space small.
  state.is = 'relay';
  state.round = 0;
  state.previous = NONE;
  state.next = NONE;
  state.earlyPrevious = NONE;
  state.earlyNext = NONE;
}

/** Each round leaves the ids that are larger than both neighbours; the last round has one id. */
function rounds(active: readonly number[]): number {
  const k = active.length;
  if (k === 1) return 1;
  return 1 + rounds(active.filter((id, at) => id > active[(at + 1) % k] && id > active[(at + k - 1) % k]));
}
