/**
 * Danny Dolev, Maria Klawe, Michael Rodeh: An O(n log n) unidirectional distributed algorithm for extrema finding
 * in a circle. Journal of Algorithms 3(3), 1982; in the form of the Promela model that comes with the checker
 * Spin, so that checkers can be compared to the last state.
 *
 * Model: unidirectional ring, FIFO links, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set
 * initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2n⌊log2 k⌋ + n messages at most for k initiators, 3n at least when two or more initiate; then n to
 * announce. How many is settled by the ids and the initiators alone: every node takes one stream in one order.
 *
 * Guarantees exactly one leader, known to all, in every FIFO schedule. Does not tolerate crash, loss, or messages
 * that overtake one another. The leader is not the first to know: its id is carried on by the active node after it
 * and ends far away, so that the leader may well learn of its victory last of all.
 *
 * R1  An active node sends one(maximum), at first its own id.
 * R2  An active node that receives one(x) with x ≠ maximum notes its neighbour := x and sends two(x).
 * R3  If x = maximum, that id has come all the way round: the node knows, and sends winner(x).
 * R4  An active node that receives two(y): if neighbour > y and neighbour > maximum, it goes on in its neighbour's
 *     name, maximum := neighbour, as in R1. If not, it is passive from now on.
 * R5  A passive node passes one and two on. So does one that has not initiated.
 * R6  On winner(x) a node is done, and is the leader if x is its own id. It passes winner on unless it knows.
 *
 * A node decides when it learns who wins: the one that knows at R3, all others at R6. The flags are the model's
 * and not the decision: done and leader turn at R6 only, so at the node that knows when winner is home.
 */
import { announcement, defineAlgorithm, flag, floorLog2, id, message } from '../../kernel/index.ts';

const NEXT = 1;

export const dolevKlaweRodeh = defineAlgorithm({
  name: 'dolev-klawe-rodeh',
  title: 'Dolev–Klawe–Rodeh',
  source: 'Dolev, Klawe, Rodeh 1982',
  cost: '2n⌊log2 k⌋ + n worst',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
  params: {},
  state: {
    active: flag({ initially: true }),
    maximum: id(),
    neighbour: id(),
    knows: flag(),
    done: flag(),
    leader: flag(),
  },
  messages: {
    one: message(['id', id()]),
    two: message(['id', id()]),
    winner: announcement(['id', id()]),
  },

  onStart(state, ctx) {
    state.maximum = ctx.id;
    ctx.send(NEXT, 'one', ctx.id); // R1
  },

  on: {
    one(state, _port, { id }, ctx) {
      if (!ctx.initiator || !state.active) {
        ctx.forward(NEXT); // R5
      } else if (id !== state.maximum) {
        state.neighbour = id; // R2
        ctx.send(NEXT, 'two', id);
      } else {
        state.knows = true; // R3
        ctx.decide(id === ctx.id ? 'leader' : 'follower', id);
        ctx.send(NEXT, 'winner', id);
      }
    },

    two(state, _port, { id }, ctx) {
      const { neighbour } = state;
      if (!ctx.initiator || !state.active) {
        ctx.forward(NEXT); // R5
      } else if (neighbour > id && neighbour > state.maximum) {
        state.maximum = neighbour; // R4
        ctx.send(NEXT, 'one', neighbour); // R1
      } else {
        state.active = false;
      }
    },

    winner(state, _port, { id }, ctx) {
      state.done = true; // R6
      if (id === ctx.id) state.leader = true;
      if (state.knows) return;
      ctx.decide(id === ctx.id ? 'leader' : 'follower', id);
      ctx.forward(NEXT);
    },
  },

  laws: [
    {
      measure: 'election',
      kind: 'bound',
      formula: '2n⌊log2 k⌋ + n',
      value: ({ n, k }) => 2 * n * floorLog2(k) + n,
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: '3n',
      when: 'ids are sorted, either way, n ≥ 2, and all initiate',
      value: ({ n, k, order, fifo, smooth }) =>
        order !== 'other' && n > 1 && k === n && fifo && smooth ? 3 * n : undefined,
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: 'n',
      when: 'one node initiates',
      value: ({ n, k }) => (k === 1 ? n : undefined),
    },
    { measure: 'announcement', kind: 'exact', formula: 'n', value: ({ n }) => n },
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: '2n+1',
      when: 'in lockstep, ids are sorted, either way, n ≥ 2, and all initiate',
      value: ({ n, k, order, lockstep, smooth }) =>
        order !== 'other' && n > 1 && k === n && lockstep && smooth ? 2 * n + 1 : undefined,
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: '2n+2',
      when: 'in lockstep, ids are sorted, either way, n ≥ 2, and all initiate',
      value: ({ n, k, order, lockstep, smooth }) =>
        order !== 'other' && n > 1 && k === n && lockstep && smooth ? 2 * n + 2 : undefined,
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
