/**
 * Gary L. Peterson: An O(n log n) unidirectional algorithm for the circular extrema problem. ACM Transactions on
 * Programming Languages and Systems 4(4), 1982; as in R. Karnapke: Election Algorithms, lecture notes, 2015.
 *
 * Model: unidirectional ring, FIFO links, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set
 * initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2n(⌊log2 n⌋+1) messages at most, 3n−1 at least when all of n ≥ 2 initiate; then n to announce. How many is
 * settled by the ids and the initiators alone: every node takes one stream in one order, whatever the delays.
 *
 * Guarantees exactly one leader, known to all, in every FIFO schedule. Does not tolerate crash, loss, or messages
 * that overtake one another: the two of a phase look alike and are told apart by their order.
 *
 * R1  An active node sends its temporary id s, which is at first its own id.
 * R2  It receives the s of the active node before it as v, and sends max(s, v).
 * R3  It receives what that node sent in R2 as p. If v ≥ max(p, s), it takes part in the next phase in the name of
 *     v: s := v. If not, it is a relay from now on.
 * R4  A relay sends on what it receives. A node that has not initiated is a relay.
 * R5  Whoever receives its own id, as v, as p or as a relay, leads and sends word round; it swallows the rest.
 * R6  Word of the winner is passed on, and swallowed where it began.
 *
 * The notes print R2 as send(v) and R3 as v > max(p, s), and mend both for n = 2. The mending is needed whenever a
 * phase begins with exactly two active nodes: the one before is then also the one after, so that v, sent on, runs
 * back to the node whose id it is, which then leads beside the largest. The smallest order beyond n = 2 is 4 1 3 2.
 * With the maximum, p is the larger of v and the id before it, and v ≥ p asks just what v > p was to ask.
 */
import { choice, defineAlgorithm, floorLog2, id, message } from '../../kernel/index.ts';
import { announce, announcedOnce, elected, passOn } from '../ring/announcement.ts';

const NEXT = 1;

export const peterson = defineAlgorithm({
  name: 'peterson',
  title: 'Peterson, unidirectional',
  source: 'Peterson 1982',
  cost: '2n(⌊log2 n⌋+1) worst',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  /** at: where in the program the node waits. */
  state: { s: id(), v: id(), p: id(), at: choice(['relay', 'receive v', 'receive p', 'leader']) },
  messages: { id: message(['id', id()]), elected },

  onStart(state, ctx) {
    state.s = ctx.id;
    state.at = 'receive v';
    ctx.send(NEXT, 'id', ctx.id); // R1
  },

  on: {
    id(state, _port, { id }, ctx) {
      const { at } = state;
      if (at === 'leader') {
        return; // R5
      }
      if (id === ctx.id) {
        state.at = 'leader'; // R5
        announce(ctx);
      } else if (at === 'relay') {
        ctx.forward(NEXT); // R4
      } else if (at === 'receive v') {
        state.v = id; // R2
        state.at = 'receive p';
        ctx.send(NEXT, 'id', Math.max(state.s, id));
      } else {
        state.p = id; // R3
        if (state.v >= Math.max(id, state.s)) {
          state.s = state.v;
          state.at = 'receive v';
          ctx.send(NEXT, 'id', state.v); // R1
        } else {
          state.at = 'relay';
        }
      }
    },

    elected: passOn, // R6
  },

  laws: [
    {
      measure: 'election',
      kind: 'bound',
      formula: '2n(⌊log2 n⌋+1)',
      value: ({ n }) => 2 * n * (floorLog2(n) + 1),
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: '3n−1',
      when: 'ids are sorted, either way, n ≥ 2, and all initiate',
      value: ({ n, k, order, fifo, smooth }) =>
        order !== 'other' && n > 1 && k === n && fifo && smooth ? 3 * n - 1 : undefined,
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: 'n',
      when: 'one node initiates',
      value: ({ n, k }) => (k === 1 ? n : undefined),
    },
    announcedOnce,
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n+1',
      when: 'in lockstep, ids are sorted, either way, n ≥ 3, and all initiate',
      value: ({ n, k, order, lockstep, smooth }) =>
        order !== 'other' && n > 2 && k === n && lockstep && smooth ? n + 1 : undefined,
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: '2n+1',
      when: 'in lockstep, ids are sorted, either way, n ≥ 3, and all initiate',
      value: ({ n, k, order, lockstep, smooth }) =>
        order !== 'other' && n > 2 && k === n && lockstep && smooth ? 2 * n + 1 : undefined,
    },
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n',
      when: 'in lockstep, one node initiates',
      value: ({ n, k, lockstep, smooth }) => (k === 1 && lockstep && smooth ? n : undefined),
    },
  ],
});
