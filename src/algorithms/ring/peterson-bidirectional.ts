/**
 * Gary L. Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem. ACM Transactions on
 * Programming Languages and Systems 4(4), 1982, in the form for bidirectional rings of R. Karnapke: Election
 * Algorithms, lecture notes, 2015, slides 26 to 32. W. Randolph Franklin published it in the same year.
 *
 * Model: bidirectional ring, FIFO links, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2n messages a phase, 2n(⌊log2 k⌋+1) at most for k initiators, 4n for sorted ids; then n to announce. How many
 * phases is settled by the ids and the initiators alone.
 *
 * Guarantees exactly one leader, known to all, in every FIFO schedule. Does not tolerate crash, loss, or messages that
 * overtake one another.
 *
 * R1  In each phase an active node sends its id both ways. The initiators are active.
 * R2  It takes one id from each side, and then decides: if one of them is larger than its own it is passive from now
 *     on, if not the next phase begins. What comes from a side that has given its id waits until then.
 * R3  A passive node passes on what it receives. A node that has not initiated is passive.
 * R4  Whose own id comes round has won, and sends word round; its other id comes home too, and is swallowed.
 * R5  Word of the winner is passed on, and swallowed where it began.
 * R6  With eager on, a node is passive at the first larger id, and does not wait for the other side. So the notes count
 *     their best case, 3n−1; but then the bound of R2 no longer holds: ids that nobody stops go far.
 */
import {
  choice,
  defineAlgorithm,
  flag,
  floorLog2,
  id,
  ids,
  message,
  NONE,
  onOff,
  port,
} from '../../kernel/index.ts';
import { announce, announcedOnce, elected, passOn } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

/** The port on the other side. */
function onward(port: number): number {
  return port === NEXT ? PREVIOUS : NEXT;
}

export const petersonBidirectional = defineAlgorithm({
  name: 'peterson-bidirectional',
  title: 'Peterson, bidirectional',
  source: 'Peterson 1982',
  cost: '2n(⌊log2 k⌋+1) worst',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: { eager: onOff('a node is passive at the first larger id') },
  /**
   * side: the one whose id has been taken in this phase; beaten: that id was larger. Only from that side ids wait, and
   * unless eager is on never more than one: whoever sent it waits in turn for this node.
   */
  state: { is: choice(['passive', 'active', 'leader']), side: port(), beaten: flag(), waiting: ids() },
  messages: { id: message(['id', id()]), elected },

  onStart(state, ctx) {
    state.is = 'active';
    sendBothWays(ctx); // R1
  },

  on: {
    id(state, port, { id }, ctx) {
      if (state.is === 'leader') return; // R4
      if (state.is === 'passive') {
        ctx.forward(onward(port)); // R3
      } else if (id === ctx.id) {
        state.is = 'leader'; // R4
        announce(ctx);
      } else if (ctx.params.eager && id > ctx.id) {
        giveUp(state, ctx); // R6
      } else if (state.side === NONE) {
        state.side = port; // R2
        state.beaten = id > ctx.id;
      } else if (state.side === port) {
        state.waiting.push(id);
      } else if (state.beaten || id > ctx.id) {
        giveUp(state, ctx); // R2
      } else {
        const [first = NONE, ...others] = state.waiting;
        state.side = first === NONE ? NONE : state.side; // R2
        state.beaten = first > ctx.id;
        state.waiting = others;
        sendBothWays(ctx); // R1
      }
    },

    elected: passOn, // R5
  },

  laws: [
    {
      measure: 'election',
      kind: 'exact',
      formula: '2n·phases',
      when: 'not eager',
      value: ({ n, ids, initiators, params }) =>
        params.eager ? undefined : 2 * n * phases(Array.from(initiators, (at) => ids[at])),
    },
    {
      measure: 'election',
      kind: 'bound',
      formula: '2n(⌊log2 k⌋+1)',
      when: 'not eager',
      value: ({ n, k, params }) => (params.eager ? undefined : 2 * n * (floorLog2(k) + 1)),
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: '4n',
      when: 'not eager, ids are sorted, either way, n ≥ 2, and all initiate',
      value: ({ n, k, order, params, smooth }) =>
        !params.eager && order !== 'other' && n > 1 && k === n && smooth ? 4 * n : undefined,
    },
    {
      measure: 'election',
      kind: 'mean',
      formula: '2n(log3 n + 1)',
      when: 'not eager, and all initiate',
      value: ({ n, k, order, params }) =>
        !params.eager && order === 'other' && k === n ? 2 * n * (Math.log(n) / Math.log(3) + 1) : undefined,
    },
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n',
      when: 'in lockstep, one node initiates',
      value: ({ n, k, lockstep, smooth }) => (k === 1 && lockstep && smooth ? n : undefined),
    },
    announcedOnce,
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

/** What waited is passed on, before anything that comes later. The rest is cleared: passive nodes are all alike. */
function giveUp(state: Phase, ctx: Sender): void {
  for (const id of state.waiting) ctx.send(onward(state.side), 'id', id);
  state.is = 'passive';
  state.side = NONE;
  state.beaten = false;
  state.waiting = [];
}

/** Those that beat both neighbours are left, again and again, until one is alone with itself. */
function phases(active: readonly number[]): number {
  const k = active.length;
  if (k === 1) return 1;
  return 1 + phases(active.filter((id, i) => id > active[(i + 1) % k] && id > active[(i + k - 1) % k]));
}
