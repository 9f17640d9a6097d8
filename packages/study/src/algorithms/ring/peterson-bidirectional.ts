/**
 * Gary L. Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem. ACM Transactions on
 * Programming Languages and Systems 4(4), 1982; in the form for bidirectional rings of R. Karnapke: Election
 * Algorithms, lecture notes, 2015, slides 26 to 32. W. Randolph Franklin published it in the same year.
 *
 * Model: bidirectional ring, FIFO links, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of
 * nodes initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2n messages per phase, at most 2n(⌊log2 k⌋+1) for k initiators, 4n for sorted ids; then n for the
 * announcement. The number of phases depends only on the ids and the initiators.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links. Does not tolerate crashes,
 * message loss, or links without FIFO.
 *
 * R1  In each phase an active node sends its id in both directions. The initiators are active.
 * R2  An active node receives one id from each side. If either id is larger than its own, it becomes passive.
 *     Otherwise it enters the next phase. A second id from the same side belongs to the next phase and waits until
 *     then.
 * R3  A passive node forwards every id. A node that has not initiated is passive.
 * R4  A node that receives its own id becomes the leader and sends `elected` around the ring. Its other id returns
 *     later, and it discards that one.
 * R5  Every node forwards `elected`, and the leader discards it when it returns.
 * R6  With eager on, a node becomes passive at the first larger id, without waiting for the other side. The notes
 *     count their best case, 3n−1, with this rule. The bound on the number of messages does not hold with it, because
 *     an id travels further when fewer active nodes are left to stop it.
 */
import {
  bound,
  choice,
  defineAlgorithm,
  exact,
  flag,
  floorLog2,
  id,
  ids,
  type LawCondition,
  mean,
  message,
  NONE,
  onOff,
  port,
} from '../../kernel/index.ts';
import { allInitiate, inLockstep, oneInitiates, sortedIds } from '../law-conditions.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

const notEager: LawCondition = ['not eager', ({ params }) => !params.eager];

/** The opposite port. */
function onward(port: number): number {
  return port === NEXT ? PREVIOUS : NEXT;
}

/** Peterson on a bidirectional ring. */
export const petersonBidirectional = defineAlgorithm({
  name: 'peterson-bidirectional',
  title: 'Peterson, bidirectional',
  source: 'Peterson 1982',
  cost: '2n(⌊log2 k⌋+1) worst',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: { eager: onOff('a node becomes passive at the first larger id') },
  /**
   * side: the port of the first id of this phase; beaten: that id was larger. Ids wait only at that port, and unless
   * eager is on at most one: its sender cannot go further before it has heard from this node.
   */
  state: { is: choice(['passive', 'active', 'leader']), side: port(), beaten: flag(), waiting: ids() },
  messages: { id: message(['id', id()]), elected },

  passive: (state) => state.is === 'passive', // R3

  onStart(state, ctx) {
    state.is = 'active';
    sendBothWays(ctx); // R1
  },

  on: {
    id(state, port, { id }, ctx) {
      if (state.is === 'passive') {
        ctx.forward(onward(port)); // R3
      } else if (state.is === 'leader') {
        return; // R4
      } else if (id === ctx.id) {
        state.is = 'leader'; // R4
        announce(ctx);
      } else if (ctx.params.eager && id > ctx.id) {
        becomePassive(state, ctx); // R6
      } else if (state.side === NONE) {
        state.side = port; // R2
        state.beaten = id > ctx.id;
      } else if (state.side === port) {
        state.waiting.push(id);
      } else if (state.beaten || id > ctx.id) {
        becomePassive(state, ctx); // R2
      } else {
        const [first = NONE, ...others] = state.waiting;
        state.side = first === NONE ? NONE : state.side; // R2
        state.beaten = first > ctx.id;
        state.waiting = others;
        sendBothWays(ctx); // R1
      }
    },

    elected: forwardElected, // R5
  },

  laws: [
    exact(
      'election',
      '2n·phases',
      [notEager],
      ({ n, ids, initiators }) => 2 * n * phases(Array.from(initiators, (at) => ids[at])),
    ),
    bound('election', '2n(⌊log2 k⌋+1)', [notEager], ({ n, k }) => 2 * n * (floorLog2(k) + 1)),
    exact('election', '4n', [notEager, ...sortedIds(2)], ({ n }) => 4 * n),
    mean('election', '2n(log3 n + 1)', [notEager, allInitiate], ({ n, order }) =>
      order === 'other' ? 2 * n * (Math.log(n) / Math.log(3) + 1) : undefined,
    ),
    exact('electedAt', 'n', [inLockstep, oneInitiates], ({ n }) => n),
    announcementLaw,
  ],
});

interface Sender {
  readonly id: number;
  send(port: number, type: 'id', id: number): void;
}

function sendBothWays(ctx: Sender): void {
  ctx.send(PREVIOUS, 'id', ctx.id);
  ctx.send(NEXT, 'id', ctx.id);
}

interface Phase {
  is: 'passive' | 'active' | 'leader';
  side: number;
  beaten: boolean;
  waiting: number[];
}

/** Forwards the waiting ids before any later one. Clears the state, so that the checker sees all passive nodes as equal. */
function becomePassive(state: Phase, ctx: Sender): void {
  for (const id of state.waiting) ctx.send(onward(state.side), 'id', id);
  state.is = 'passive';
  state.side = NONE;
  state.beaten = false;
  state.waiting = [];
}

/** In each phase the local maxima stay active, until one node is left. */
function phases(active: readonly number[]): number {
  const k = active.length;
  if (k === 1) return 1;
  return 1 + phases(active.filter((id, i) => id > active[(i + 1) % k] && id > active[(i + k - 1) % k]));
}
